import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FreeSpaceBuilder } from '../../src/filesystem/free-space';
import { FreeExtentList } from '../../src/session/free-extent-list';

/** Free extents of these lengths, with one used unit between them. */
function list(lengths: readonly number[]): FreeExtentList {
  const free = new FreeSpaceBuilder();
  let at = 2;
  for (const length of lengths) {
    free.add(at, length);
    at += length + 1;
  }
  return new FreeExtentList(free.build());
}

const all = { minimum: 0, sort: 'place', descending: false, start: 0, count: 1000 } as const;

describe('the list of free extents', () => {
  const extents = list([3, 70_000, 1, 3, 5_000_000_000, 70_000]);

  it('comes by place', () => {
    const page = extents.page(all);
    expect(page.extents.map(([, length]) => length)).toEqual([3, 70_000, 1, 3, 5e9, 70_000]);
    expect(page.extents[1]).toEqual([6, 70_000]);
    expect(extents.page({ ...all, descending: true, count: 1 }).extents).toEqual([
      [page.extents[5][0], 70_000],
    ]);
  });

  it('comes by length, those of equal length by place', () => {
    const page = extents.page({ ...all, sort: 'length' });
    expect(page.extents.map(([, length]) => length)).toEqual([1, 3, 3, 70_000, 70_000, 5e9]);
    expect(page.extents[1][0]).toBe(2);
    const longest = extents.page({ ...all, sort: 'length', descending: true, start: 1, count: 2 });
    expect(longest).toMatchObject({ total: 6, start: 1 });
    expect(longest.extents.map(([, length]) => length)).toEqual([70_000, 70_000]);
  });

  it('leaves out the short ones', () => {
    expect(extents.page({ ...all, minimum: 4 }).extents.map(([, length]) => length)).toEqual([
      70_000, 5e9, 70_000,
    ]);
    const page = extents.page({ ...all, minimum: 70_001, sort: 'length' });
    expect(page).toMatchObject({ total: 1, start: 0 });
    expect(page.extents[0][1]).toBe(5e9);
  });

  it('has pages only where there are extents', () => {
    expect(extents.page({ ...all, start: 5, count: 10 }).extents).toHaveLength(1);
    expect(extents.page({ ...all, start: 99 })).toEqual({ total: 6, start: 6, extents: [] });
    expect(list([]).page({ ...all, sort: 'length' })).toEqual({ total: 0, start: 0, extents: [] });
  });

  it('sorts as a plain sort does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 2 ** 40 })), fc.nat(), (lengths, minimum) => {
        const page = list(lengths).page({ ...all, sort: 'length', minimum });
        expect(page.extents.map(([, length]) => length)).toEqual(
          lengths.filter((length) => length >= minimum).sort((a, b) => a - b),
        );
      }),
      { numRuns: 30 },
    );
  });
});
