import { describe, expect, it } from 'vitest';
import { parseSize } from '../../src/cli/sizes';

describe('a size', () => {
  it.each([
    ['0', 0],
    ['4096', 4096],
    ['0x1000', 4096],
    ['0X1f', 31],
    ['4K', 4096],
    ['4k', 4096],
    ['4MiB', 4 * 1024 ** 2],
    ['4mb', 4 * 1024 ** 2],
    ['1G', 1024 ** 3],
    ['16T', 16 * 1024 ** 4],
    ['0x10K', 16_384],
    ['1.5M', 1_572_864],
    ['0.5k', 512],
  ])('%s is %d bytes', (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });

  it.each([
    '',
    '-1',
    '1.5',
    '0.3K',
    '.5K',
    '1.M',
    '0x1.8K',
    '4X',
    'K',
    '4 K',
    '1e3',
    '0xg',
    '9007199254740992',
    '8192P',
    'x',
  ])('"%s" is none', (text) => {
    expect(() => parseSize(text)).toThrow('It must be a size');
  });
});
