/** How sizes are written, on both ends of the wire the same. */
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
