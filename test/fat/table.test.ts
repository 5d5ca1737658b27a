import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBootSector } from '../../src/fat/boot-sector';
import { FatTable } from '../../src/fat/table';
import { FatImage } from './fat-image';

const clustersOf = { 12: 3000, 16: 5000, 32: 5000 };

function tableOf(image: FatImage): FatTable {
  const boot = readBootSector(image.volume());
  if (!boot) throw new Error('no boot sector');
  return new FatTable(image.volume(), boot);
}

function scanned(table: FatTable): number[] {
  const all: number[] = [];
  table.scan((first, values) => {
    expect(first).toBe(all.length + 2);
    for (const value of values) all.push(value);
    return false;
  });
  return all;
}

describe('the table', () => {
  it('reads entries of FAT12 that straddle a sector', () => {
    const image = new FatImage({ bits: 12, clusters: 700 });
    image.entry(341, 0x123); // bytes 511 and 512 of the FAT
    image.entry(340, 0xfff);
    image.entry(342, 0xfff);
    const table = tableOf(image);
    expect(table.entryOffset(341)).toBe(512 + 511);
    expect(table.reader()(341)).toBe(0x123);
    image.entry(341, 0xabc);
    expect(table.reader()(341)).toBe(0xabc);
    expect(table.reader()(340)).toBe(0xfff);
    expect(table.reader()(342)).toBe(0xfff);
  });

  it.each([12, 16, 32] as const)('gives FAT%i the same by entry, in bulk and by hand', (bits) => {
    const most = { 12: 0xfff, 16: 0xffff, 32: 0x0fffffff }[bits];
    const clusters = clustersOf[bits];
    const image = new FatImage({ bits, clusters });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 2, max: clusters + 1 }), fc.nat(most)), {
          minLength: 1,
          maxLength: 40,
        }),
        (writes) => {
          const expected = new Map(writes);
          for (const [cluster, value] of expected) image.entry(cluster, value);
          const table = tableOf(image);
          const read = table.reader();
          const all = scanned(table);
          expect(all).toHaveLength(clusters);
          for (const [cluster, value] of expected) {
            expect(read(cluster)).toBe(value);
            expect(all[cluster - 2]).toBe(value);
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it('streams a large FAT32 in chunks that join', () => {
    const image = new FatImage({ bits: 32, clusters: 600_000 });
    for (const cluster of [2, 262_145, 262_146, 262_147, 524_289, 524_290, 600_001]) {
      image.entry(cluster, cluster + 7);
    }
    const all = scanned(tableOf(image));
    expect(all).toHaveLength(600_000);
    const used = all.flatMap((value, i) => (value ? [[i + 2, value]] : []));
    expect(used).toEqual(
      [2, 262_145, 262_146, 262_147, 524_289, 524_290, 600_001].map((at) => [at, at + 7]),
    );
  });

  it('takes 28 bits of an entry on FAT32', () => {
    const image = new FatImage({ bits: 32 });
    image.entry(9, 0xf0000000);
    image.entry(10, 0xa0000009);
    const table = tableOf(image);
    expect(table.meaning(table.reader()(9))).toBe('free');
    expect(table.reader()(10)).toBe(9);
    expect(scanned(table).slice(7, 9)).toEqual([0, 9]);
  });

  it.each([
    [12, 0xff7, 0xff8, 0xfff],
    [16, 0xfff7, 0xfff8, 0xffff],
    [32, 0x0ffffff7, 0x0ffffff8, 0x0fffffff],
  ] as const)('knows the marks of FAT%i', (bits, bad, firstEnd, lastEnd) => {
    const table = tableOf(new FatImage({ bits, clusters: clustersOf[bits] }));
    expect(table.meaning(0)).toBe('free');
    expect(table.meaning(1)).toBe('out-of-range');
    expect(table.meaning(2)).toBe('next');
    expect(table.meaning(clustersOf[bits] + 1)).toBe('next');
    expect(table.meaning(clustersOf[bits] + 2)).toBe('out-of-range');
    expect(table.meaning(bad - 1)).toBe('out-of-range');
    expect(table.meaning(bad)).toBe('bad');
    for (let mark = firstEnd; mark <= lastEnd; mark++) expect(table.meaning(mark)).toBe('end');
  });

  it('reads the active FAT where mirroring is off', () => {
    const image = new FatImage({ bits: 32, fats: 3 });
    image.entry(5, 111, 0);
    image.entry(5, 222, 1);
    image.entry(5, 333, 2);
    const active = (flags: number) => {
      image.view.setUint16(40, flags, true);
      return tableOf(image).reader()(5);
    };
    expect(active(0x0000)).toBe(111);
    expect(active(0x0002)).toBe(111); // bit 7 is clear: the number means nothing
    expect(active(0x0081)).toBe(222);
    expect(active(0x0082)).toBe(333);
    expect(active(0x0083)).toBe(111); // there is no fourth FAT
    image.view.setUint16(40, 0x0082, true);
    expect(image.open().facts.notes.join()).toContain('only number 2 is active');
    expect(tableOf(image).reader(1)(5)).toBe(222);
  });

  it('finds what leads to a cluster', () => {
    const image = new FatImage({ bits: 12 });
    image.chain(10, 20, 15);
    expect(tableOf(image).predecessor(15)).toBe(20);
    expect(tableOf(image).predecessor(10)).toBeUndefined();
  });
});

describe('the state of a volume', () => {
  const stateOf = (bits: 12 | 16 | 32, entry: number, dirty: number) => {
    const image = new FatImage({ bits });
    image.entry(1, entry);
    image.view.setUint8(bits === 32 ? 65 : 37, dirty);
    const { state, notes } = image.open().facts;
    return [state, ...notes.map((note) => note.split(' says ')[0])];
  };

  it('is kept in FAT[1] and in the boot sector, and both are shown', () => {
    const count =
      'It has 5000 clusters, which makes it FAT16 by their count; it is read as FAT32, as Linux does.';
    expect(stateOf(16, 0xffff, 0)).toEqual(['clean']);
    expect(stateOf(16, 0x7fff, 0)).toEqual(['not clean', 'FAT[1]']);
    expect(stateOf(16, 0xbfff, 0)).toEqual(['has errors', 'FAT[1]']);
    expect(stateOf(16, 0xffff, 1)).toEqual(['not clean', 'The boot sector']);
    expect(stateOf(16, 0xffff, 2)).toEqual(['has errors', 'The boot sector']);
    expect(stateOf(16, 0x7fff, 1)).toEqual(['not clean', 'The boot sector', 'FAT[1]']);
    expect(stateOf(32, 0x0fffffff, 0)).toEqual(['clean', count]);
    expect(stateOf(32, 0x07ffffff, 0)).toEqual(['not clean', count, 'FAT[1]']);
    expect(stateOf(32, 0x0bffffff, 3)).toEqual([
      'has errors',
      count,
      'The boot sector',
      'The boot sector',
      'FAT[1]',
    ]);
  });

  it('has no room in FAT[1] of FAT12', () => {
    expect(stateOf(12, 0x000, 0)).toEqual(['clean']);
    expect(stateOf(12, 0x000, 1)).toEqual(['not clean', 'The boot sector']);
  });

  it('is not read from boot code that is older than the dirty byte', () => {
    const image = new FatImage({ bits: 12 });
    image.view.setUint8(37, 0xff);
    image.view.setUint8(38, 0);
    expect(image.open().facts).toMatchObject({ state: 'clean', uuid: '', label: '' });
  });
});

describe('free space', () => {
  it.each([12, 16, 32] as const)('of FAT%i is what its entries say', (bits) => {
    const clusters = clustersOf[bits];
    const image = new FatImage({ bits, clusters });
    image.chain(2, 3, 4);
    image.entry(10, { 12: 0xff7, 16: 0xfff7, 32: 0x0ffffff7 }[bits]);
    image.entry(clusters + 1, 0x0fffffff);
    const free = image.open().freeSpace();
    expect([...free.starts]).toEqual([5, 11]);
    expect([...free.lengths]).toEqual([5, clusters - 10]);
    expect(free.total).toBe(clusters - 5);
  });

  it('does not reach past the last cluster', () => {
    const image = new FatImage({ bits: 12, clusters: 100 });
    const free = image.open().freeSpace();
    expect([[...free.starts], [...free.lengths]]).toEqual([[2], [100]]);
  });

  it('joins what chunks divide', () => {
    const image = new FatImage({ bits: 32, clusters: 600_000 });
    const free = image.open().freeSpace();
    expect([[...free.starts], [...free.lengths]]).toEqual([[3], [599_999]]);
  });

  it('tells how far it is', () => {
    const image = new FatImage({ bits: 32, clusters: 150_000 });
    const seen: [number, number][] = [];
    image.open().freeSpace({ report: (done, total) => seen.push([done, total]) });
    expect(seen).toEqual([0, 65_536, 131_072].map((done) => [done, 150_000]));
  });

  it.each([
    [1234, 1234],
    [0, 0],
    [5000, 5000],
    [5001, null],
    [0xffffffff, null],
  ])('is said to be %i by FSInfo and taken for %s', (said, taken) => {
    const image = new FatImage({ bits: 32, clusters: 5000 });
    image.fsInfo(said, 3);
    expect(image.open().facts.freeBlocks).toBe(taken);
  });

  it('is unknown where FSInfo is absent or spoilt', () => {
    const image = new FatImage({ bits: 32 });
    image.fsInfo(77, 3);
    image.view.setUint16(48, 0, true); // number 0 is read as 1
    expect(image.open().facts.freeBlocks).toBe(77);
    image.view.setUint16(48, 0xffff, true);
    expect(image.open().facts.freeBlocks).toBeNull();
    expect(image.open().facts.notes.join()).toContain('no FSInfo');
    image.view.setUint16(48, 1, true);
    image.view.setUint32(512, 0, true);
    expect(image.open().facts.freeBlocks).toBeNull();
    expect(image.open().facts.notes.join()).toContain('signatures are wrong');
    expect(new FatImage({ bits: 16 }).open().facts.freeBlocks).toBeNull();
  });
});
