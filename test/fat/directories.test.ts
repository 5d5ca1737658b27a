import { describe, expect, it } from 'vitest';
import { openFat } from '../../src/fat/fat-filesystem';
import type { EntryTable } from '../../src/filesystem/entry-table';
import { date, deleted, dots, FatImage, long, short, time } from './fat-image';

const directory = { attributes: 0x10 };
const names = (table: EntryTable) => Array.from({ length: table.length }, (_, i) => table.name(i));
const codes = (problems: readonly { code: string }[]) => problems.map(({ code }) => code);

describe('a directory', () => {
  it('ends at its end mark; what lies past it is no entry', () => {
    const image = new FatImage({ bits: 12 });
    image.slots(
      image.rootStart,
      short('SHOWN      '),
      new Uint8Array(32),
      ...long('hidden', 'HIDDEN     '),
      short('HIDDEN     '),
    );
    expect(names(image.open().entries(0, { deleted: true }))).toEqual(['SHOWN']);
    expect(image.open().entries(0).problems).toEqual([]);
  });

  it('past the end of the image is not taken for an empty one', () => {
    const fixed = new FatImage({ bits: 16 });
    const shortOf = (image: FatImage, length: number) =>
      codes(openFat(image.volume(image.before + length)).entries(0).problems);
    expect(shortOf(fixed, fixed.rootStart)).toEqual(['content-beyond-image']);
    const chained = new FatImage({ bits: 32, clusters: 66_000 });
    expect(shortOf(chained, chained.cluster(2))).toEqual(['content-beyond-image']);
    expect(codes(chained.open().entries(0).problems)).toEqual([]);
  });

  it('may have no end mark', () => {
    const image = new FatImage({ bits: 12, rootEntries: 16 });
    const slots = Array.from({ length: 16 }, (_, i) => short(`FILE${i}`.padEnd(11)));
    image.slots(image.rootStart, ...slots);
    expect(image.open().entries(0).length).toBe(16);
  });

  it('gives each entry its place, cluster and type', () => {
    const image = new FatImage({ bits: 16, before: 1024 });
    image.chain(7);
    image.slots(
      image.rootStart,
      short('LABEL      ', { attributes: 0x08 }),
      short('SUB        ', { ...directory, cluster: 7 }),
      short('FILE       ', { cluster: 0x1234, size: 3 }),
      short('EMPTY      '),
    );
    image.slots(image.cluster(7), ...dots(7, 0));
    const table = image.open().entries(0);
    expect(names(table)).toEqual(['SUB', 'FILE', 'EMPTY']);
    expect([0, 1, 2].map((i) => table.type(i))).toEqual(['directory', 'file', 'file']);
    expect([...table.numbers]).toEqual([7, 0x1234, 0]);
    const places = [1, 2, 3].map((i) => image.rootStart + 32 * i);
    expect([...table.nodes]).toEqual(places);
    expect([...table.offsets]).toEqual(places.map((place) => 1024 + place));
  });

  it.each([12, 16] as const)('ignores the high word of a cluster on FAT%i', (bits) => {
    const image = new FatImage({ bits });
    image.slots(image.rootStart, short('FILE       ', { cluster: 0xabcd0009, size: 1 }));
    const fileSystem = image.open();
    expect(fileSystem.entries(0).numbers[0]).toBe(9);
    expect(fileSystem.node(image.rootStart).number).toBe(9);
  });

  it('takes both words of a cluster on FAT32', () => {
    const image = new FatImage({ bits: 32, clusters: 70_000 });
    image.slots(image.cluster(2), short('FILE       ', { cluster: 66_000, size: 512 }));
    image.chain(66_000);
    image.fill(image.cluster(66_000), 512, 0x77);
    const fileSystem = image.open();
    expect(fileSystem.entries(0).numbers[0]).toBe(66_000);
    const bytes = new Uint8Array(512);
    fileSystem.content(image.cluster(2)).read(0, bytes);
    expect(bytes.every((byte) => byte === 0x77)).toBe(true);
  });

  it('lists neither . nor .., and `..` of a child of the root has cluster 0', () => {
    const image = new FatImage({ bits: 32, rootCluster: 9 });
    image.slots(image.cluster(9), short('SUB        ', { ...directory, cluster: 10 }));
    image.chain(10);
    image.slots(image.cluster(10), ...dots(10, 0), short('.HIDDEN    '), short('..X        '));
    const fileSystem = image.open();
    expect(names(fileSystem.entries(image.cluster(9)))).toEqual(['.HIDDEN', '..X']);
    expect(fileSystem.entries(image.cluster(9)).problems).toEqual([]);
  });

  it('has the size of its chain, whatever its size field says', () => {
    const image = new FatImage({ bits: 12, sectorsPerCluster: 4 });
    image.chain(5, 9, 6);
    image.slots(image.rootStart, short('SUB        ', { ...directory, cluster: 5, size: 77 }));
    const fileSystem = image.open();
    const id = image.rootStart;
    expect(fileSystem.node(id)).toMatchObject({ type: 'directory', size: 6144 });
    const content = fileSystem.content(id);
    expect([content.size, content.allocated]).toEqual([6144, 6144]);
    expect(content.extents).toEqual([
      { logical: 0, physical: 5, length: 1 },
      { logical: 1, physical: 9, length: 1 },
      { logical: 2, physical: 6, length: 1 },
    ]);
  });

  it('reads over clusters in the order of the chain', () => {
    const image = new FatImage({ bits: 12 });
    image.chain(5, 40, 6);
    image.slots(image.rootStart, short('SUB        ', { ...directory, cluster: 5 }));
    const fill = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, i) => short(`${prefix}${i}`.padEnd(11)));
    image.slots(image.cluster(5), ...dots(5, 0), ...fill('A', 14));
    image.slots(image.cluster(40), ...fill('B', 16));
    image.slots(image.cluster(6), ...fill('C', 3));
    const table = image.open().entries(image.rootStart);
    expect(table.length).toBe(33);
    expect([table.name(13), table.name(14), table.name(30)]).toEqual(['A13', 'B0', 'C0']);
    expect(table.nodes[30]).toBe(image.cluster(6));
  });

  it('joins a long name over the border of clusters', () => {
    const image = new FatImage({ bits: 12 });
    image.chain(5, 40, 6);
    image.slots(image.rootStart, short('SUB        ', { ...directory, cluster: 5 }));
    const name = 'z'.repeat(255);
    const slots = [...dots(5, 0), ...long(name, 'ZZZZZZ~1   '), short('ZZZZZZ~1   ')];
    image.slots(image.cluster(5), ...slots.slice(0, 16));
    image.slots(image.cluster(40), ...slots.slice(16));
    const fileSystem = image.open();
    const table = fileSystem.entries(image.rootStart);
    expect(names(table)).toEqual([name]);
    const structures = fileSystem.structures(table.nodes[0]);
    expect(structures).toHaveLength(21);
    expect(structures[0]).toMatchObject({ kind: 'short slot', offset: image.cluster(40) + 6 * 32 });
    expect(structures[1]).toMatchObject({ kind: 'long name slot', name: 'part 1 of a long name' });
    expect(structures[20].offset).toBe(image.cluster(5) + 2 * 32);
    const spelt = structures
      .slice(1)
      .flatMap(({ fields }) =>
        fields.filter((field) => field.name.startsWith('LDIR_Name')).map(({ value }) => value),
      );
    expect(spelt.join('')).toBe(name);
  });

  const broken: [string, (image: FatImage) => void, string, number][] = [
    ['loops', (image) => image.chain(5, 6, 7, 6), 'chain-loops', 7],
    ['leads to itself', (image) => image.chain(5, 5), 'chain-loops', 5],
    ['runs into a free cluster', (image) => image.entry(5, 6), 'chain-runs-into-free', 6],
    ['leaves the volume', (image) => image.entry(5, 0xfee), 'chain-leaves-volume', 5],
    [
      'runs into a bad cluster',
      (image) => {
        image.entry(5, 6);
        image.entry(6, 0xff7);
      },
      'chain-runs-into-bad',
      6,
    ],
  ];
  it.each(broken)('whose chain %s ends, and is still read', (_, spoil, code, cluster) => {
    const image = new FatImage({ bits: 12 });
    image.slots(image.rootStart, short('SUB        ', { ...directory, cluster: 5 }));
    image.slots(image.cluster(5), ...dots(5, 0), short('INSIDE     '));
    for (const other of [6, 7]) image.slots(image.cluster(other), short('MORE       '));
    const inUse = Array.from({ length: 13 }, (_, i) => short(`F${i}`.padEnd(11)));
    image.slots(image.cluster(5) + 96, ...inUse);
    spoil(image);
    const table = image.open().entries(image.rootStart);
    expect(table.name(0)).toBe('INSIDE');
    expect(table.problems).toMatchObject([{ code, cluster, severity: 'error' }]);
  });

  it.each([
    [0, 'chain-starts-at-zero'],
    [1, 'chain-starts-out-of-range'],
    [102, 'chain-starts-out-of-range'],
  ])('that starts at cluster %i is empty', (cluster, code) => {
    const image = new FatImage({ bits: 12 });
    image.slots(image.rootStart, short('SUB        ', { ...directory, cluster }));
    const table = image.open().entries(image.rootStart);
    expect([table.length, codes(table.problems)]).toEqual([0, [code]]);
  });

  it('holds 65,536 slots at most', () => {
    const image = new FatImage({ bits: 16, sectorsPerCluster: 1, clusters: 5000 });
    image.slots(image.rootStart, short('SUB        ', { ...directory, cluster: 2 }));
    image.chain(...Array.from({ length: 4097 }, (_, i) => i + 2));
    const fileSystem = image.open();
    expect(fileSystem.node(image.rootStart).size).toBe(65_536 * 32);
    expect(codes(fileSystem.entries(image.rootStart).problems)).toEqual(['chain-too-long']);
    image.entry(4097, 0xffff); // one cluster less is just allowed
    expect(codes(image.open().entries(image.rootStart).problems)).toEqual([]);
  });

  it('of root on FAT32 says where its chain is broken', () => {
    const image = new FatImage({ bits: 32, rootCluster: 99_999 });
    image.entry(2, 0);
    expect(image.open().entries(0).problems).toMatchObject([
      { code: 'chain-starts-out-of-range', offset: 44, length: 4 },
    ]);
    expect(image.open().facts.label).toBe('');
  });
});

describe('a deleted directory', () => {
  const buried = (spoil: (image: FatImage) => void = () => undefined) => {
    const image = new FatImage({ bits: 12 });
    const slots = [
      ...deleted(...long('buried folder', 'BURIED~1   '), short('BURIED~1   ', dir(20))),
      short('FILE       '),
    ];
    image.slots(image.rootStart, ...slots);
    image.slots(image.cluster(20), ...dots(20, 0), ...deleted(short('INSIDE     ', { size: 3 })));
    const rest = Array.from({ length: 13 }, (_, i) => short(`F${i}`.padEnd(11)));
    image.slots(image.cluster(20) + 96, ...rest);
    image.slots(image.cluster(21), short('SECOND     '), new Uint8Array(32), short('PAST       '));
    spoil(image);
    return image;
  };
  const dir = (cluster: number) => ({ ...directory, cluster });
  const id = (image: FatImage) => image.rootStart + 32;

  it('is listed as far as it can be told, all of it as deleted', () => {
    const image = buried();
    const fileSystem = image.open();
    const root = fileSystem.entries(0, { deleted: true });
    expect(names(root)).toEqual(['buried folder', 'FILE']);
    expect([root.isDeleted(0), root.type(0), root.nodes[0]]).toEqual([
      true,
      'directory',
      id(image),
    ]);
    const table = fileSystem.entries(id(image), { deleted: true });
    expect([table.length, table.name(0), table.name(14)]).toEqual([15, '_NSIDE', 'SECOND']);
    expect(names(table).every((_, i) => table.isDeleted(i))).toBe(true);
    expect(codes(table.problems)).toEqual(['deleted-directory']);
    expect(table.problems[0].severity).toBe('note');
  });

  it('shows nothing where deleted names are not wanted', () => {
    const image = buried();
    expect(image.open().entries(id(image)).length).toBe(0);
  });

  it('ends where a cluster is in use again', () => {
    const image = buried((it) => it.chain(21));
    expect(image.open().entries(id(image), { deleted: true }).length).toBe(14);
  });

  it.each<[string, (image: FatImage) => void]>([
    ['is in use again', (image) => image.chain(20)],
    ['holds something else', (image) => image.fill(image.cluster(20), 512, 0x41)],
    ['belongs to another directory', (image) => image.slots(image.cluster(20), ...dots(21, 0))],
  ])('is empty where its first cluster %s', (_, spoil) => {
    const image = buried(spoil);
    const table = image.open().entries(id(image), { deleted: true });
    expect(table.length).toBe(0);
    expect(table.problems[0].message).toContain('no longer its own');
  });
});

describe('what a slot says of its node', () => {
  const node = (...options: Parameters<typeof short>) => {
    const image = new FatImage({ bits: 12, before: 512 });
    image.slots(image.rootStart, short(...options));
    return image.open().node(image.rootStart);
  };

  it('attributes by name', () => {
    expect(node('FILE       ', { attributes: 0x27 }).attributes).toEqual([
      'read-only',
      'hidden',
      'system',
      'archive',
    ]);
    expect(node('FILE       ', { attributes: 0 }).attributes).toEqual([]);
  });

  it('times, as if they were UTC', () => {
    const found = node('FILE       ', {
      written: [date(2011, 3, 5), time(7, 9, 12)],
      created: [date(1980, 1, 1), time(0, 0, 0), 199],
      accessed: date(2107, 12, 31),
    });
    expect(found.modified).toEqual({
      seconds: Date.UTC(2011, 2, 5, 7, 9, 12) / 1000,
      nanoseconds: 0,
    });
    expect(found.created).toEqual({ seconds: Date.UTC(1980, 0, 1) / 1000 + 1, nanoseconds: 99e7 });
    expect(found.accessed).toEqual({ seconds: Date.UTC(2107, 11, 31) / 1000, nanoseconds: 0 });
  });

  it.each([
    [0, 0],
    [date(2020, 0, 1), 0],
    [date(2020, 13, 1), 0],
    [date(2020, 1, 0), 0],
    [date(2021, 2, 29), 0],
    [date(2020, 4, 31), 0],
    [date(2020, 1, 1), time(24, 0, 0)],
    [date(2020, 1, 1), time(0, 60, 0)],
    [date(2020, 1, 1), 30],
    [0xffff, 0xffff],
  ])('no time where %i %i is none', (written, at) => {
    expect(node('FILE       ', { written: [written, at] }).modified).toBeNull();
  });

  it('29 February of a leap year', () => {
    const found = node('FILE       ', { written: [date(2020, 2, 29), time(23, 59, 58)] });
    expect(found.modified?.seconds).toBe(Date.UTC(2020, 1, 29, 23, 59, 58) / 1000);
  });

  it('no owner, mode or links, which FAT does not have', () => {
    const found = node('FILE       ', { size: 0xffffffff });
    expect(found.size).toBe(0xffffffff);
    expect([found.mode, found.uid, found.links, found.changed]).toEqual(Array(4).fill(undefined));
  });
});

describe('the label', () => {
  const labelOf = (boot: string, ...root: Uint8Array[]) => {
    const image = new FatImage({ bits: 16 });
    image.text(43, boot.padEnd(11));
    image.slots(image.rootStart, ...root);
    return image.open().facts.label;
  };
  const slot = (text: string | number[], attributes = 0x08) =>
    short(typeof text === 'string' ? text.padEnd(11) : text, { attributes });

  it('of the root goes before the one of the boot sector', () => {
    expect(labelOf('BOOT', slot('ROOT'))).toBe('ROOT');
    expect(labelOf('BOOT', short('FILE       '), slot('lower case', 0x28))).toBe('lower case');
    expect(labelOf('BOOT')).toBe('BOOT');
  });

  it('NO NAME is none', () => {
    expect(labelOf('NO NAME')).toBe('');
    expect(labelOf('BOOT', slot('NO NAME'))).toBe('');
    expect(labelOf('NO NAME', slot('ROOT'))).toBe('ROOT');
    expect(labelOf('')).toBe('');
  });

  it('is not a long slot, a deleted one, a directory, or past the end mark', () => {
    const name = long('looks like a label', 'LOOKSL~1   ');
    expect(labelOf('BOOT', ...name, short('LOOKSL~1   '))).toBe('BOOT');
    expect(labelOf('BOOT', ...deleted(slot('GONE')))).toBe('BOOT');
    expect(labelOf('BOOT', slot('FOLDER', 0x18))).toBe('BOOT');
    expect(labelOf('BOOT', new Uint8Array(32), slot('PAST'))).toBe('BOOT');
    expect(labelOf('BOOT', ...name, short('LOOKSL~1   '), slot('REAL'))).toBe('REAL');
  });

  it('is text of the code page', () => {
    expect(labelOf('', slot([0x05, 0x84, ...Array<number>(9).fill(0x20)]))).toBe('σä');
  });
});
