import { expect, it } from 'vitest';
import type { ContentMap, MapPiece } from '../../../src/ext/edit/content-map';
import { writtenRange } from '../../../src/ext/edit/unwritten';

/** A map of blocks of 4 KiB: written ones, 100 unwritten ones, a hole, and 20 unwritten ones. */
const layout: readonly MapPiece[] = [
  { logical: 0, physical: 1000, length: 50 },
  { logical: 50, physical: 2000, length: 100, unwritten: true },
  { logical: 150, physical: 0, length: 50 },
  { logical: 200, physical: 3000, length: 20, unwritten: true },
];

const map: Pick<ContentMap, 'pieces' | 'reach'> = {
  reach: 2 ** 32 - 1,
  *pieces(first, end) {
    for (const { logical, physical, length, ...marks } of layout) {
      const from = Math.max(first, logical);
      const to = Math.min(end, logical + length);
      if (from >= to) continue;
      yield {
        logical: from,
        physical: physical === 0 ? 0 : physical + from - logical,
        length: to - from,
        ...marks,
      };
    }
  },
};

const KiB = 1024;

it.each<
  [name: string, run: [number, number], chunk: number, limit: number, range: number[] | null]
>([
  ['only what is written, in the middle', [90, 3], 0, 220, [90, 3]],
  ['all from the start of the extent, where 32 KiB or less lie before', [58, 1], 0, 220, [50, 9]],
  ['not that, where more lie before', [59, 1], 0, 220, [59, 1]],
  ['all up to its end, where 32 KiB or less lie behind', [141, 1], 0, 220, [141, 9]],
  ['not that, where more lie behind', [140, 1], 0, 220, [140, 1]],
  ['all of a short one', [205, 7], 0, 220, [200, 20]],
  ['no more than the content has', [205, 1], 0, 208, [200, 8]],
  ['beyond the content what is asked for', [205, 7], 0, 0, [200, 12]],
  ['whole pieces, counted from the start of the content', [90, 1], 64 * KiB, 220, [80, 16]],
  ['of these what is unwritten', [60, 1], 64 * KiB, 220, [50, 14]],
  ['several of them', [90, 10], 64 * KiB, 220, [80, 32]],
  ['nothing where the block was written', [49, 5], 0, 220, null],
])('takes %s', (_name, [logical, length], chunk, limit, range) => {
  const found = writtenRange(map, { logical, length }, { blockSize: 4 * KiB, chunk, limit });
  expect(found && [found.logical, found.length]).toEqual(range);
  if (!found) return;
  const piece = layout.findLast((candidate) => candidate.logical <= logical);
  expect(found.physical - found.logical).toBe((piece?.physical ?? 0) - (piece?.logical ?? 0));
  expect(found.unwritten).toBeUndefined();
});

it('ends where the next blocks lie elsewhere', () => {
  const found = writtenRange(
    map,
    { logical: 145, length: 60 },
    { blockSize: 4 * KiB, chunk: 0, limit: 220 },
  );
  expect(found).toEqual({ logical: 145, physical: 2095, length: 5 });
});
