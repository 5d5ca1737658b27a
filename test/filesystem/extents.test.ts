import { describe, expect, it } from 'vitest';
import {
  appendExtent,
  countFragments,
  findExtent,
  type Extent,
} from '../../src/filesystem/extents';

describe('extents', () => {
  it('join where one continues the other, in the file and on the volume', () => {
    const extents: Extent[] = [];
    appendExtent(extents, { logical: 0, physical: 100, length: 2 });
    appendExtent(extents, { logical: 2, physical: 102, length: 3 });
    appendExtent(extents, { logical: 5, physical: 105, length: 1, unwritten: true });
    appendExtent(extents, { logical: 6, physical: 200, length: 1 });
    appendExtent(extents, { logical: 8, physical: 201, length: 1 });
    expect(extents).toEqual([
      { logical: 0, physical: 100, length: 5 },
      { logical: 5, physical: 105, length: 1, unwritten: true },
      { logical: 6, physical: 200, length: 1 },
      { logical: 8, physical: 201, length: 1 },
    ]);
  });

  it('count as one fragment while the volume goes on, holes and unwritten parts aside', () => {
    expect(countFragments([])).toBe(0);
    expect(
      countFragments([
        { logical: 0, physical: 10, length: 2 },
        { logical: 2, physical: 12, length: 2, unwritten: true },
        { logical: 9, physical: 14, length: 1 },
        { logical: 10, physical: 30, length: 1 },
      ]),
    ).toBe(2);
  });

  it('are found by the logical unit they hold, or else the next one is', () => {
    const extents = [
      { logical: 0, physical: 10, length: 2 },
      { logical: 5, physical: 20, length: 3 },
    ];
    expect([0, 1, 2, 4, 5, 7, 8].map((unit) => findExtent(extents, unit))).toEqual([
      0, 0, 1, 1, 1, 1, 2,
    ]);
  });
});
