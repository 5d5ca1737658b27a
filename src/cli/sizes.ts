import { InvalidArgumentError } from 'commander';

const powers = ['', 'K', 'M', 'G', 'T', 'P'];

/** A number of bytes: `4096`, `0x1000`, `4K`, `4MiB`, `1G`, in powers of 1024. */
export function parseSize(text: string): number {
  const parts = /^(0x[0-9a-f]+|\d+)(?:([kmgtp])(?:i?b)?)?$/i.exec(text);
  const power = powers.indexOf((parts?.[2] ?? '').toUpperCase());
  const value = Number(parts?.[1]) * 1024 ** power;
  if (!Number.isSafeInteger(value)) {
    throw new InvalidArgumentError('It must be a size such as 4096, 0x1000, 4K or 1GiB.');
  }
  return value;
}
