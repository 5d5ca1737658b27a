import { describe, expect, it } from 'vitest';
import { CodePage } from '../../../src/fat/code-pages';
import { acceptName, nameKey } from '../../../src/fat/edit/names';
import { shortForm, shortNameBytes } from '../../../src/fat/edit/short-name-maker';
import { refusalOf } from './editing';

const text = (raw: Uint8Array) => String.fromCharCode(...raw);

function shortOf(name: string, codePage = 437) {
  const form = shortForm(name, new CodePage(codePage));
  return form && [text(shortNameBytes(form)), form.fits, form.caseFlags];
}

describe('a short name', () => {
  it.each([
    ['FILE.TXT', 'FILE    TXT', true, 0],
    ['file.txt', 'FILE    TXT', true, 0x18],
    ['file.TXT', 'FILE    TXT', true, 0x08],
    ['FILE.txt', 'FILE    TXT', true, 0x10],
    ['12345678', '12345678   ', true, 0],
    ['a1_{}$.~', 'A1_{}$  ~  ', true, 0x08],
    ['File.txt', 'FILE    TXT', true, undefined],
    ['a b.txt', 'AB      TXT', false, undefined],
    ['a.b.c', 'AB      C  ', false, undefined],
    ['.profile', 'PROFILE    ', false, undefined],
    ['. .x.y', 'X       Y  ', false, undefined],
    ['a+b=[c];,', 'A_B__C__   ', false, undefined],
    ['longfilename.text', 'LONGFILETEX', false, undefined],
    ['ninechars', 'NINECHAR   ', false, undefined],
    ['trailing ', 'TRAILING   ', false, undefined],
    ['日本', '__         ', false, undefined],
  ])('of %j is %j', (name, raw, fits, caseFlags) => {
    expect(shortOf(name)).toEqual([raw, fits, caseFlags]);
  });

  it.each([
    ['ä.txt', 850, '\x8e       TXT', true],
    ['ß', 850, '\xe1          ', true],
    ['ÿ', 850, '\x98          ', true], // no upper case in the code page
    ['õx', 850, '\x05X         ', true], // E5 would mean deleted
    ['õx', 437, '_X         ', false],
    ['日本', 932, '\x93\xfa\x96\x7b       ', true],
    ['日本日本日', 932, '\x93\xfa\x96\x7b\x93\xfa\x96\x7b   ', false],
  ])('of %j in code page %i has bytes of it', (name, codePage, raw, fits) => {
    expect(shortOf(name, codePage)).toEqual([raw, fits, undefined]);
  });

  it.each([' ', '. .', ' . '])('cannot be made of %j', (name) => {
    expect(shortOf(name)).toBeUndefined();
  });

  it.each([
    ['longfilename.text', '~1', 'LONGFI~1TEX'],
    ['longfilename.text', '~123', 'LONG~123TEX'],
    ['ab c', '~7', 'ABC~7      '],
    ['日本日本日', '~1', '\x93\xfa\x96\x7b\x93\xfa~1   '],
    ['a日本日本', '~1', 'A\x93\xfa\x96\x7b~1    '], // no half of a character is left
  ])('of %j with %j ends in that', (name, tail, raw) => {
    const form = shortForm(name, new CodePage(932));
    expect(form && text(shortNameBytes(form, tail))).toBe(raw);
  });
});

describe('a name', () => {
  it.each([
    '',
    '.',
    '..',
    '...',
    'a/b',
    'a\\b',
    'a:b',
    'a*',
    'a?',
    '"',
    '<',
    '>',
    '|',
    'a\0',
    '\n',
  ])('%j is refused', (name) => {
    expect(refusalOf(() => acceptName(name))).toBe('usage');
  });

  it('has at most 255 UTF-16 units', () => {
    expect(acceptName('x'.repeat(255)).name).toHaveLength(255);
    expect(acceptName('🎈'.repeat(127)).name).toHaveLength(254);
    expect(refusalOf(() => acceptName('🎈'.repeat(128)))).toBe('usage');
  });

  it.each([
    ['name', 'name', 0],
    ['name..', 'name', 1],
    ['name ', 'name ', 1],
    ['con', 'con', 1],
    ['Com1.txt', 'Com1.txt', 1],
    ['icon', 'icon', 0],
    ['com0', 'com0', 0],
  ])('%j is stored as %j with %i notes', (given, stored, notes) => {
    const accepted = acceptName(given);
    expect(accepted.name).toBe(stored);
    expect(accepted.notes).toHaveLength(notes);
  });

  it('is the same in another case, unit by unit', () => {
    expect(nameKey('Grüße')).toBe(nameKey('grÜße'));
    expect(nameKey('straße')).not.toBe(nameKey('STRASSE'));
  });
});
