/** How sizes are written, everywhere the same. */
const roughNumbers = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });

const sizeUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

/** A number of bytes in the largest unit it fills, to three digits: `64 MiB`, `1.44 MiB`. */
export function formatSize(bytes: number): string {
  let unit = 0;
  let value = bytes;
  // 1023.5 would be rounded to 1,020 of the smaller unit.
  while (value >= 1000 && unit < sizeUnits.length - 1) {
    if (value < 1024 && Number.isInteger(value)) break;
    value /= 1024;
    unit++;
  }
  return `${value < 1024 && Number.isInteger(value) ? value : roughNumbers.format(value)} ${sizeUnits[unit]}`;
}

const powers = ['', 'K', 'M', 'G', 'T', 'P'];

/**
 * A number of bytes as people write it: `4096`, `0x1000`, `4K`, `1.5MiB`, `1G`, in powers of 1024;
 * null for anything else, for parts of a byte, and for what is beyond 2^53.
 */
export function readSize(text: string): number | null {
  const parts = /^(0x[0-9a-f]+|\d+(?:\.\d+)?)(?:([kmgtp])(?:i?b)?)?$/i.exec(text);
  const power = powers.indexOf((parts?.[2] ?? '').toUpperCase());
  const value = Number(parts?.[1]) * 1024 ** power;
  return Number.isSafeInteger(value) ? value : null;
}
