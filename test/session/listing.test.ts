import { describe, expect, it } from 'vitest';
import type { EntryRow, ListQuery } from '../../src/session/answers';
import { Listing } from '../../src/session/listing';
import { ImageError } from '../../src/image/errors';
import { directory, file, rootId, TreeFileSystem, type TreeNode } from './support/tree-filesystem';

const everything: Omit<ListQuery, 'volume' | 'directory'> = {
  deleted: false,
  filter: '',
  sort: 'name',
  descending: false,
  start: 0,
  count: 1000,
};

function open(nodes: Record<number, TreeNode>, deleted = false) {
  const fileSystem = new TreeFileSystem(nodes);
  const listing = new Listing(fileSystem, fileSystem.entries(rootId, { deleted }));
  const page = (query: Partial<ListQuery> = {}) =>
    listing.page({ volume: 0, directory: rootId, ...everything, ...query });
  return { fileSystem, listing, page };
}

const names = (rows: readonly EntryRow[]) => rows.map(({ name }) => name);

const at = (seconds: number, nanoseconds = 0) => ({ modified: { seconds, nanoseconds } });
const mixed = {
  [rootId]: directory({ file10: 10, b: 11, file9: 12, A: 13, a: 14, File1: 15, z: 16 }),
  10: file('aaaa', { ...at(30), mode: 0o100644, number: 4 }),
  11: directory({}, { ...at(20), mode: 0o40755, size: 1024, number: 1 }),
  12: file('aa', { ...at(10, 5), mode: 0o100600, number: 6 }),
  13: file('aaaaaaa', { ...at(10), mode: 0o100755, number: 2 }),
  14: file('aa', { mode: 0o100644, number: 7 }),
  15: file('', { ...at(40), mode: 0o100640, number: 5 }),
  16: directory({}, { ...at(50), mode: 0o40700, size: 4096, number: 3 }),
};

describe('a listing', () => {
  it('has directories first, then files in the order people count in', () => {
    const { page } = open(mixed);
    expect(names(page().rows)).toEqual(['b', 'z', 'a', 'A', 'File1', 'file9', 'file10']);
    expect(names(page({ descending: true }).rows)).toEqual([
      'z',
      'b',
      'file10',
      'file9',
      'File1',
      'A',
      'a',
    ]);
  });

  it('keeps the order of the disk when that is asked for', () => {
    const { page } = open(mixed);
    const order = ['file10', 'b', 'file9', 'A', 'a', 'File1', 'z'];
    expect(names(page({ sort: 'disk' }).rows)).toEqual(order);
    expect(names(page({ sort: 'disk', descending: true }).rows)).toEqual(order.toReversed());
  });

  it.each<[ListQuery['sort'], string[]]>([
    ['size', ['b', 'z', 'File1', 'a', 'file9', 'file10', 'A']],
    ['modified', ['b', 'z', 'a', 'A', 'file9', 'file10', 'File1']],
    ['mode', ['z', 'b', 'file9', 'File1', 'a', 'file10', 'A']],
  ])('sorts by %s, equal rows by name', (sort, expected) => {
    expect(names(open(mixed).page({ sort }).rows)).toEqual(expected);
  });

  it('sorts by the number that people call an entry by', () => {
    const { rows } = open(mixed).page({ sort: 'number' });
    expect(names(rows)).toEqual(['b', 'z', 'file10', 'file9', 'A', 'a', 'File1']);
  });

  it('sorts by attributes where there is no mode', () => {
    const { page } = open({
      [rootId]: directory({ a: 10, b: 11, c: 12 }),
      10: file('', { attributes: ['system'] }),
      11: file('', { attributes: [] }),
      12: file('', { attributes: ['hidden'] }),
    });
    expect(names(page({ sort: 'mode' }).rows)).toEqual(['b', 'c', 'a']);
  });

  it('filters without regard to case, and counts what it left', () => {
    const found = open(mixed).page({ filter: 'FILE1' });
    expect(found).toMatchObject({ total: 7, matched: 2, start: 0 });
    expect(names(found.rows)).toEqual(['File1', 'file10']);
  });

  it('answers one window, and one within bounds when the window lies outside', () => {
    const { page } = open(mixed);
    expect(names(page({ start: 2, count: 2 }).rows)).toEqual(['a', 'A']);
    expect(page({ start: 2, count: 2 })).toMatchObject({ start: 2, total: 7, matched: 7 });
    expect(page({ start: 99, count: 2 })).toMatchObject({ start: 7, rows: [] });
    expect(page({ start: -5, count: 1 }).start).toBe(0);
  });

  it('tells where a name or a node stands', () => {
    const { listing } = open(mixed);
    expect(listing.rowOfPrefix(everything, 'FI', 0)).toBe(4);
    expect(listing.rowOfPrefix(everything, 'fi', 5)).toBe(5);
    expect(listing.rowOfPrefix(everything, 'a', 4)).toBe(2);
    expect(listing.rowOfPrefix(everything, 'nothing', 0)).toBe(-1);
    expect(listing.rowOfNode(everything, 10)).toBe(6);
    expect(listing.rowOfNode({ ...everything, filter: 'b' }, 10)).toBe(-1);
  });
});

describe('a listing of what is not whole', () => {
  const broken = {
    [rootId]: {
      type: 'directory' as const,
      entries: [
        { name: 'gone', node: 99, type: 'file' as const },
        { name: Uint8Array.of(0x66, 0xff), node: 10 },
        { name: 'live', node: 10 },
        { name: 'live', node: 10, deleted: true },
      ],
    },
    10: file('abc'),
  };

  it('says why a node cannot be read', () => {
    const { rows } = open(broken).page({ filter: 'gone' });
    expect(rows).toMatchObject([
      { name: 'gone', type: 'file', size: 0, problem: 'There is no node 99.', fragments: null },
    ]);
    expect(names(open(broken).page({ sort: 'size' }).rows)[0]).toBe('gone');
  });

  it('keeps the bytes of a name that is no text', () => {
    expect(open(broken).page({ filter: 'f\ufffd' }).rows).toMatchObject([
      { name: 'f\ufffd', nameHex: '66ff' },
    ]);
  });

  it('does not give a deleted name what another file says of itself', () => {
    const taken = {
      [rootId]: {
        type: 'directory' as const,
        entries: [{ name: 'old', node: 10, type: 'file' as const, deleted: true }],
      },
      10: { type: 'directory' as const, links: 2, mode: 0o40755, size: 4096 },
    };
    const [row] = open(taken, true).page({}).rows;
    expect(row).toMatchObject({ name: 'old', type: 'file', size: 0, deleted: true });
    expect(row.problem).toBe('Inode 10 is in use, by another name or another file.');
    expect(row).not.toHaveProperty('mode');
  });

  it('has deleted entries when they are wanted, and means the live one by a name', () => {
    const { page, listing } = open(broken, true);
    const { rows } = page({ filter: 'live', sort: 'disk' });
    expect(rows).toMatchObject([
      { deleted: false, fragments: 0 },
      { deleted: true, fragments: null },
    ]);
    expect(listing.find('live')).toBe(2);
    expect(listing.rowOfNode({ ...everything, sort: 'disk', descending: true }, 10)).toBe(1);
  });

  it('asks the node where the record has no type', () => {
    const { page } = open({
      [rootId]: {
        type: 'directory',
        entries: [
          { name: 'a', node: 10, type: 'unknown' },
          { name: 'b', node: 11, type: 'unknown' },
          { name: 'c', node: 99, type: 'unknown' },
        ],
      },
      10: file(''),
      11: directory({}),
    });
    expect(page().rows.map(({ name, type }) => [name, type])).toEqual([
      ['b', 'directory'],
      ['a', 'file'],
      ['c', 'unknown'],
    ]);
  });
});

describe('a listing of 50,000 entries', () => {
  const many: Record<number, TreeNode> = {};
  const ids: Record<string, number> = {};
  for (let i = 0; i < 50_000; i++) {
    ids[`file-${(i * 7919) % 50_000}.txt`] = 100 + i;
    many[100 + i] = file('', { size: (i * 31) % 1000 });
  }
  many[rootId] = directory(ids);

  it('reads only the nodes of the window when it is sorted by name or place', () => {
    const { fileSystem, page } = open(many);
    expect(names(page({ start: 2, count: 3 }).rows)).toEqual([
      'file-2.txt',
      'file-3.txt',
      'file-4.txt',
    ]);
    page({ sort: 'disk', start: 40_000, count: 40 });
    page({ filter: '77', count: 7 });
    expect(fileSystem.asked.node).toBe(3 + 40 + 7);
  });

  it('reads each node once when it is sorted by size, whatever is asked next', () => {
    const { fileSystem, page } = open(many);
    const { rows } = page({ sort: 'size', descending: true, count: 50 });
    expect(rows.every(({ size }) => size === 999)).toBe(true);
    page({ sort: 'size', start: 25_000, count: 50 });
    page({ sort: 'modified', count: 50 });
    expect(fileSystem.asked.node).toBe(50_000 + 150);
  });

  it('can be given up while its nodes are read', () => {
    const { listing, fileSystem } = open(many);
    const query = { volume: 0, directory: rootId, ...everything, sort: 'size' as const };
    const progress = {
      report: (done: number, total: number) => {
        expect(total).toBe(50_000);
        if (done > 10_000) throw new ImageError('cancelled', 'Enough.');
      },
    };
    expect(() => listing.page(query, progress)).toThrow('Enough.');
    expect(fileSystem.asked.node).toBeLessThan(12_000);
    expect(listing.page(query).matched).toBe(50_000);
  });
});
