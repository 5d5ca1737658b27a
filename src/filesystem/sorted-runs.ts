/** A run of units, as the format's documents number them. */
export interface UnitRun {
  readonly start: number;
  readonly length: number;
}

/** Whether one run comes before another. */
type Order = (start: number, length: number, otherStart: number, otherLength: number) => boolean;

export const byPlace: Order = (start, _length, otherStart) => start < otherStart;

/** The smallest first, and among equals the lowest. */
export const bySize: Order = (start, length, otherStart, otherLength) =>
  length < otherLength || (length === otherLength && start < otherStart);

interface Chunk {
  readonly starts: Float64Array;
  readonly lengths: Float64Array;
  count: number;
}

const chunkSize = 512;
/** Chunks are not filled to the brim at first, so that not every insertion splits one. */
const filledAtFirst = 384;

/**
 * Runs in an order, to be changed one by one. Columns in chunks: an insertion moves no more than
 * one chunk, and a search halves the list of chunks and then the chunk.
 */
export class SortedRuns {
  private readonly chunks: Chunk[] = [];

  /** The columns have the runs in that order already. */
  constructor(
    private readonly isBefore: Order,
    starts: Float64Array,
    lengths: Float64Array,
  ) {
    for (let at = 0; at < starts.length; at += filledAtFirst) {
      const end = Math.min(at + filledAtFirst, starts.length);
      this.chunks.push(makeChunk(starts.subarray(at, end), lengths.subarray(at, end)));
    }
  }

  /** The run that comes last before the given one. */
  lastBefore(start: number, length: number): UnitRun | null {
    let { index, row } = this.find(start, length);
    if (row === 0) {
      if (index === 0) return null;
      index -= 1;
      row = this.chunks[index].count;
    }
    return runOf(this.chunks[index], row - 1);
  }

  /** The given run, where it is there, and all that come after it; not to be changed meanwhile. */
  *from(start: number, length: number): Generator<UnitRun, void> {
    let { index, row } = this.find(start, length);
    for (; index < this.chunks.length; index++, row = 0) {
      const chunk = this.chunks[index];
      for (; row < chunk.count; row++) yield runOf(chunk, row);
    }
  }

  /** All runs from the last one on; not to be changed meanwhile. */
  *backwards(): Generator<UnitRun, void> {
    for (let index = this.chunks.length - 1; index >= 0; index--) {
      const chunk = this.chunks[index];
      for (let row = chunk.count - 1; row >= 0; row--) yield runOf(chunk, row);
    }
  }

  insert(start: number, length: number): void {
    let { index, row } = this.find(start, length);
    if (index === this.chunks.length) {
      if (index === 0) {
        this.chunks.push(makeChunk(Float64Array.of(start), Float64Array.of(length)));
        return;
      }
      index -= 1;
      row = this.chunks[index].count;
    }
    let chunk = this.chunks[index];
    if (chunk.count === chunkSize) {
      const half = chunkSize / 2;
      const upper = makeChunk(chunk.starts.subarray(half), chunk.lengths.subarray(half));
      this.chunks.splice(index + 1, 0, upper);
      chunk.count = half;
      if (row > half) {
        chunk = upper;
        row -= half;
      }
    }
    for (const column of [chunk.starts, chunk.lengths])
      column.copyWithin(row + 1, row, chunk.count);
    chunk.starts[row] = start;
    chunk.lengths[row] = length;
    chunk.count += 1;
  }

  /** Removes a run that is there. */
  remove(start: number, length: number): void {
    const { index, row } = this.find(start, length);
    const chunk = this.chunks[index];
    for (const column of [chunk.starts, chunk.lengths])
      column.copyWithin(row, row + 1, chunk.count);
    chunk.count -= 1;
    if (chunk.count === 0) this.chunks.splice(index, 1);
  }

  /** Where the first run lies that is not before the given one. */
  private find(start: number, length: number): { index: number; row: number } {
    const index = firstThat(this.chunks.length, (i) => !this.isEarlier(i, -1, start, length));
    if (index === this.chunks.length) return { index, row: 0 };
    const { count } = this.chunks[index];
    const row = firstThat(count, (i) => !this.isEarlier(index, i, start, length));
    return { index, row };
  }

  /** @param row in the chunk; -1 is the last one */
  private isEarlier(index: number, row: number, start: number, length: number): boolean {
    const { starts, lengths, count } = this.chunks[index];
    const at = row < 0 ? count + row : row;
    return this.isBefore(starts[at], lengths[at], start, length);
  }
}

function makeChunk(starts: Float64Array, lengths: Float64Array): Chunk {
  const chunk = {
    starts: new Float64Array(chunkSize),
    lengths: new Float64Array(chunkSize),
    count: starts.length,
  };
  chunk.starts.set(starts);
  chunk.lengths.set(lengths);
  return chunk;
}

function runOf({ starts, lengths }: Chunk, row: number): UnitRun {
  return { start: starts[row], length: lengths[row] };
}

/** The first number below `end` that holds, where all after it do too; else `end`. */
function firstThat(end: number, holds: (value: number) => boolean): number {
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Columns of runs by place, brought into the order of their size. */
export function sortedBySize(
  starts: Float64Array,
  lengths: Float64Array,
): { starts: Float64Array; lengths: Float64Array } {
  // Digit by digit from the lowest one up; each pass keeps the order of the passes before.
  const radix = 2 ** 16;
  let rows = Uint32Array.from(starts.keys());
  const largest = lengths.reduce((most, length) => Math.max(most, length), 0);
  for (let unit = 1; unit <= largest; unit *= radix) {
    const digit = (row: number) => Math.floor(lengths[row] / unit) % radix;
    const next = new Uint32Array(radix + 1);
    for (let row = 0; row < lengths.length; row++) next[digit(row) + 1] += 1;
    for (let value = 0; value < radix; value++) next[value + 1] += next[value];
    const sorted = new Uint32Array(rows.length);
    for (const row of rows) sorted[next[digit(row)]++] = row;
    rows = sorted;
  }
  return {
    starts: Float64Array.from(rows, (row) => starts[row]),
    lengths: Float64Array.from(rows, (row) => lengths[row]),
  };
}
