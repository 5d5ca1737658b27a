import type { UnitGeometry } from '../filesystem/filesystem';
import type { FreeSpace } from '../filesystem/free-space';
import { roles, type Ownership, type Role } from '../filesystem/ownership';

/** A run of units with one role. */
export interface Segment {
  readonly start: number;
  readonly length: number;
  readonly role: Role;
}

const segmentsPerCheckpoint = 256;
const free = roles.indexOf('free');

/**
 * The role of every unit of a volume, as runs in the order of their place. What an owner claims
 * has its role, the rest is free where the bitmaps or the FAT say so, and what remains is in use
 * by nobody who is known. Counting any range costs the same, however large it is.
 */
export class SpaceIndex {
  /** Of the whole volume, in the order of `roles`. */
  readonly totals: Float64Array;
  private readonly starts: Float64Array;
  private readonly roles: Uint8Array;
  /** Units by role before every 256th run. */
  private readonly checkpoints: Float64Array;

  /** @param remainder the role of units that are not free and that no owner claims */
  constructor(
    private readonly unit: UnitGeometry,
    owners: Ownership,
    freeSpace: FreeSpace,
    remainder: 'allocated' | 'lost',
  ) {
    const runs = new RunBuilder(unit.first, 2 * (owners.count + freeSpace.count) + 1);
    const end = unit.first + unit.count;
    const rest = roles.indexOf(remainder);
    let next = 0;
    const fill = (to: number) => {
      for (; next < freeSpace.count && freeSpace.starts[next] < to; next++) {
        const freeEnd = freeSpace.starts[next] + freeSpace.lengths[next];
        runs.extend(freeSpace.starts[next], rest);
        runs.extend(Math.min(freeEnd, to), free);
        if (freeEnd > to) break; // its other part may go on behind the owner
      }
      runs.extend(to, rest);
    };
    for (let row = 0; row < owners.count && runs.end < end; row++) {
      fill(Math.min(owners.starts[row], end));
      runs.extend(Math.min(owners.starts[row] + owners.lengths[row], end), owners.roles[row]);
    }
    fill(end);
    this.starts = runs.starts.slice(0, runs.count);
    this.roles = runs.roles.slice(0, runs.count);
    const { checkpoints, totals } = countUnits(this.starts, this.roles, end);
    this.checkpoints = checkpoints;
    this.totals = totals;
  }

  /** The run around a unit; the unit must be one of the volume's. */
  segment(unit: number): Segment {
    const index = this.indexOf(unit, 0);
    const start = this.starts[index];
    return { start, length: this.endOf(index) - start, role: roles[this.roles[index]] };
  }

  /**
   * Counts units from the volume's first one on, up to limits that never fall.
   * @returns a function that counts up to a unit, exclusive; its array changes at the next call
   */
  counter(): (to: number) => Float64Array {
    const counts = new Float64Array(roles.length);
    let index = 0;
    let counted = this.unit.first;
    return (to) => {
      if (to <= counted) return counts;
      const last = this.endOf(index) >= to ? index : this.indexOf(to - 1, index);
      const checkpoint = Math.floor(last / segmentsPerCheckpoint);
      if (checkpoint > Math.floor(index / segmentsPerCheckpoint)) {
        const at = checkpoint * roles.length;
        counts.set(this.checkpoints.subarray(at, at + roles.length));
        index = checkpoint * segmentsPerCheckpoint;
        counted = this.starts[index];
      }
      for (; index < last; index++) {
        counts[this.roles[index]] += this.endOf(index) - counted;
        counted = this.endOf(index);
      }
      counts[this.roles[index]] += to - counted;
      counted = to;
      return counts;
    };
  }

  private endOf(index: number): number {
    return index + 1 < this.starts.length
      ? this.starts[index + 1]
      : this.unit.first + this.unit.count;
  }

  /** The run that holds the unit, of those from index `low` on. */
  private indexOf(unit: number, low: number): number {
    let high = this.starts.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.starts[middle] <= unit) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** Runs without gaps; one that continues the role of the last joins it. */
class RunBuilder {
  count = 0;
  readonly starts: Float64Array;
  readonly roles: Uint8Array;

  /** @param end where the first run begins, and always where the last one ends */
  constructor(
    public end: number,
    limit: number,
  ) {
    this.starts = new Float64Array(limit);
    this.roles = new Uint8Array(limit);
  }

  /** Gives the units up to `to` a role, where they have none yet. */
  extend(to: number, role: number): void {
    if (to <= this.end) return;
    if (this.count === 0 || this.roles[this.count - 1] !== role) {
      this.starts[this.count] = this.end;
      this.roles[this.count] = role;
      this.count += 1;
    }
    this.end = to;
  }
}

function countUnits(starts: Float64Array, runRoles: Uint8Array, end: number) {
  const checkpoints = new Float64Array(
    Math.ceil(starts.length / segmentsPerCheckpoint) * roles.length,
  );
  const totals = new Float64Array(roles.length);
  for (let index = 0; index < starts.length; index++) {
    if (index % segmentsPerCheckpoint === 0) {
      checkpoints.set(totals, (index / segmentsPerCheckpoint) * roles.length);
    }
    const runEnd = index + 1 < starts.length ? starts[index + 1] : end;
    totals[runRoles[index]] += runEnd - starts[index];
  }
  return { checkpoints, totals };
}
