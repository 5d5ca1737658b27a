import { joinedRanges, type ByteRange } from './edits';
import { readContent, type Overlay, type Transaction } from './overlay';
import { contentAfter, hole, inFile, RangeMap, zeros, type Content } from './range-map';

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
const compareLimit = 1024 * 1024; // of more than this only the ends are compared
const smallestGap = 16; // bytes; equal ones between two differences that are not worth a range
const blockSize = 4096;
const mostInBlock = 8; // differences; a block with more of them is one
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
  /** What was read last of what is there, and of what is to be there. */
  private oldBytes = this.oldChunk;
  private newBytes = this.newChunk;

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
    if (old !== inFile) return this.compare(start, end, zeros);
    this.room.visitData(start, end, (from, to) => this.compare(from, to, zeros));
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

  /** Finds where a new content differs from what is there. */
  private compare(start: number, end: number, content: Content): void {
    if (end - start > compareLimit) return this.compareEnds(start, end, content);
    for (let at = start; at < end; at += chunkSize) {
      const place = contentAfter(content, at - start);
      if (!this.load(at, Math.min(chunkSize, end - at), place)) continue;
      for (let from = 0; from < this.newBytes.length;) {
        const to = Math.min(this.newBytes.length, from + blockSize - ((at + from) % blockSize));
        this.compareBlock(at, from, to, place);
        from = to;
      }
    }
  }

  /** Finds what lies between equal chunks: much that is brought in is hardly ever there already. */
  private compareEnds(start: number, end: number, content: Content): void {
    const differs = (at: number, length: number) =>
      this.load(at, length, contentAfter(content, at - start));
    let first = start;
    while (first < end && !differs(first, Math.min(chunkSize, end - first))) first += chunkSize;
    if (first >= end) return;
    let last = end;
    while (last - first > chunkSize && !differs(last - chunkSize, chunkSize)) last -= chunkSize;
    this.found.set(first, last, contentAfter(content, first - start));
  }

  /** Reads what is there, and what is to be there. @returns whether that differs */
  private load(at: number, length: number, content: Content): boolean {
    this.oldBytes = this.oldChunk.subarray(0, length);
    this.newBytes = this.newChunk.subarray(0, length);
    this.shown.read(at, this.oldBytes);
    readContent(this.shown.store, content, this.newBytes);
    return Buffer.compare(this.oldBytes, this.newBytes) !== 0;
  }

  /** Compares a part of a chunk byte for byte. @param at where the chunk starts in the image */
  private compareBlock(at: number, from: number, to: number, content: Content): void {
    const { oldBytes, newBytes } = this;
    const runs: number[] = []; // each as its start and its end
    let end = -Infinity;
    for (let i = from; i < to; i++) {
      if (oldBytes[i] === newBytes[i]) continue;
      if (i - end > smallestGap) runs.push(i, i);
      end = i + 1;
      runs[runs.length - 1] = end;
    }
    if (runs.length > 2 * mostInBlock) runs.splice(1, runs.length - 2);
    for (let i = 0; i < runs.length; i += 2) {
      this.found.set(at + runs[i], at + runs[i + 1], contentAfter(content, runs[i]));
    }
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
  return joinedRanges((add) => map.visitAll(add));
}
