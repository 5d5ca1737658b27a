import { describe, expect, it } from 'vitest';
import { formatField } from '../../src/cli/fields';
import { formatBytes } from '../../src/cli/print';

describe('a number of bytes for people', () => {
  it.each([
    [0, '0 bytes'],
    [512, '512 bytes'],
    [1000, '1000 bytes'],
    [4096, '4 KiB'],
    [1_474_560, '1.41 MiB'],
    [1023.5 * 1024, '1 MiB'],
    [64 * 1024 ** 2, '64 MiB'],
    [63.94 * 1024 ** 3, '63.9 GiB'],
    [5000 * 1024 ** 5, '5000 PiB'],
  ])('%d is %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

describe('a field for people', () => {
  it.each([
    ['i_mode', 2, 0o100644, 'i_mode = 33188 = 0x81a4'],
    ['i_flags', 4, 0x80000, 'i_flags = 524288 = 0x00080000'],
    ['DIR_WrtDate', 2, 0x585d, 'DIR_WrtDate = 22621 = 0x585d'],
    ['s_wtime', 4, 0, 's_wtime = 0 = 0x00000000'],
    ['i_links_count', 2, 3, 'i_links_count = 3'],
    ['s_checksum_type', 1, 1, 's_checksum_type = 1'],
    ['s_volume_name', 16, 'a\x1b', 's_volume_name = a\\x1b'],
  ])('%s', (name, length, value, text) => {
    expect(formatField({ name, length, value, offset: 0, meaning: '' })).toBe(text);
  });
});
