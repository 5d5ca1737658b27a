import type { ByteRange } from './edits';
import { readContent, type Overlay, type Transaction } from './overlay';
import { hole, inFile, RangeMap, zeros, type Content } from './range-map';

/** What a change did: the ranges that differ, with what they held and what they hold since. */
export interface ChangeSet {
  before: RangeMap;
  readonly after: RangeMap;
}

/** What the host has allocated of the file of an image. */
export interface HostRoom {
  /** Rooms are given up in blocks of this many bytes. */
  readonly blockSize: number;
  /** The parts of a range that hold data, in order; all of it where the host cannot say. */
  visitData(start: number, end: number, visitor: (start: number, end: number) => void): void;
}

const chunkSize = 64 * 1024;
const compareLimit = 1024 * 1024; // zeros over more than this are not compared with what is there
const smallestGap = 16; // bytes; equal ones between two differences that are not worth a range
const compactLimit = 16 * 1024 * 1024;

/** Finds what a transaction changed of the image as it was shown. */
export function changesOf(transaction: Transaction, shown: Overlay, room: HostRoom): ChangeSet {
  const after = new Differences(shown, room).of(transaction.replaced);
  const before = new RangeMap();
  after.visitAll((start, end) => {
    shown.replaced.cover(start, end, (from, to, content) => before.set(from, to, content));
  });
  return { before, after: compact(after, transaction) };
}

class Differences {
  private readonly found = new RangeMap();
  private readonly oldChunk = new Uint8Array(chunkSize);
  private readonly newChunk = new Uint8Array(chunkSize);

  constructor(
    private readonly shown: Overlay,
    private readonly room: HostRoom,
  ) {}

  of(replaced: RangeMap): RangeMap {
    replaced.visitAll((start, end, content) => {
      this.shown.replaced.cover(start, end, (from, to, old) => {
        if (content >= 0) this.compare(from, to, content + from - start);
        else if (content === zeros) this.findZeros(from, to, old);
        else this.findHole(from, to, old);
      });
    });
    return this.found;
  }

  private findZeros(start: number, end: number, old: Content): void {
    if (old === zeros || old === hole) return;
    if (end - start <= compareLimit) return this.compare(start, end, zeros);
    if (old !== inFile) return this.found.set(start, end, zeros);
    this.room.visitData(start, end, (from, to) => {
      if (to - from <= compareLimit) this.compare(from, to, zeros);
      else this.found.set(from, to, zeros);
    });
  }

  /** What shares its block of the host with other data cannot be given up: it becomes zeros. */
  private findHole(start: number, end: number, old: Content): void {
    if (old === hole) return;
    if (old !== inFile) return this.found.set(start, end, hole);
    const { blockSize } = this.room;
    this.room.visitData(start, end, (from, to) => {
      const first = Math.ceil(from / blockSize) * blockSize;
      const last = Math.floor(to / blockSize) * blockSize;
      if (first >= last) return this.compare(from, to, zeros);
      this.compare(from, first, zeros);
      this.found.set(first, last, hole);
      this.compare(last, to, zeros);
    });
  }

  /** Finds where a new content differs from what is there, byte for byte. */
  private compare(start: number, end: number, content: Content): void {
    for (let at = start; at < end; at += chunkSize) {
      const length = Math.min(chunkSize, end - at);
      const place = content < 0 ? content : content + at - start;
      const oldBytes = this.oldChunk.subarray(0, length);
      const newBytes = this.newChunk.subarray(0, length);
      this.shown.read(at, oldBytes);
      readContent(this.shown.store, place, newBytes);
      this.compareChunk(at, oldBytes, newBytes, place);
    }
  }

  private compareChunk(
    at: number,
    oldBytes: Uint8Array,
    newBytes: Uint8Array,
    content: Content,
  ): void {
    if (Buffer.compare(oldBytes, newBytes) === 0) return;
    let first = -1; // of the difference that is being followed
    let last = -1;
    const end = () => {
      const place = content < 0 ? content : content + first;
      if (first >= 0) this.found.set(at + first, at + last + 1, place);
    };
    for (let i = 0; i < newBytes.length; i++) {
      if (oldBytes[i] === newBytes[i]) continue;
      if (first < 0 || i - last > smallestGap) {
        end();
        first = i;
      }
      last = i;
    }
    end();
  }
}

/** Frees the store of what a transaction brought in that differs from nothing. */
function compact(after: RangeMap, { store, mark }: Transaction): RangeMap {
  let needed = 0;
  after.visitAll((start, end, content) => {
    if (content >= 0) needed += end - start;
  });
  if (needed > compactLimit || needed > (store.length - mark) / 2) return after;
  const kept = new Uint8Array(needed);
  let at = 0;
  after.visitAll((start, end, content) => {
    if (content >= 0) store.read(content, kept.subarray(at, (at += end - start)));
  });
  store.truncate(mark);
  let position = store.append(kept);
  const compacted = new RangeMap();
  after.visitAll((start, end, content) => {
    compacted.set(start, end, content < 0 ? content : position);
    if (content >= 0) position += end - start;
  });
  return compacted;
}

/** The ranges of a map, in order. */
export function rangesOf(map: RangeMap): ByteRange[] {
  const ranges: { offset: number; length: number }[] = [];
  map.visitAll((start, end) => {
    const last = ranges.at(-1);
    if (last && last.offset + last.length === start) last.length += end - start;
    else ranges.push({ offset: start, length: end - start });
  });
  return ranges;
}
