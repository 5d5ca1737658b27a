import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FreeSpace } from '../../src/filesystem/free-space';
import { FreeSpaceIndex } from '../../src/filesystem/free-space-index';
import type { UnitRun } from '../../src/filesystem/sorted-runs';

const units = 5000;

/** An index beside a plain list of what is free; the runs follow from the list. */
class Model {
  readonly free = Array<boolean>(units).fill(false);

  constructor(runs: readonly UnitRun[]) {
    for (const { start, length } of runs) this.free.fill(true, start, start + length);
  }

  runs(): UnitRun[] {
    const runs: UnitRun[] = [];
    for (let start = 0; start < units; start++) {
      if (!this.free[start]) continue;
      const end = this.free.indexOf(false, start);
      const length = (end < 0 ? units : end) - start;
      runs.push({ start, length });
      start += length;
    }
    return runs;
  }
}

function bySize(runs: readonly UnitRun[]): UnitRun[] {
  return [...runs].sort((a, b) => a.length - b.length || a.start - b.start);
}

/** So many runs that they fill several chunks. */
function alternating(count: number): FreeSpace {
  const rows = Array.from({ length: count }, (_, i) => i);
  return new FreeSpace(
    Float64Array.from(rows, (i) => 3 * i + 1),
    Float64Array.from(rows, (i) => 1 + (i % 2)),
  );
}

describe('an index of free runs', () => {
  it('agrees with a plain list after any change', () => {
    const change = fc.record({
      takes: fc.boolean(),
      start: fc.nat(units - 30),
      length: fc.integer({ min: 1, max: 30 }),
    });
    fc.assert(
      fc.property(fc.nat(1600), fc.array(change, { maxLength: 300 }), (count, changes) => {
        const index = FreeSpaceIndex.of(alternating(count));
        const model = new Model([...index.fromPlace(0)]);
        for (const { takes, start, length } of changes) {
          const all = model.free.slice(start, start + length).every(Boolean);
          if (takes && !all) expect(() => index.take(start, length)).toThrow('not all are free');
          else {
            if (takes) index.take(start, length);
            else index.release(start, length);
            model.free.fill(!takes, start, start + length);
          }
        }
        const runs = model.runs();
        expect([...index.fromPlace(0)]).toEqual(runs);
        expect([...index.smallestFrom(1)]).toEqual(bySize(runs));
        expect([...index.largestFirst()]).toEqual(bySize(runs).reverse());
        expect(index.total).toBe(model.free.filter(Boolean).length);
      }),
      { numRuns: 60 },
    );
  });

  it('finds runs by their place and by their size', () => {
    const index = FreeSpaceIndex.of(alternating(1000));
    expect(index.runAt(0)).toBeNull();
    expect(index.runAt(4)).toEqual({ start: 4, length: 2 });
    expect(index.runAt(5)).toEqual({ start: 4, length: 2 });
    expect(index.runAt(6)).toBeNull();
    expect(index.fromPlace(5).next().value).toEqual({ start: 4, length: 2 });
    expect(index.fromPlace(6).next().value).toEqual({ start: 7, length: 1 });
    expect(index.smallestFrom(2).next().value).toEqual({ start: 4, length: 2 });
    expect(index.smallestFrom(3).next().done).toBe(true);
    expect(index.fromPlace(3001).next().done).toBe(true);
  });

  it('sorts runs of any size', () => {
    const lengths = [2 ** 33, 7, 2 ** 16, 2 ** 33 + 1, 65_535, 2 ** 16, 1];
    let next = 0;
    const starts = lengths.map((length) => {
      next += length + 1;
      return next - length;
    });
    const space = new FreeSpace(Float64Array.from(starts), Float64Array.from(lengths));
    const runs = starts.map((start, i) => ({ start, length: lengths[i] }));
    expect([...FreeSpaceIndex.of(space).smallestFrom(0)]).toEqual(bySize(runs));
  });

  it('gives up all of 100,000 runs and takes them back', () => {
    const space = alternating(100_000);
    const index = FreeSpaceIndex.of(space);
    space.starts.forEach((start, i) => index.take(start, space.lengths[i]));
    expect(index.total).toBe(0);
    expect(index.largestFirst().next().done).toBe(true);
    space.starts.forEach((start, i) => index.release(start, space.lengths[i]));
    expect(index.total).toBe(space.total);
  });
});
