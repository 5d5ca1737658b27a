/** One row of the histogram: free extents of `minimum` up to twice as many units, exclusive. */
export interface FreeSpaceBucket {
  readonly minimum: number;
  readonly extents: number;
  readonly units: number;
}

/** The free extents of a volume in the order of their place, as columns. */
export class FreeSpace {
  /** Units in all free extents together. */
  readonly total: number;
  /** Units of the largest free extent; 0 where there is none. */
  readonly largest: number;

  /**
   * @param starts first unit of each extent, as the format's documents number it
   * @param lengths in units
   */
  constructor(
    readonly starts: Float64Array,
    readonly lengths: Float64Array,
  ) {
    let total = 0;
    let largest = 0;
    for (const length of lengths) {
      total += length;
      if (length > largest) largest = length;
    }
    this.total = total;
    this.largest = largest;
  }

  get count(): number {
    return this.starts.length;
  }

  /** Whether a unit is free. */
  holds(unit: number): boolean {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.starts[middle] + this.lengths[middle] <= unit) low = middle + 1;
      else high = middle;
    }
    return low < this.count && this.starts[low] <= unit;
  }

  /** By powers of two, the smallest first, without empty rows. */
  histogram(): FreeSpaceBucket[] {
    const buckets = new Map<number, { extents: number; units: number }>();
    for (const length of this.lengths) {
      const minimum = 2 ** Math.floor(Math.log2(length));
      const bucket = buckets.get(minimum) ?? { extents: 0, units: 0 };
      bucket.extents += 1;
      bucket.units += length;
      buckets.set(minimum, bucket);
    }
    return [...buckets]
      .sort(([a], [b]) => a - b)
      .map(([minimum, bucket]) => ({ minimum, ...bucket }));
  }
}

/** Collects free runs in the order of their place; a run that continues the last one joins it. */
export class FreeSpaceBuilder {
  private starts = new Float64Array(1024);
  private lengths = new Float64Array(1024);
  private count = 0;

  add(start: number, length: number): void {
    const last = this.count - 1;
    if (last >= 0 && this.starts[last] + this.lengths[last] === start) {
      this.lengths[last] += length;
      return;
    }
    if (this.count === this.starts.length) {
      this.starts = grown(this.starts);
      this.lengths = grown(this.lengths);
    }
    this.starts[this.count] = start;
    this.lengths[this.count] = length;
    this.count += 1;
  }

  build(): FreeSpace {
    return new FreeSpace(this.starts.slice(0, this.count), this.lengths.slice(0, this.count));
  }
}

function grown(column: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(column.length * 2);
  larger.set(column);
  return larger;
}
