import { InvalidArgumentError } from 'commander';
import { readSize } from '../protocol/sizes';

/** A number of bytes: `4096`, `0x1000`, `4K`, `4MiB`, `1G`, in powers of 1024. */
export function parseSize(text: string): number {
  const value = readSize(text);
  if (value === null) {
    throw new InvalidArgumentError('It must be a size such as 4096, 0x1000, 4K or 1GiB.');
  }
  return value;
}
