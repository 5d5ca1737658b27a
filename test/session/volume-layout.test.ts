import { describe, expect, it, vi } from 'vitest';
import { roles } from '../../src/filesystem/ownership';
import type { DirectoryRecord } from '../../src/filesystem/raw-directory';
import { ImageError } from '../../src/image/errors';
import { VolumeLayout } from '../../src/session/volume-layout';
import { FakeFileSystem } from './support/fake-filesystem';

const record = (offset: number): DirectoryRecord => ({
  offset,
  length: 12,
  used: 9,
  state: 'live',
  name: 'a',
  values: { inode: 12 },
});

/** Blocks 1 to 100: a bitmap, a file in two pieces, a free extent, and blocks nobody owns. */
function open() {
  const fileSystem = new FakeFileSystem({
    offset: 10_240,
    nodes: {
      2: {
        type: 'directory',
        entries: [
          { name: 'f', node: 12 },
          { name: 'g', node: 12 },
        ],
      },
      8: { type: 'file', extents: [{ logical: 0, physical: 50, length: 2 }] },
      12: {
        type: 'file',
        extents: [
          { logical: 0, physical: 40, length: 4 },
          { logical: 4, physical: 20, length: 4 },
        ],
      },
    },
    structures: [[1, 3, 'bitmap']],
    free: [
      [60, 30],
      [95, 6],
    ],
    blocks: [[record(0)], [record(1024)], [record(2048), record(2060)]],
  });
  const freeExtents = vi.fn((progress?: Parameters<typeof fileSystem.freeSpace>[0]) =>
    fileSystem.freeSpace(progress),
  );
  return { fileSystem, layout: new VolumeLayout(fileSystem, freeExtents), freeExtents };
}

const wholeMap = { volume: 0, first: 1, units: 100, cells: 10, highlight: null };
const total = (totals: Float64Array, role: (typeof roles)[number]) => totals[roles.indexOf(role)];

describe('the records of a directory', () => {
  it('are given by blocks', () => {
    const { layout, fileSystem } = open();
    expect(layout.rawDirectory(2)).toMatchObject({
      columns: [{ key: 'inode' }],
      blocks: [{ offset: 0 }, { offset: 1024 }, { offset: 2048 }],
      index: [],
      problems: [],
    });
    expect(layout.records(2, 1, 1)).toEqual([[record(1024)]]);
    expect(layout.records(2, 1, 9)).toEqual([[record(1024)], [record(2048), record(2060)]]);
    expect(layout.records(2, 3, 9)).toEqual([]);
    expect(layout.records(2, 30, 9)).toEqual([]);
    expect(fileSystem.asked.rawDirectory).toBe(1);
    expect(structuredClone(layout.rawDirectory(2))).toEqual(layout.rawDirectory(2));
  });

  it('are those of directories only', () => {
    expect(() => open().layout.records(12, 0, 1)).toThrow('no directory');
  });
});

describe('the map', () => {
  it('tells structures and free space first, and owners when they have been found', () => {
    const { layout, fileSystem } = open();
    const before = layout.spaceMap(wholeMap);
    expect(before.hasOwners).toBe(false);
    expect(total(before.totals, 'bitmap')).toBe(3);
    expect(total(before.totals, 'free')).toBe(36);
    expect(total(before.totals, 'allocated')).toBe(61);
    layout.spaceMap({ ...wholeMap, first: 30 });
    expect(fileSystem.asked).toMatchObject({ freeSpace: 1, metadata: 1, ownership: 0, entries: 0 });

    layout.findOwners();
    const after = layout.spaceMap(wholeMap);
    expect(after.hasOwners).toBe(true);
    expect(total(after.totals, 'file')).toBe(10);
    expect(total(after.totals, 'lost')).toBe(51);
    expect(total(after.totals, 'allocated')).toBe(0);
    expect(total(after.totals, 'free')).toBe(36);
  });

  it('highlights the content of a node', () => {
    const map = open().layout.spaceMap({ ...wholeMap, highlight: 12 });
    expect([...(map.highlighted ?? [])]).toEqual([0, 26, 77, 26, 77, 0, 0, 0, 0, 0]);
  });

  it('is drawn all the same where the highlighted node cannot be read', () => {
    const map = open().layout.spaceMap({ ...wholeMap, highlight: 99 });
    expect([...(map.highlighted ?? [])]).toEqual(Array(10).fill(0));
    expect(total(map.totals, 'free')).toBe(36);
  });
});

describe('looking for owners', () => {
  it('is done once', () => {
    const { layout, fileSystem } = open();
    layout.findOwners();
    layout.findOwners();
    expect(fileSystem.asked).toMatchObject({ ownership: 1, entries: 1 });
  });

  it('tells its progress over all of its parts', () => {
    const report = vi.fn();
    open().layout.findOwners({ report });
    expect(report.mock.calls).toEqual([
      [0, 1000],
      [500, 1000],
      [666, 1000],
    ]);
  });

  it('keeps what was found before it was cancelled', () => {
    const { layout, fileSystem } = open();
    const report = (done: number) => {
      if (done === 666) throw new ImageError('cancelled', 'The work was cancelled.');
    };
    expect(() => layout.findOwners({ report })).toThrow('cancelled');
    layout.findOwners();
    expect(fileSystem.asked).toMatchObject({ ownership: 1, entries: 1 });
  });
});

describe('the owner of a unit', () => {
  it('is a structure, or not known before it has been looked for', () => {
    const { layout, fileSystem } = open();
    expect(layout.owner(2)).toEqual({
      start: 1,
      length: 3,
      offset: 10_240 + 1024,
      role: 'bitmap',
      name: 'bitmap at 1',
    });
    expect(layout.owner(41)).toMatchObject({ start: 4, length: 56, role: 'allocated' });
    expect(fileSystem.asked).toMatchObject({ ownership: 0, entries: 0 });
  });

  it('is a node with all of its paths', () => {
    const { layout } = open();
    layout.findOwners();
    expect(layout.owner(22)).toEqual({
      start: 20,
      length: 4,
      offset: 10_240 + 20 * 1024,
      role: 'file',
      name: '/f',
      node: 12,
      number: 12,
      paths: ['/f', '/g'],
      logical: 4,
    });
  });

  it('has the name of its structure where no path leads to it', () => {
    const { layout } = open();
    layout.findOwners();
    expect(layout.owner(50)).toMatchObject({ name: 'inode 8', node: 8, paths: [] });
    expect(layout.owner(50)).not.toHaveProperty('markedFree');
  });

  it('is nobody where the unit is free or lost', () => {
    const { layout } = open();
    layout.findOwners();
    expect(layout.owner(95)).toMatchObject({ start: 95, length: 6, role: 'free', name: 'free' });
    expect(layout.owner(94)).toMatchObject({ start: 90, length: 5, role: 'lost' });
    expect(layout.owner(94)).not.toHaveProperty('node');
  });

  it('are told where the bitmap has them free all the same', () => {
    const fileSystem = new FakeFileSystem({
      nodes: { 12: { type: 'file', extents: [{ logical: 0, physical: 40, length: 4 }] } },
      structures: [],
      free: [[42, 59]],
    });
    const layout = new VolumeLayout(fileSystem, () => fileSystem.freeSpace());
    layout.findOwners();
    expect(layout.owner(41)).not.toHaveProperty('markedFree');
    expect(layout.owner(42)).toMatchObject({ node: 12, markedFree: true });
    expect(layout.owner(60)).not.toHaveProperty('markedFree');
  });

  it('is not asked of units that the volume does not have', () => {
    const { layout } = open();
    expect(() => layout.owner(0)).toThrow('There is no block 0: they run from 1 to 100.');
    expect(() => layout.owner(101)).toThrow('There is no block 101');
    expect(() => layout.owner(NaN)).toThrow('There is no block NaN');
  });
});

describe('the path of the root', () => {
  it('is known without a walk', () => {
    const { layout, fileSystem } = open();
    expect(layout.pathsOf(2)).toEqual(['/']);
    expect(fileSystem.asked.entries).toBe(0);
  });
});

describe('the free extents', () => {
  it('come in pages', () => {
    const { layout, freeExtents } = open();
    const query = { minimum: 0, sort: 'length', descending: true, start: 0, count: 9 } as const;
    expect(layout.freeExtentPage(query).extents).toEqual([
      [60, 30],
      [95, 6],
    ]);
    layout.freeExtentPage({ ...query, minimum: 7 });
    expect(freeExtents).toHaveBeenCalledTimes(1);
  });
});
