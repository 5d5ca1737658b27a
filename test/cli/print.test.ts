import { describe, expect, it } from 'vitest';
import { formatField } from '../../src/cli/fields';

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
