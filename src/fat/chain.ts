import { appendExtent, type Extent } from '../filesystem/extents';
import type { FatTable } from './table';

/** Runs of clusters in the order of a chain, as columns: a file may lie in millions of pieces. */
export class ClusterRuns {
  private starts = new Uint32Array(4);
  /** Clusters of the chain up to and with each run. */
  private ends = new Uint32Array(4);
  private used = 0;

  /** In clusters. */
  get count(): number {
    return this.used === 0 ? 0 : this.ends[this.used - 1];
  }

  get runs(): number {
    return this.used;
  }

  start(run: number): number {
    return this.starts[run];
  }

  logical(run: number): number {
    return run === 0 ? 0 : this.ends[run - 1];
  }

  length(run: number): number {
    return this.ends[run] - this.logical(run);
  }

  /** The cluster at a place in the chain, which must be below `count`. */
  cluster(logical: number): number {
    const run = this.find(logical);
    return this.starts[run] + logical - this.logical(run);
  }

  /** The run that holds the cluster at a place in the chain. */
  find(logical: number): number {
    let low = 0;
    let high = this.used;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.ends[middle] <= logical) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  add(start: number, length = 1): void {
    const last = this.used - 1;
    if (last >= 0 && this.starts[last] + this.length(last) === start) {
      this.ends[last] += length;
      return;
    }
    if (this.used === this.starts.length) {
      this.starts = doubled(this.starts);
      this.ends = doubled(this.ends);
    }
    this.ends[this.used] = this.count + length;
    this.starts[this.used] = start;
    this.used += 1;
  }

  /** Keeps the first `count` clusters. */
  cut(count: number): void {
    while (this.used > 0 && this.logical(this.used - 1) >= count) this.used -= 1;
    if (this.count > count) this.ends[this.used - 1] = count;
  }

  extents(): Extent[] {
    const extents: Extent[] = [];
    for (let run = 0; run < this.used; run++) {
      appendExtent(extents, {
        logical: this.logical(run),
        physical: this.starts[run],
        length: this.length(run),
      });
    }
    return extents;
  }
}

function doubled(column: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * column.length);
  larger.set(column);
  return larger;
}

/** Why a chain ended. All but `end` are broken. */
export type ChainStop = 'end' | 'loop' | 'free' | 'bad' | 'out-of-range' | 'limit';

export interface Chain {
  readonly runs: ClusterRuns;
  readonly stop: ChainStop;
  /** The cluster that shows why it ended; of a loop the one that leads back. */
  readonly at: number;
}

/**
 * Follows a chain. A free or bad cluster that it runs into ends it and is no part of it, as the
 * reference checker takes it.
 * @param first must be a cluster that the table has
 * @param limit clusters that are wanted at most; loops within it are always found
 */
export function followChain(table: FatTable, first: number, limit: number): Chain {
  const read = table.reader();
  const runs = new ClusterRuns();
  let cluster = first;
  // Brent's cycle detection: a mark that stays behind, at distances that double. It sees a loop
  // at the latest after three times the clusters before and in it.
  let mark = first;
  let distance = 0;
  let nextMark = 1;
  for (let step = 0; step <= 3 * limit + 8; step++) {
    const value = read(cluster);
    const meaning = table.meaning(value);
    if (meaning === 'free' || meaning === 'bad') return { runs, stop: meaning, at: cluster };
    if (step < limit) runs.add(cluster);
    if (meaning !== 'next') return { runs, stop: step < limit ? meaning : 'limit', at: cluster };
    if (distance === nextMark) {
      mark = cluster;
      nextMark *= 2;
      distance = 0;
    }
    distance += 1;
    cluster = value;
    if (cluster === mark) {
      const { length, closing } = measureLoop(read, first, distance);
      runs.cut(length);
      return { runs, stop: length > limit ? 'limit' : 'loop', at: closing };
    }
  }
  return { runs, stop: 'limit', at: cluster };
}

/** How many clusters a chain has before it repeats, and which one leads back. */
function measureLoop(read: (cluster: number) => number, first: number, period: number) {
  let ahead = first;
  let closing = first;
  for (let i = 0; i < period; i++) {
    closing = ahead;
    ahead = read(ahead);
  }
  let behind = first;
  let length = period;
  while (ahead !== behind) {
    closing = ahead;
    ahead = read(ahead);
    behind = read(behind);
    length += 1;
  }
  return { length, closing };
}
