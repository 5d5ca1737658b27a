import type { NodeId } from '../../filesystem/node';
import { firstCluster } from '../boot-sector';
import { ClusterRuns } from '../chain';
import type { FatVolume } from '../fat-volume';

/** Why a chain is not taken as far as it goes. */
export type ClaimStop = 'end' | 'free' | 'bad' | 'enough' | 'taken' | 'loop';

export interface Claim {
  readonly runs: ClusterRuns;
  readonly stop: ClaimStop;
  /** The cluster that shows why: the first one that was not taken; of a whole chain the last one. */
  readonly at: number;
}

interface ChainOwner {
  readonly node: NodeId;
  readonly first: number;
  readonly count: number;
}

/** Chains whose owner is remembered, to be named when another chain runs into them. */
const mostOwners = 2 ** 20;

/** Who has which cluster. A cluster goes to the chain that comes first, as checkers do it. */
export class Claims {
  /** Values of the FAT, by cluster. */
  readonly read: (cluster: number) => number;
  private readonly taken: Uint8Array;
  private readonly owners: ChainOwner[] = [];
  private total = 0;

  constructor(private readonly volume: FatVolume) {
    this.read = volume.table.loaded();
    this.taken = new Uint8Array((volume.table.lastCluster + 8) >> 3);
  }

  /** Clusters that have an owner. */
  get count(): number {
    return this.total;
  }

  has(cluster: number): boolean {
    return ((this.taken[cluster >> 3] >> (cluster & 7)) & 1) !== 0;
  }

  /**
   * Takes a chain up to the first cluster that is free, bad or someone's.
   * @param first must be a cluster of the volume
   * @param most clusters that the node needs; more are not taken
   */
  take(node: NodeId, first: number, most: number): Claim {
    const { table } = this.volume;
    const runs = new ClusterRuns();
    const done = (stop: ClaimStop, at: number): Claim => {
      if (runs.count > 0 && this.owners.length < mostOwners)
        this.owners.push({ node, first, count: runs.count });
      return { runs, stop, at };
    };
    for (let cluster = first; ;) {
      const value = this.read(cluster);
      const meaning = table.meaning(value);
      if (meaning === 'free' || meaning === 'bad') return done(meaning, cluster);
      if (runs.count === most) return done('enough', cluster);
      if (this.has(cluster)) return done(holds(runs, cluster) ? 'loop' : 'taken', cluster);
      this.taken[cluster >> 3] |= 1 << (cluster & 7);
      this.total += 1;
      runs.add(cluster);
      // An entry that leads out of the volume is a finding of its own, and ends the chain.
      if (meaning !== 'next') return done('end', cluster);
      cluster = value;
    }
  }

  /** The node that a cluster was given to; walks the chains, which only a broken volume needs. */
  ownerOf(cluster: number): NodeId | undefined {
    for (const { node, first, count } of this.owners) {
      let at = first;
      for (let i = 0; i < count; i++) {
        if (at === cluster) return node;
        at = this.read(at);
      }
    }
    return undefined;
  }

  /**
   * Visits the runs of clusters that are in use and have no owner.
   * @returns how many clusters are lost, and how many are free
   */
  visitLost(visit: (first: number, count: number) => void): { lost: number; free: number } {
    const { table } = this.volume;
    let lost = 0;
    let free = 0;
    let run = 0;
    const endRun = (end: number) => {
      if (run > 0) visit(end - run, run);
      run = 0;
    };
    for (let cluster = firstCluster; cluster <= table.lastCluster; cluster++) {
      const value = this.read(cluster);
      if (value === 0) free += 1;
      if (value === 0 || this.has(cluster) || table.meaning(value) === 'bad') {
        endRun(cluster);
      } else {
        run += 1;
        lost += 1;
      }
    }
    endRun(table.lastCluster + 1);
    return { lost, free };
  }
}

function holds(runs: ClusterRuns, cluster: number): boolean {
  for (let run = 0; run < runs.runs; run++) {
    const from = cluster - runs.start(run);
    if (from >= 0 && from < runs.length(run)) return true;
  }
  return false;
}
