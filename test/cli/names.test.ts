import { describe, expect, it } from 'vitest';
import { printableName, printablePath } from '../../src/cli/names';

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('a name in plain output', () => {
  it.each([
    ['plain.txt', 'plain.txt'],
    ['Größe-日本語.txt', 'Größe-日本語.txt'],
    ['new\nline', 'new\\x0aline'],
    ['new\\x0aline', 'new\\\\x0aline'],
  ])('%j is %s', (name, shown) => {
    expect(printableName(name)).toBe(shown);
  });

  it('has the bytes that are no text as escapes', () => {
    const bytes = Buffer.from([0x61, 0xff, 0xc3, 0xb6, 0xe6, 0x97, 0x5c, 0xf0, 0x9f, 0x98, 0x80]);
    expect(printableName(bytes.toString(), hexOf(bytes))).toBe('a\\xffö\\xe6\\x97\\\\😀');
    expect(printableName('a\ufffdb', hexOf(Buffer.from('a/b')))).toBe('a\\x2fb');
  });

  it('stays what it is where its bytes are those of FAT', () => {
    expect(printableName('_EADME.TXT', hexOf(Buffer.from('\xe5EADME  TXT', 'latin1')))).toBe(
      '_EADME.TXT',
    );
  });

  it('ends a path', () => {
    expect(printablePath('/a\\b/\ufffd', '\ufffd', 'fe')).toBe('/a\\\\b/\\xfe');
    expect(printablePath('/readme', 'README')).toBe('/readme');
  });
});
