import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  planAllocation,
  type AllocationPolicy,
  type AllocationRequest,
} from '../../src/filesystem/allocation';
import { FreeSpaceBuilder } from '../../src/filesystem/free-space';
import { FreeSpaceIndex } from '../../src/filesystem/free-space-index';
import type { UnitRun } from '../../src/filesystem/sorted-runs';
import { ImageError } from '../../src/image/errors';
import { Random } from '../support/random';

type Pair = readonly [start: number, length: number];

function indexOf(...runs: readonly Pair[]): FreeSpaceIndex {
  const builder = new FreeSpaceBuilder();
  for (const [start, length] of runs) builder.add(start, length);
  return FreeSpaceIndex.of(builder.build());
}

function plan(index: FreeSpaceIndex, request: Partial<AllocationRequest>): Pair[] {
  const runs = planAllocation(index, {
    units: 1,
    unit: 'cluster',
    policy: 'contiguous',
    hint: 0,
    ...request,
  });
  return runs.map(({ start, length }) => [start, length]);
}

describe('allocating contiguously', () => {
  const holes = indexOf([10, 4], [20, 8], [40, 6], [60, 6], [80, 3]);

  it('continues the file where all fits there', () => {
    expect(plan(holes, { units: 3, goal: 20 })).toEqual([[20, 3]]);
    expect(plan(holes, { units: 8, goal: 20 })).toEqual([[20, 8]]);
  });

  it('takes the smallest run that holds all, and the lowest of such runs', () => {
    expect(plan(holes, { units: 5 })).toEqual([[40, 5]]);
    expect(plan(holes, { units: 7, goal: 10 })).toEqual([[20, 7]]);
    expect(plan(holes, { units: 3, goal: 30 })).toEqual([[80, 3]]);
  });

  it('takes the largest runs where none holds all, and the smallest for what is left', () => {
    expect(plan(holes, { units: 12 })).toEqual([
      [10, 4],
      [20, 8],
    ]);
    expect(plan(holes, { units: 17 })).toEqual([
      [20, 8],
      [60, 6],
      [80, 3],
    ]);
  });

  it('starts with what continues the file, where that is a fragment less', () => {
    expect(plan(holes, { units: 11, goal: 80 })).toEqual([
      [80, 3],
      [20, 8],
    ]);
    expect(plan(holes, { units: 27, goal: 80 })).toHaveLength(5);
  });

  it('gets along with a goal inside of a free run', () => {
    expect(plan(holes, { units: 6, goal: 22 })).toEqual([[22, 6]]);
    const sum = plan(holes, { units: 27, goal: 22 }).reduce(
      (units, [, length]) => units + length,
      0,
    );
    expect(sum).toBe(27);
  });
});

describe('allocating in the order of places', () => {
  const holes = indexOf([10, 4], [20, 8], [40, 6]);

  it('takes what comes first', () => {
    expect(plan(holes, { policy: 'first-fit', units: 6, hint: 30, goal: 40 })).toEqual([
      [10, 4],
      [20, 2],
    ]);
  });

  it('goes on from the hint, and around', () => {
    expect(plan(holes, { policy: 'next-fit', units: 18, hint: 22 })).toEqual([
      [22, 6],
      [40, 6],
      [10, 4],
      [20, 2],
    ]);
    expect(plan(holes, { policy: 'next-fit', units: 3, hint: 46 })).toEqual([[10, 3]]);
  });
});

describe('allocating', () => {
  it('refuses what is not there, in one sentence', () => {
    expect(() => plan(indexOf([5, 2]), { units: 3 })).toThrow(
      new ImageError('full', 'The volume is full: 3 clusters are needed, but only 2 free.'),
    );
  });

  it('needs no unit for nothing', () => {
    expect(plan(indexOf(), { units: 0 })).toEqual([]);
  });

  const policies = fc.constantFrom<AllocationPolicy>('contiguous', 'first-fit', 'next-fit');
  const states = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 20 })), {
      minLength: 1,
      maxLength: 60,
    })
    .map((steps) => {
      let next = 0;
      return steps.map(([gap, length]): Pair => {
        const start = next + gap;
        next = start + length;
        return [start, length];
      });
    });

  it('gives free units, each once, as many as are asked for', () => {
    fc.assert(
      fc.property(
        states,
        policies,
        fc.nat(1000),
        fc.nat(1000),
        fc.nat(),
        (runs, policy, goal, hint, n) => {
          const index = indexOf(...runs);
          const units = 1 + (n % index.total);
          const taken = planAllocation(index, { units, unit: 'block', policy, goal, hint });
          for (const { start, length } of taken) index.take(start, length); // throws when not free
          const sum = taken.reduce((total, { length }) => total + length, 0);
          expect(sum).toBe(units);
        },
      ),
    );
  });

  it('is contiguous where a run is large enough, and never in more pieces than first-fit', () => {
    fc.assert(
      fc.property(states, fc.nat(), fc.nat(), (runs, n, at) => {
        const index = indexOf(...runs);
        const units = 1 + (n % index.total);
        const goal = runs[at % runs.length][0];
        const request = { units, unit: 'block', goal, hint: 0 } as const;
        const ours = planAllocation(index, { ...request, policy: 'contiguous' });
        const theirs = planAllocation(index, { ...request, policy: 'first-fit' });
        const added = (pieces: readonly UnitRun[]) =>
          pieces.length - (pieces[0].start === goal ? 1 : 0);
        if (runs.some(([, length]) => length >= units)) expect(ours).toHaveLength(1);
        expect(added(ours)).toBeLessThanOrEqual(added(theirs));
      }),
    );
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'lies no worse than first-fit after much use, seed %i',
    (seed) => {
      const fragments = (policy: AllocationPolicy) => fragmentsAfterUse(policy, seed);
      expect(fragments('contiguous')).toBeLessThanOrEqual(fragments('first-fit'));
    },
  );
});

/** Files that come, grow and go on a volume that is mostly full; how many pieces they lay in. */
function fragmentsAfterUse(policy: AllocationPolicy, seed: number): number {
  const random = new Random(seed);
  const index = indexOf([0, 20_000]);
  const files: UnitRun[][] = [];
  let fragments = 0;
  for (let step = 0; step < 4000; step++) {
    const units = 1 + Math.floor(2 ** (random.next() * 8));
    const file: UnitRun[] | undefined = random.one(files);
    if (files.length > 50 && (random.next() < 0.4 || index.total < 2000)) {
      files.splice(files.indexOf(file), 1);
      for (const { start, length } of file) index.release(start, length);
      continue;
    }
    const last = random.next() < 0.3 ? file?.at(-1) : undefined;
    const goal = last && last.start + last.length;
    const runs = planAllocation(index, { units, unit: 'block', policy, goal, hint: 0 });
    for (const { start, length } of runs) index.take(start, length);
    fragments += runs.length - (runs[0].start === goal ? 1 : 0);
    if (last) file.push(...runs);
    else files.push(runs);
  }
  return fragments;
}
