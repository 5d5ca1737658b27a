import type { ChangeSet, HostRoom } from './change-set';
import { readBytes } from './bytes';
import type { Overlay } from './overlay';
import { hole, inFile, RangeMap } from './range-map';

const chunkSize = 1024 * 1024;

type DataVisitor = (start: number, end: number) => void;

/** How many bytes of the file undo relies on that a save would overwrite; holes are none. */
export function lostBytes(changes: readonly ChangeSet[], shown: Overlay, room: HostRoom): number {
  let lost = 0;
  const add: DataVisitor = (start, end) => (lost += end - start);
  for (const { before } of changes) {
    before.visitAll((start, end, content) => {
      if (content !== inFile) return;
      shown.replaced.visit(start, end, (from, to) => room.visitData(from, to, add));
    });
  }
  return lost;
}

/**
 * Copies what undo relies on in the file and a save will overwrite, and has the changes rely on
 * the copy. Where that fails nothing has changed.
 * @throws ImageError `no-room`
 */
export function keepLost(changes: readonly ChangeSet[], shown: Overlay, room: HostRoom): void {
  const mark = shown.store.length;
  try {
    const kept = changes.map(({ before }) => keptRanges(before, shown, room));
    changes.forEach((change, index) => (change.before = kept[index]));
  } catch (error) {
    shown.store.truncate(mark);
    throw error;
  }
}

function keptRanges(before: RangeMap, shown: Overlay, room: HostRoom): RangeMap {
  const kept = new RangeMap();
  before.visitAll((start, end, content) => {
    if (content !== inFile) return kept.set(start, end, content);
    shown.replaced.cover(start, end, (from, to, shownContent) => {
      if (shownContent === inFile) kept.set(from, to, inFile);
      else keepPart(kept, from, to, shown, room);
    });
  });
  return kept;
}

function keepPart(
  kept: RangeMap,
  start: number,
  end: number,
  { below, store }: Overlay,
  room: HostRoom,
): void {
  let at = start;
  room.visitData(start, end, (from, to) => {
    kept.set(at, from, hole);
    for (at = from; at < to;) {
      const length = Math.min(chunkSize, to - at);
      kept.set(at, at + length, store.append(readBytes(below, at, length)));
      at += length;
    }
  });
  kept.set(at, end, hole);
}
