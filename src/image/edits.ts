/** What changes of an image are called, and what a save of them asks and tells. */

/** Names a change for undo and redo; counted up from 1, never used twice in a session. */
export type EditId = number;

/** A range of the image, in bytes. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/**
 * Ranges as a walk tells them in the order of their place; one that continues the last joins it.
 * @param walk is given what to call for each range
 */
export function joinedRanges(
  walk: (add: (start: number, end: number) => void) => void,
): ByteRange[] {
  const ranges: { offset: number; length: number }[] = [];
  walk((start, end) => {
    const last = ranges.at(-1);
    if (last && last.offset + last.length === start) last.length += end - start;
    else ranges.push({ offset: start, length: end - start });
  });
  return ranges;
}

export interface SaveOptions {
  /** Write although another program changed the image. */
  readonly overwrite: boolean;
  /** Bytes that may be kept for undo; the save is refused as `no-room` where it needs more. */
  readonly undoLimit: number;
  /** Give up undo of what is saved, beyond the limit. */
  readonly dropUndo: boolean;
}

export interface SaveReport {
  readonly bytesWritten: number;
  readonly bytesPunched: number;
  /** What the allocation of the host's file fell by; below 0 when it grew. */
  readonly reclaimed: number;
  /** Whole sentences: the host cannot punch holes, undo ends here. */
  readonly notes: readonly string[];
}
