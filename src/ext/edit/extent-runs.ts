import type { Extent } from '../../filesystem/extents';
import type { UnitRun } from '../../filesystem/sorted-runs';
import type { LogicalRun } from './content-map';

/** Blocks of all of them. */
export function countBlocks(runs: readonly { readonly length: number }[]): number {
  return runs.reduce((sum, { length }) => sum + length, 0);
}

/** What of an extent lies before and behind a range of the content. */
export function around({ logical, physical, length }: Extent, from: number, to: number): Extent[] {
  return [
    { logical, physical, length: from - logical },
    { logical: to, physical: physical + to - logical, length: logical + length - to },
  ].filter((part) => part.length > 0);
}

/** Marks what of an extent lies behind a place as unwritten. */
export function marked(extent: Extent, firstUnwritten: number): Extent[] {
  const { logical, physical, length } = extent;
  const written = Math.min(length, Math.max(0, firstUnwritten - logical));
  const parts = [
    { logical, physical, length: written },
    {
      logical: logical + written,
      physical: physical + written,
      length: length - written,
      unwritten: true,
    },
  ];
  return parts.filter((part) => part.length > 0);
}

/** Which hole gets which blocks. */
export function* assigned(
  holes: readonly LogicalRun[],
  runs: readonly UnitRun[],
): Generator<Extent, void> {
  let index = 0;
  let used = 0;
  for (const hole of holes) {
    for (let done = 0; done < hole.length;) {
      const run = runs[index];
      const length = Math.min(hole.length - done, run.length - used);
      yield { logical: hole.logical + done, physical: run.start + used, length };
      done += length;
      used += length;
      if (used < run.length) continue;
      index += 1;
      used = 0;
    }
  }
}
