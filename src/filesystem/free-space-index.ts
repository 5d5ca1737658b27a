import { ImageError } from '../image/errors';
import type { FreeSpace } from './free-space';
import { byPlace, bySize, SortedRuns, sortedBySize, type UnitRun } from './sorted-runs';

/**
 * The free runs of a volume, by place and by size, while units are taken and given back. Runs
 * never touch each other: what is given back joins its neighbours.
 */
export class FreeSpaceIndex {
  private readonly places: SortedRuns;
  private readonly sizes: SortedRuns;
  private free: number;

  private constructor(space: FreeSpace) {
    this.places = new SortedRuns(byPlace, space.starts, space.lengths);
    const sorted = sortedBySize(space.starts, space.lengths);
    this.sizes = new SortedRuns(bySize, sorted.starts, sorted.lengths);
    this.free = space.total;
  }

  static of(space: FreeSpace): FreeSpaceIndex {
    return new FreeSpaceIndex(space);
  }

  /** Free units in all. */
  get total(): number {
    return this.free;
  }

  /** The free run that holds a unit, as a whole. */
  runAt(unit: number): UnitRun | null {
    const run = this.places.lastBefore(unit + 1, 0);
    return run && unit < run.start + run.length ? run : null;
  }

  /** The free runs that lie at a unit or after it, by place; one that holds it comes first. */
  *fromPlace(unit: number): Generator<UnitRun, void> {
    yield* this.places.from(this.runAt(unit)?.start ?? unit, 0);
  }

  /** The free runs of at least so many units, the smallest first, and the lowest among equals. */
  smallestFrom(length: number): Generator<UnitRun, void> {
    return this.sizes.from(-1, length);
  }

  largestFirst(): Generator<UnitRun, void> {
    return this.sizes.backwards();
  }

  /** So many units, one or more, are free no longer. @throws ImageError `corrupt` where not all are */
  take(start: number, length: number): void {
    const run = this.runAt(start);
    const end = start + length;
    if (!run || end > run.start + run.length) {
      throw new ImageError('corrupt', `Of the units ${start} to ${end - 1} not all are free.`);
    }
    this.remove(run);
    if (run.start < start) this.insert(run.start, start - run.start);
    if (end < run.start + run.length) this.insert(end, run.start + run.length - end);
  }

  /** So many units, one or more, are free again; those that are free already stay so. */
  release(start: number, length: number): void {
    let from = start;
    let to = start + length;
    const before = this.places.lastBefore(start, 0);
    const firstTouched = before && before.start + before.length >= start ? before.start : start;
    const touched: UnitRun[] = [];
    for (const run of this.places.from(firstTouched, 0)) {
      if (run.start > to) break;
      touched.push(run);
    }
    for (const run of touched) {
      this.remove(run);
      from = Math.min(from, run.start);
      to = Math.max(to, run.start + run.length);
    }
    this.insert(from, to - from);
  }

  private insert(start: number, length: number): void {
    this.places.insert(start, length);
    this.sizes.insert(start, length);
    this.free += length;
  }

  private remove({ start, length }: UnitRun): void {
    this.places.remove(start, length);
    this.sizes.remove(start, length);
    this.free -= length;
  }
}
