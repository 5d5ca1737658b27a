import { describe, expect, it } from 'vitest';
import { parsePattern } from '../../../webview/structures/byte-pattern';

describe('parsePattern', () => {
  it('takes text as UTF-8, or as UTF-16 in little-endian order', () => {
    expect(parsePattern('Aä', 'text')).toEqual(Uint8Array.of(0x41, 0xc3, 0xa4));
    expect(parsePattern('A€', 'utf16')).toEqual(Uint8Array.of(0x41, 0, 0xac, 0x20));
  });

  it('takes hexadecimal digits however they are set apart', () => {
    for (const typed of ['53ef', '53 EF', '0x53, 0xef', ' 5 3 e f ']) {
      expect(parsePattern(typed, 'hex')).toEqual(Uint8Array.of(0x53, 0xef));
    }
  });

  it('says what is wrong', () => {
    expect(parsePattern('', 'text')).toMatch(/nothing/);
    expect(parsePattern(' ', 'hex')).toMatch(/nothing/);
    expect(parsePattern('53 e', 'hex')).toMatch(/two digits/);
    expect(parsePattern('53 eg', 'hex')).toMatch(/“g”/);
    expect(parsePattern('x'.repeat(5000), 'text')).toMatch(/4096/);
  });
});
