import { expect, it } from 'vitest';
import { formatSize } from '../../src/text/sizes';

it.each([
  [0, '0 B'],
  [512, '512 B'],
  [1000, '1000 B'],
  [1023, '1023 B'],
  [1024, '1 KiB'],
  [1500, '1.46 KiB'],
  [1536, '1.5 KiB'],
  [130_893, '128 KiB'],
  [1474560, '1.41 MiB'],
  [1023.9 * 1024, '1 MiB'],
  [64 * 2 ** 20, '64 MiB'],
  [1000 * 2 ** 20, '1000 MiB'],
  [16 * 2 ** 40, '16 TiB'],
  [2 ** 53, '8 PiB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text);
});
