/** A run of units of a file. Numbers are units (blocks, or clusters on FAT), not bytes. */
export interface Extent {
  /** First unit of the run, counted from the file's start. */
  readonly logical: number;
  /** First unit of the run on the volume, as the format's documents number it. */
  readonly physical: number;
  readonly length: number;
  /** Allocated but never written: reads as zeros. */
  readonly unwritten?: boolean;
}

/** Adds a run to a list in logical order, joining it to the last one where it continues that. */
export function appendExtent(extents: Extent[], extent: Extent): void {
  const last = extents.at(-1);
  if (
    last &&
    last.logical + last.length === extent.logical &&
    last.physical + last.length === extent.physical &&
    Boolean(last.unwritten) === Boolean(extent.unwritten)
  ) {
    extents[extents.length - 1] = { ...last, length: last.length + extent.length };
  } else {
    extents.push(extent);
  }
}

/** How many pieces the file lies in on the volume: 1 when contiguous, 0 when it has no unit. */
export function countFragments(extents: readonly Extent[]): number {
  return extents.reduce((count, extent, i) => {
    const last = extents[i - 1];
    return last && last.physical + last.length === extent.physical ? count : count + 1;
  }, 0);
}

/** Index of the extent that holds the logical unit, or of the first one after it. */
export function findExtent(extents: readonly Extent[], logical: number): number {
  let low = 0;
  let high = extents.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (extents[middle].logical + extents[middle].length <= logical) low = middle + 1;
    else high = middle;
  }
  return low;
}
