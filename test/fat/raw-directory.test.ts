import { describe, expect, it } from 'vitest';
import type { DirectoryRecord, RawDirectory } from '../../src/filesystem/raw-directory';
import { checksum, date, deleted, dots, FatImage, long, short, time } from './fat-image';

const all = (raw: RawDirectory) => raw.blocks.flatMap((_, block) => raw.records(block));
const states = (records: DirectoryRecord[]) => records.map(({ state }) => state);

/** The records of a root directory with these slots, up to the one behind the last. */
function rootRecords(...slots: Uint8Array[]): DirectoryRecord[] {
  const image = new FatImage({ bits: 12, before: 8192 });
  image.slots(image.rootStart, ...slots);
  return all(image.open().rawDirectory(0)).slice(0, slots.length + 1);
}

describe('the slots of a directory', () => {
  const alias = 'ALONGN~1TXT';

  it('are what they are by their bytes', () => {
    const records = rootRecords(
      short('A LONGLABEL', { attributes: 0x08 }),
      ...long('a long name.txt', alias),
      short(alias, { cluster: 7, size: 1234, written: [date(2011, 3, 5), time(7, 9, 12)] }),
      ...deleted(short('GONE       ', { cluster: 9, size: 5 })),
      short('SUB        ', { attributes: 0x11, cluster: 8 }),
    );
    expect(states(records)).toEqual(['label', 'long', 'long', 'short', 'deleted', 'short', 'end']);
    expect(records.map(({ name }) => name)).toEqual([
      'A LONGLABEL',
      'xt',
      'a long name.t',
      'ALONGN~1.TXT',
      '_ONE',
      'SUB',
      '',
    ]);
    expect(records.map(({ length, used }) => [length, used])).toEqual([
      ...Array<number[]>(4).fill([32, 32]),
      [32, 0],
      [32, 32],
      [32, 0],
    ]);
    expect(records.every(({ problem }) => problem === undefined)).toBe(true);
    expect(records[0].values).toEqual({ attributes: 'volume-label', modified: '' });
    expect(records[1].values).toEqual({ order: 2, checksum: checksum(alias) });
    expect(records[2].values).toEqual({ order: 1, checksum: checksum(alias) });
    expect(records[3].values).toEqual({
      attributes: 'archive',
      firstCluster: 7,
      size: 1234,
      modified: '2011-03-05T07:09:12Z',
      longName: 'a long name.txt',
      checksum: checksum(alias),
    });
    expect(records[4]).toMatchObject({ nameHex: 'e54f4e4520202020202020' });
    expect(records[5].values).toMatchObject({ attributes: 'directory read-only', modified: '' });
  });

  it('lie where they lie, and lead to their nodes', () => {
    const image = new FatImage({ bits: 12, before: 8192 });
    const places = image.slots(
      image.rootStart,
      ...long('a long name.txt', alias),
      short(alias),
      ...deleted(short('GONE       ')),
      short('LABEL      ', { attributes: 8 }),
    );
    const fileSystem = image.open();
    const records = all(fileSystem.rawDirectory(0)).slice(0, 5);
    expect(records.map(({ offset }) => offset)).toEqual(places.map((place) => 8192 + place));
    expect(records.map(({ node }) => node)).toEqual([
      undefined,
      undefined,
      places[2],
      places[3],
      undefined,
    ]);
    const tied = 8192 + places[2];
    expect(records.map(({ partOf }) => partOf)).toEqual([tied, tied, ...Array(3).fill(undefined)]);
    expect(fileSystem.entries(0, { deleted: true }).nodes).toEqual(
      Float64Array.of(places[2], places[3]),
    );
  });

  it('past the end mark are apart, whatever they hold', () => {
    const records = rootRecords(
      short('BEFORE     '),
      new Uint8Array(32),
      short('BEHIND     ', { cluster: 5, size: 5 }),
      ...deleted(short('GONE       ')),
      new Uint8Array(32),
      ...long('behind', alias),
    );
    expect(states(records)).toEqual([
      'short',
      'end',
      'unreachable',
      'unreachable',
      'free',
      'unreachable',
      'free',
    ]);
    expect(records[2]).toMatchObject({ name: 'BEHIND', used: 0 });
    expect(records[2].node).toBeUndefined();
    expect(records[2].values).toMatchObject({ firstCluster: 5, size: 5 });
    expect(records[5].name).toBe('behind');
  });

  it('tie deleted long names to their deleted short one', () => {
    const slots = deleted(...long('a long name.txt', alias), short(alias));
    const records = rootRecords(...slots);
    expect(states(records)).toEqual(['deleted', 'deleted', 'deleted', 'end']);
    expect(records[0].partOf).toBe(records[2].offset);
    expect(records[2].values.longName).toBe('a long name.txt');
    expect(records[0].values).toEqual({ checksum: checksum(alias) });
  });

  const group = () => long('a name of three slots, or so.txt', alias);
  it.each<[string, Uint8Array[], number, string]>([
    ['a gap', [group()[0], group()[2], short(alias)], 0, 'missing or out of order'],
    ['an orphan', [...group(), new Uint8Array(32)], 2, 'No short name follows'],
    [
      'a wrong checksum',
      [...group(), short('OTHER      ')],
      1,
      `checksum ${checksum(alias).toString(16)}, but that of the short name behind it is ${checksum(
        'OTHER      ',
      ).toString(16)}`,
    ],
    ['a file without a cluster', [short('FILE       ', { size: 1 })], 0, 'needs a first cluster'],
    [
      'a cluster out of range',
      [short('FILE       ', { cluster: 102, size: 1 })],
      0,
      'from 2 to 101',
    ],
    [
      'a directory with a size',
      [short('SUB        ', { attributes: 0x10, cluster: 3, size: 1 })],
      0,
      'size of a directory must be 0',
    ],
    [
      'a directory without a cluster',
      [short('SUB        ', { attributes: 0x10 })],
      0,
      'must have a first cluster',
    ],
    ['a dot in the root', [dots(2, 0)[0]], 0, 'only stand at the start of a subdirectory'],
  ])('name the rule that is violated by %s', (_, slots, index, rule) => {
    expect(rootRecords(...slots)[index].problem).toContain(rule);
  });

  it('must start with . and .. in a subdirectory', () => {
    const problems = (...slots: Uint8Array[]) => {
      const image = new FatImage({ bits: 12 });
      image.chain(5);
      image.slots(image.rootStart, short('SUB        ', { attributes: 0x10, cluster: 5 }));
      image.slots(image.cluster(5), ...slots);
      const records = image.open().rawDirectory(image.rootStart).records(0);
      return records.map(({ problem }) => problem).filter(Boolean);
    };
    expect(problems(...dots(5, 0), short('FILE       '))).toEqual([]);
    expect(problems(...dots(5, 0).reverse())).toEqual([
      'The first slot must be `.`.',
      'The second slot must be `..`.',
    ]);
    expect(problems(dots(5, 0)[0], short('FILE       '))).toEqual([
      'The second slot must be `..`.',
    ]);
    expect(problems(...dots(5, 0), dots(5, 0)[0])).toHaveLength(1);
  });
});

describe('the blocks of a raw directory', () => {
  it('are the clusters of its chain', () => {
    const image = new FatImage({ bits: 32, sectorsPerCluster: 2, before: 512 });
    image.chain(2, 9, 4);
    const { blocks } = image.open().rawDirectory(0);
    expect(blocks).toEqual(
      [2, 9, 4].map((unit, logical) => ({
        unit,
        logical,
        offset: 512 + image.cluster(unit),
        length: 1024,
      })),
    );
  });

  it('of the fixed root are pieces of its region', () => {
    const image = new FatImage({ bits: 16, rootEntries: 4096 + 16 });
    const { blocks } = image.open().rawDirectory(0);
    expect(blocks).toEqual([
      { unit: null, logical: 0, offset: image.rootStart, length: 65_536 },
      { unit: null, logical: 1, offset: image.rootStart + 65_536, length: 65_536 },
      { unit: null, logical: 2, offset: image.rootStart + 131_072, length: 512 },
    ]);
  });

  it('know the long names and the end mark of the blocks before', () => {
    const image = new FatImage({ bits: 12 });
    image.chain(5, 40, 6);
    image.slots(image.rootStart, short('SUB        ', { attributes: 0x10, cluster: 5 }));
    const name = 'n'.repeat(200);
    const slots = [...dots(5, 0), ...long(name, 'NNNNNN~1   '), short('NNNNNN~1   ')];
    image.slots(image.cluster(5), ...slots.slice(0, 16));
    image.slots(image.cluster(40), ...slots.slice(16));
    image.slots(image.cluster(6), short('BEHIND     '));
    const raw = image.open().rawDirectory(image.rootStart);
    const named = image.cluster(40) + 32 * (slots.length - 17);
    expect(raw.records(0)[2]).toMatchObject({ state: 'long', partOf: named });
    expect(raw.records(1).find(({ state }) => state === 'short')?.values.longName).toBe(name);
    expect(raw.records(2)[0].state).toBe('unreachable');
    expect(raw.records(2)[1].state).toBe('free');
    expect(raw.problems).toEqual([]);
    expect(raw.index).toEqual([]);
  });

  it('come with what is wrong with the chain', () => {
    const image = new FatImage({ bits: 12 });
    image.chain(5, 6, 5);
    image.slots(image.rootStart, short('SUB        ', { attributes: 0x10, cluster: 5 }));
    const raw = image.open().rawDirectory(image.rootStart);
    expect(raw.blocks).toHaveLength(2);
    expect(raw.problems).toMatchObject([{ code: 'chain-loops' }]);
  });

  it('are refused for a file', () => {
    const image = new FatImage({ bits: 12 });
    image.slots(image.rootStart, short('FILE       '));
    expect(() => image.open().rawDirectory(image.rootStart)).toThrow('not a directory');
  });
});
