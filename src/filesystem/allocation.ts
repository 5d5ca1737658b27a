import { ImageError } from '../image/errors';
import type { FreeSpaceIndex } from './free-space-index';
import type { UnitRun } from './sorted-runs';

/**
 * - `contiguous`: extends the file in place, else takes the smallest free extent that holds all,
 *   else the fewest fragments
 * - `first-fit`: the free units in the order of their place, as ext2 does at its simplest
 * - `next-fit`: the same from where the last allocation ended on, and around, as the FAT driver
 */
export const allocationPolicies = ['contiguous', 'first-fit', 'next-fit'] as const;
export type AllocationPolicy = (typeof allocationPolicies)[number];

export interface AllocationRequest {
  /** How many are needed, and what the volume calls them. */
  readonly units: number;
  readonly unit: 'block' | 'cluster';
  readonly policy: AllocationPolicy;
  /** The unit after the last one of the file that is to grow; what is taken there continues it. */
  readonly goal?: number;
  /** Where `next-fit` starts to look. */
  readonly hint: number;
}

/**
 * Chooses units, and takes none of them.
 * @returns free runs in the order in which the file gets them
 * @throws ImageError `full` when not so many units are free
 */
export function planAllocation(index: FreeSpaceIndex, request: AllocationRequest): UnitRun[] {
  const { units, unit, policy, goal, hint } = request;
  if (units > index.total) {
    const needed = units === 1 ? `1 ${unit} is` : `${units} ${unit}s are`;
    const message = `The volume is full: ${needed} needed, but only ${index.total} free.`;
    throw new ImageError('full', message);
  }
  if (units === 0) return [];
  if (policy === 'first-fit') return inOrder(index, units, 0);
  if (policy === 'next-fit') return inOrder(index, units, hint);
  return contiguously(index, units, goal);
}

/** The free units from one on, and then around. */
function inOrder(index: FreeSpaceIndex, units: number, first: number): UnitRun[] {
  const runs: UnitRun[] = [];
  let left = units;
  for (const { start, length } of index.fromPlace(first)) {
    const from = Math.max(start, first);
    const taken = Math.min(start + length - from, left);
    runs.push({ start: from, length: taken });
    left -= taken;
    if (left === 0) return runs;
  }
  for (const { start, length } of index.fromPlace(0)) {
    const taken = Math.min(length, left);
    runs.push({ start, length: taken });
    left -= taken;
    if (left === 0) break;
  }
  return runs;
}

function contiguously(index: FreeSpaceIndex, units: number, goal: number | undefined): UnitRun[] {
  const atGoal = goal === undefined ? null : runFrom(index, goal);
  if (atGoal && atGoal.length >= units) return [{ start: atGoal.start, length: units }];
  for (const { start } of index.smallestFrom(units)) return [{ start, length: units }];

  // What continues the file is no further fragment, so it never costs one.
  const first = goal !== undefined && index.runAt(goal)?.start === goal ? atGoal : null;
  const others = fewest(index, units - (first?.length ?? 0), first);
  others.sort((a, b) => a.start - b.start);
  return first ? [first, ...others] : others;
}

/** The largest runs, and for what is left then the smallest one that holds it. */
function fewest(index: FreeSpaceIndex, units: number, except: UnitRun | null): UnitRun[] {
  const isExcepted = ({ start }: UnitRun) => start === except?.start;
  const runs: UnitRun[] = [];
  let left = units;
  for (const run of index.largestFirst()) {
    if (isExcepted(run)) continue;
    if (run.length >= left) break;
    runs.push(run);
    left -= run.length;
  }
  for (const run of index.smallestFrom(left)) {
    if (isExcepted(run)) continue;
    runs.push({ start: run.start, length: left });
    break;
  }
  return runs;
}

/** What is free from a unit on. */
function runFrom(index: FreeSpaceIndex, unit: number): UnitRun | null {
  const run = index.runAt(unit);
  return run && { start: unit, length: run.start + run.length - unit };
}
