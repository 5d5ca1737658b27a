import { describe, expect, it } from 'vitest';
import type { EntryTable } from '../../src/filesystem/entry-table';
import { ImageError } from '../../src/image/errors';
import { CodePage } from '../../src/fat/code-pages';
import { lostFirstByte, shortNameChecksum } from '../../src/fat/short-names';
import { checksum, deleted, FatImage, long, short, type SlotOptions } from './fat-image';

/** The names that a root directory with these slots lists. */
function listed(slots: Uint8Array[], options: { deleted?: boolean; codePage?: number } = {}) {
  const image = new FatImage({ bits: 12 });
  image.slots(image.rootStart, ...slots);
  const fileSystem = image.open({ codePage: options.codePage });
  return fileSystem.entries(fileSystem.root, options);
}
const names = (table: EntryTable) => Array.from({ length: table.length }, (_, i) => table.name(i));
const codes = (table: EntryTable) => table.problems.map(({ code }) => code);

describe('short names', () => {
  const shown = (name: string | number[], options: SlotOptions = {}, codePage?: number) => {
    const table = listed([short(name, options)], { codePage });
    return [table.name(0), table.nameHex(0)];
  };

  it.each([
    ['FILE    TXT', 'FILE.TXT'],
    ['FILE       ', 'FILE'],
    ['A B C   D E', 'A B C.D E'],
    ['12345678123', '12345678.123'],
    ['lower   txt', 'lower.txt'],
  ])('%j is %j', (name, expected) => {
    expect(shown(name)).toEqual([expected, undefined]);
  });

  it('show base and extension in the case of their flags', () => {
    expect(shown('README  TXT', { caseFlags: 0x18 })[0]).toBe('readme.txt');
    expect(shown('README  TXT', { caseFlags: 0x08 })[0]).toBe('readme.TXT');
    expect(shown('README  TXT', { caseFlags: 0x10 })[0]).toBe('README.txt');
    expect(shown('README  TXT', { caseFlags: 0xe7 })[0]).toBe('README.TXT');
    expect(shown([0x43, 0x41, 0x46, 0x90, ...spaces(7)], { caseFlags: 0x18 })[0]).toBe('café');
  });

  it('are bytes of a code page that can be chosen', () => {
    const name = [0x80, 0x8e, 0xe1, ...spaces(8)];
    expect(shown(name, {}, 437)).toEqual(['ÇÄß', undefined]);
    expect(shown(name, {}, 850)).toEqual(['ÇÄß', undefined]);
    expect(shown(name, {}, 866)).toEqual(['АОс', undefined]);
    expect(shown([0x9b, ...spaces(10)], {}, 437)[0]).toBe('¢');
    expect(shown([0x9b, ...spaces(10)], {}, 850)[0]).toBe('ø');
    expect(shown([0x9b, ...spaces(10)], {}, 852)[0]).toBe('Ť');
    const kanji = [0x93, 0xfa, 0x96, 0x7b, ...spaces(4), ...'TXT'].map((c) =>
      typeof c === 'string' ? c.charCodeAt(0) : c,
    );
    expect(shown(kanji, {}, 932)).toEqual(['日本.TXT', undefined]);
  });

  it('refuse a code page that is not known', () => {
    expect(() => new CodePage(12345)).toThrow(ImageError);
  });

  it('start with a real E5 where the byte is 05', () => {
    const table = listed([short([0x05, 0x41, ...spaces(9)])]);
    expect([names(table), table.isDeleted(0)]).toEqual([['σA'], false]);
    expect(shown([0x05, 0x9c, ...spaces(9)], {}, 932)[0]).toBe('蝨');
  });

  it('keep the bytes that are no text', () => {
    const raw = [0x41, 0x81, ...spaces(9)]; // half of a character
    expect(shown(raw, {}, 932)).toEqual(['A\ufffd', '4181202020202020202020']);
    const slash = ['A/B     ', 'TXT'].join('');
    expect(shown(slash)).toEqual(['A\ufffdB.TXT', '412f422020202020545854']);
    expect(shown([...spaces(11)])).toEqual(['\ufffd', '2020202020202020202020']);
  });

  it('have a checksum that gives a lost first byte back', () => {
    for (const name of ['FILE    TXT', 'Z       ', '\u00e5BCDEFGHIJK']) {
      const raw = short(name.padEnd(11));
      expect(shortNameChecksum(raw)).toBe(checksum([...raw.subarray(0, 11)]));
      const lost = deleted(raw)[0];
      expect(lostFirstByte(lost, 0, shortNameChecksum(raw))).toBe(raw[0]);
    }
  });
});

describe('long names', () => {
  const alias = 'LONGNA~1TXT';
  const entry = short(alias, { size: 5 });

  it.each([
    'a',
    'Exactly13char',
    'Fourteen chars',
    'Exactly twenty-six letters',
    'n'.repeat(255),
    'Grüße 日本語 🎈.txt',
    '  spaces and. dots. ',
  ])('spell %j', (name) => {
    const table = listed([...long(name, alias), entry]);
    expect(names(table)).toEqual([name]);
    expect(table.nameHex(0)).toBeUndefined();
    expect(table.problems).toEqual([]);
  });

  it('stand beside short ones without names of their own', () => {
    const first = long('first file.txt', 'FIRSTF~1TXT');
    const second = long('second file.txt', 'SECOND~1TXT');
    const table = listed([
      short('BEFORE     '),
      ...first,
      short('FIRSTF~1TXT'),
      ...second,
      short('SECOND~1TXT'),
      short('AFTER      '),
    ]);
    expect(names(table)).toEqual(['BEFORE', 'first file.txt', 'second file.txt', 'AFTER']);
    expect(table.problems).toEqual([]);
  });

  it('keep units that are no text', () => {
    const table = listed([...long('x\ud800y', alias), entry]);
    expect(names(table)).toEqual(['x\ufffdy']);
    expect(table.nameHex(0)).toBe('780000d87900');
  });

  it('never hold a slash', () => {
    const table = listed([...long('a/../b', alias), entry]);
    expect(names(table)).toEqual(['a\ufffd..\ufffdb']);
    expect(table.nameHex(0)).toBe('61002f002e002e002f006200');
  });

  const group = () => long('a name of three slots, or so.txt', alias);
  const broken: [string, () => Uint8Array[], string[], string[]][] = [
    ['another checksum', () => [...group(), short('OTHER   TXT')], ['OTHER.TXT'], ['checksum']],
    ['a missing middle', () => [group()[0], group()[2], entry], ['LONGNA~1.TXT'], ['gap', 'gap']],
    ['a missing end', () => [...group().slice(1), entry], ['LONGNA~1.TXT'], ['gap']],
    ['a missing beginning', () => [...group().slice(0, 2), entry], ['LONGNA~1.TXT'], ['gap']],
    ['reversed order', () => [...group().reverse(), entry], ['LONGNA~1.TXT'], ['gap', 'gap']],
    ['nothing behind', () => group(), [], ['orphan']],
    [
      'a deleted slot behind',
      () => [...group(), ...deleted(entry), short('NEXT       ')],
      ['NEXT'],
      ['orphan'],
    ],
    [
      'a label behind',
      () => [...group(), short('LABEL      ', { attributes: 8 }), short('NEXT       ')],
      ['NEXT'],
      ['orphan'],
    ],
    [
      'another group behind',
      () => [...group(), ...long('whole.text', alias), entry],
      ['whole.text'],
      ['orphan'],
    ],
    [
      'a checksum that changes within',
      () => {
        const slots = group();
        slots[1][13] ^= 1;
        return [...slots, entry];
      },
      ['LONGNA~1.TXT'],
      ['gap', 'gap'],
    ],
    [
      'too high an order',
      () => {
        const slots = long('x', alias);
        slots[0][0] = 0x40 | 21;
        return [...slots, entry];
      },
      ['LONGNA~1.TXT'],
      ['gap'],
    ],
    [
      'an order of 0',
      () => {
        const slots = long('x', alias);
        slots[0][0] = 0x40;
        return [...slots, entry];
      },
      ['LONGNA~1.TXT'],
      ['gap'],
    ],
  ];
  it.each(broken)('with %s leave the short name and flag the slots', (_, slots, left, states) => {
    const table = listed(slots());
    expect(names(table)).toEqual(left);
    expect(codes(table)).toEqual(states.map((state) => `long-name-${state}`));
    expect(table.problems[0]).toMatchObject({ severity: 'error', length: 32, fixable: true });
  });

  it('are flagged where they lie', () => {
    const image = new FatImage({ bits: 12, before: 4096 });
    const [, at] = image.slots(image.rootStart, short('FIRST      '), ...group());
    const fileSystem = image.open();
    expect(fileSystem.entries(0).problems).toMatchObject([
      { code: 'long-name-orphan', offset: 4096 + at },
    ]);
  });

  it('are told by the whole attribute byte', () => {
    // Label bit among others: what mistakes it for a long slot, or a long slot for a label, is wrong.
    const odd = short('ODDLABEL   ', { attributes: 0x2f });
    const table = listed([odd, ...long('a long name', alias), entry]);
    expect(names(table)).toEqual(['a long name']);
    expect(table.problems).toEqual([]);
  });
});

describe('deleted names', () => {
  const alias = 'DELETE~1TXT';
  const all = { deleted: true };

  it('are listed on demand only', () => {
    const slots = [short('KEPT       '), ...deleted(short('GONE    TXT'))];
    expect(names(listed(slots))).toEqual(['KEPT']);
    const table = listed(slots, all);
    expect(names(table)).toEqual(['KEPT', '_ONE.TXT']);
    expect([table.isDeleted(0), table.isDeleted(1)]).toEqual([false, true]);
    expect(table.nameHex(1)).toBe('e54f4e4520202020545854');
  });

  it.each(['Deleted long name.txt', 'Deleted13char', 'd'.repeat(255)])(
    'are spelt by their long slots: %j',
    (name) => {
      const table = listed(deleted(...long(name, alias), short(alias)), all);
      expect(names(table)).toEqual([name]);
      expect(table.problems).toEqual([]);
    },
  );

  it('do not take the long slots of a neighbour', () => {
    const slots = deleted(
      ...long('the first of two names', 'THEFIR~1   '),
      short('THEFIR~1   '),
      ...long('the second', 'THESEC~1   '),
      short('THESEC~1   '),
      short('THIRD      '),
    );
    expect(names(listed(slots, all))).toEqual(['the first of two names', 'the second', '_HIRD']);
  });

  it('do not take long slots that are another name by their checksum', () => {
    const elsewhere = long('belongs elsewhere', 'BELONG~1   ');
    const slots = deleted(...elsewhere, short('OWNNAME    '));
    expect(names(listed(slots, all))).toEqual(['_WNNAME']);
    // The name that it would have to be starts otherwise than the long one.
    const first = lostFirstByte(slots[2], 0, elsewhere[0][13]);
    expect(String.fromCharCode(first)).not.toBe('B');
  });

  it.each([
    ['.profile', 'PROFIL~1   '],
    [' leading space', 'LEADIN~1   '],
    ['über', 'BER~1      '],
    ['+plus', '_PLUS~1    '],
  ])('trust long names that start with what short ones leave out: %j', (name, alias) => {
    expect(names(listed(deleted(...long(name, alias), short(alias)), all))).toEqual([name]);
  });

  it('are not seen in long slots, labels and what a formatter filled', () => {
    const slots = [
      ...deleted(...long('orphaned long slots', alias)),
      ...deleted(short('LABEL      ', { attributes: 8 })),
      new Uint8Array(32).fill(0xe5),
      ...deleted(new Uint8Array(32)),
      short('LAST       '),
    ];
    expect(names(listed(slots, all))).toEqual(['LAST']);
  });
});

function spaces(count: number): number[] {
  return Array.from({ length: count }, () => 0x20);
}
