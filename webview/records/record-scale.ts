/** Directory blocks as strips of records, at the scale of pixels. */
import type { DirectoryRecord, RawDirectoryBlock } from '../../src/protocol/requests';

/** Fewest bytes in a line of a strip: two slots of FAT. */
const fewestBytes = 64;
/** Pixels that a byte has at least: the shortest record, of 12 bytes, is then three wide. */
const leastScale = 0.25;
/** Pixels for a byte at which most names can be read. */
const readableScale = 3;

/** The lengths that lines can have, in bytes and upwards: powers of two. `width` is in pixels. */
export function lineLengths(longestBlock: number, width: number): number[] {
  const lengths = [fewestBytes];
  for (let length = fewestBytes; length < longestBlock && width >= 2 * length * leastScale;) {
    length *= 2;
    lengths.push(length);
  }
  return lengths;
}

/** The length at which lines are as long as names can still be read in them. */
export function readableLength(lengths: readonly number[], width: number): number {
  return fittingLength(lengths, width / readableScale);
}

/** The longest one that is no longer than is wanted, or else the shortest. */
export function fittingLength(lengths: readonly number[], wanted: number): number {
  return lengths.filter((length) => length <= wanted).at(-1) ?? lengths[0];
}

/** The length one step away, by `1` for a closer look or `-1` for a wider one; itself at an end. */
export function zoomLength(lengths: readonly number[], length: number, step: 1 | -1): number {
  return lengths[lengths.indexOf(length) - step] ?? length;
}

/** A row of the list of strips: the head of a block, or a line of its strip. */
export interface StripRow {
  readonly block: number;
  /** The first byte of the line, from the block's start; null for the head. */
  readonly from: number | null;
}

/** Heights in pixels; the style sheet says the same. */
export const headHeight = 24;
export const lineHeight = 28;

/** More could not be drawn, and would take long to measure. */
const mostRows = 300_000;

/** Which row of the list shows what, for blocks cut into lines. */
export class StripRows {
  readonly count: number;
  /** Blocks that are shown; a list of rows has no room for more. */
  readonly blocks: number;
  /** Row of the head of each block, and behind them the number of rows. */
  private readonly heads: Float64Array;

  constructor(
    private readonly all: readonly Pick<RawDirectoryBlock, 'length'>[],
    readonly lineLength: number,
  ) {
    const heads = new Float64Array(all.length + 1);
    let shown = 0;
    for (const { length } of all) {
      const next = heads[shown] + 1 + Math.ceil(length / lineLength);
      if (next > mostRows) break;
      heads[++shown] = next;
    }
    this.blocks = shown;
    this.heads = heads.subarray(0, shown + 1);
    this.count = heads[shown];
  }

  /** Of a block, in bytes. */
  lengthOf(block: number): number {
    return this.all[block].length;
  }

  at(index: number): StripRow {
    let low = 0;
    let high = this.blocks - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.heads[middle] <= index) low = middle;
      else high = middle - 1;
    }
    const line = index - this.heads[low] - 1;
    return { block: low, from: line < 0 ? null : line * this.lineLength };
  }

  /** The row of a block's head, or of the line that holds a byte of it. */
  indexOf(block: number, byte: number | null): number {
    const head = this.heads[Math.min(block, this.blocks)];
    return byte === null ? head : head + 1 + Math.floor(byte / this.lineLength);
  }

  /** Where a row starts, in pixels from the first one; of the row behind the last: the height. */
  topOf(index: number): number {
    const { block, from } = this.at(index);
    const heads = from === null ? block : block + 1;
    return heads * headHeight + (index - heads) * lineHeight;
  }
}

/** How a slot hangs together with its neighbours: they make up one name, or should. */
export interface Join {
  /** Whether what is before it and behind it belongs to the same name. */
  readonly before: boolean;
  readonly after: boolean;
  readonly whole: boolean;
}

/** A record's place in its block; numbers are bytes from the block's start. */
export interface Piece {
  readonly record: DirectoryRecord;
  readonly start: number;
  readonly end: number;
  /** Where its slack begins; its end where it has none. */
  readonly needed: number;
  /** Whether it lies in the slack of another one. */
  readonly nested: boolean;
  readonly join: Join | null;
  /** Whether the chain of records ends with it, though the block goes on. */
  readonly breaks: boolean;
}

/**
 * The records of a block as pieces in the order of their places; a nested one follows the one it
 * lies in, of which it covers a part.
 * @param before the last record of the block before, where that is known
 */
export function layOutRecords(
  block: RawDirectoryBlock,
  records: readonly DirectoryRecord[],
  before?: DirectoryRecord,
): Piece[] {
  let cover: DirectoryRecord | null = null;
  return records.map((record, index) => {
    const within = cover !== null && record.partOf === cover.offset;
    const nested = cover !== null && within && record.offset < cover.offset + cover.length;
    if (!nested) cover = record;
    const at = record.offset - block.offset;
    const start = clamp(at, block.length);
    const whole = clamp(at + record.length, block.length);
    // What is not in use needs nothing, and has no slack either.
    const needed = record.used === 0 ? whole : clamp(at + record.used, whole);
    const next = records.at(index + 1);
    return {
      record,
      start,
      // What a removed record had beyond its name belongs to the one that covers it.
      end: nested ? needed : whole,
      needed,
      nested,
      join: nested ? null : joinOf(records[index - 1] ?? before, record, next),
      breaks: record.state === 'broken' && next?.state === 'unreachable',
    };
  });
}

function clamp(byte: number, length: number): number {
  return Math.min(Math.max(byte, 0), length);
}

function joinOf(
  before: DirectoryRecord | undefined,
  record: DirectoryRecord,
  after: DirectoryRecord | undefined,
): Join | null {
  const { offset, partOf } = record;
  if (partOf !== undefined) return { before: before?.partOf === partOf, after: true, whole: true };
  if (before?.partOf === offset) return { before: true, after: false, whole: true };
  if (!isLonePart(record)) return null;
  const isSame = (other: DirectoryRecord | undefined) =>
    other !== undefined && isLonePart(other) && other.problem === record.problem;
  return { before: isSame(before), after: isSame(after), whole: false };
}

/** A part of a long name that belongs to no short one. */
function isLonePart({ state, partOf, problem }: DirectoryRecord): boolean {
  return state === 'long' && partOf === undefined && problem !== undefined;
}

/** Index of the piece at a byte of the block, a nested one before what it lies in; -1 for none. */
export function pieceAt(pieces: readonly Piece[], byte: number): number {
  for (let index = lastUpTo(pieces, byte); index >= 0; index--) {
    if (byte < pieces[index].end) return index;
    if (!pieces[index].nested) return -1;
  }
  return -1;
}

/** Index of the last piece that starts at a byte or before it; -1 where none does. */
function lastUpTo(pieces: readonly Piece[], byte: number): number {
  let low = -1;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = Math.floor((low + high + 1) / 2);
    if (pieces[middle].start <= byte) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** As much of a piece as one line shows; numbers are pixels from the line's start. */
export interface Segment {
  readonly piece: Piece;
  readonly left: number;
  readonly width: number;
  /** Width of the part that the record needs; the rest is slack. */
  readonly needed: number;
  /** Whether the piece starts, and ends, in this line. */
  readonly opens: boolean;
  readonly closes: boolean;
  /** Whether this is the line that has the most room for its name. */
  readonly named: boolean;
}

/**
 * What a line shows of the pieces of a block. None is lost, however small.
 * @param from first byte of the line, from the block's start
 * @param length of the line in bytes
 * @param width of `length` bytes in pixels
 */
export function lineSegments(
  pieces: readonly Piece[],
  from: number,
  length: number,
  width: number,
): Segment[] {
  const scale = width / length;
  const end = from + length;
  const pixel = (byte: number) => Math.round((Math.min(Math.max(byte, from), end) - from) * scale);
  let first = Math.max(0, lastUpTo(pieces, from));
  while (first > 0 && pieces[first].nested) first--;
  const segments: Segment[] = [];
  for (let index = first; index < pieces.length && pieces[index].start < end; index++) {
    const piece = pieces[index];
    if (piece.end <= from) continue;
    const left = Math.min(pixel(piece.start), width - 1);
    segments.push({
      piece,
      left,
      width: Math.max(1, pixel(piece.end) - left),
      needed: Math.max(0, pixel(piece.needed) - left),
      opens: piece.start >= from,
      closes: piece.end <= end,
      named: namedLine(piece, length) === from,
    });
  }
  return segments;
}

/** The first of the lines of a piece, or the one behind it where that shows more of its name. */
function namedLine({ start, needed }: Piece, length: number): number {
  const line = start - (start % length);
  const inFirst = Math.min(needed, line + length) - start;
  return needed - start - inFirst > inFirst ? line + length : line;
}
