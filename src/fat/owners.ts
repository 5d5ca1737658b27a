import { OwnershipBuilder, type Ownership, type Role } from '../filesystem/ownership';
import { noProgress, type Progress } from '../filesystem/progress';
import type { NodeId } from '../filesystem/node';
import { slotSize } from './boot-sector';
import { ClusterRuns } from './chain';
import { DirectorySlots, largestDirectory } from './directory';
import type { FatVolume } from './fat-volume';
import { firstClusterAt, isDirectorySlot, isDotSlot, slotKind } from './slots';

const nodesPerReport = 1024;

/** Who owns each cluster: directories, files, clusters marked bad, and what nothing leads to. */
export function findOwners(volume: FatVolume, progress: Progress = noProgress): Ownership {
  return new OwnerSearch(volume, true, progress).run();
}

/** The clusters of directories alone, which takes no look at any file's chain. */
export function findDirectories(volume: FatVolume): Ownership {
  return new OwnerSearch(volume, false, noProgress).run();
}

/** The clusters that hold structures of the volume itself: the start of the root on FAT32. */
export function findMetadata(volume: FatVolume): Ownership {
  const owners = new OwnershipBuilder();
  const { rootCluster } = volume.boot;
  if (volume.table.has(rootCluster)) owners.addNode(rootCluster, 1, 'directory', rootId, 0);
  return owners.build();
}

const rootId: NodeId = 0;

/**
 * Walks the tree from the root. A cluster belongs to who comes first: a chain ends where it runs
 * into one that is claimed already, so that shared clusters and loops cost nothing more.
 */
class OwnerSearch {
  private readonly owners = new OwnershipBuilder();
  private readonly claims: Uint8Array;
  private readonly read: (cluster: number) => number;
  /** Directories still to be looked into: their clusters that were claimed. */
  private readonly directories: ClusterRuns[] = [];
  private claimed = 0;
  private nodes = 0;

  constructor(
    private readonly volume: FatVolume,
    private readonly withFiles: boolean,
    private readonly progress: Progress,
  ) {
    this.claims = new Uint8Array(Math.ceil((volume.table.lastCluster + 1) / 8));
    this.read = withFiles ? volume.table.loaded() : volume.table.reader();
  }

  run(): Ownership {
    this.searchRoot();
    for (let runs = this.directories.pop(); runs; runs = this.directories.pop()) {
      runs.cut(Math.ceil(largestDirectory / this.volume.boot.clusterSize));
      this.search(new DirectorySlots(this.volume, runs, []));
    }
    if (this.withFiles) this.addUnclaimed();
    return this.owners.build();
  }

  private searchRoot(): void {
    const { bits, rootCluster } = this.volume.boot;
    if (bits === 32) this.addDirectory(rootId, rootCluster);
    else this.search(new DirectorySlots(this.volume, undefined, []));
  }

  private search(slots: DirectorySlots): void {
    const { bytes, count } = slots;
    for (let index = 0; index < count; index++) {
      const at = index * slotSize;
      const kind = slotKind(bytes, at);
      if (kind === 'end') return;
      if (kind !== 'short' || isDotSlot(bytes, at)) continue;
      const first = firstClusterAt(bytes, at, this.volume.boot.bits);
      if (isDirectorySlot(bytes, at)) this.addDirectory(slots.offsetOf(index), first);
      else if (this.withFiles && first !== 0) this.claim(slots.offsetOf(index), first, 'file');
    }
  }

  private addDirectory(node: NodeId, first: number): void {
    const runs = this.claim(node, first, 'directory');
    if (runs.count > 0) this.directories.push(runs);
  }

  /** Takes a chain up to the first cluster that is free, bad or someone else's. */
  private claim(node: NodeId, first: number, role: Role): ClusterRuns {
    const { table } = this.volume;
    const runs = new ClusterRuns();
    let cluster = first;
    while (table.has(cluster) && !this.isClaimed(cluster)) {
      const value = this.read(cluster);
      const meaning = table.meaning(value);
      if (meaning === 'free' || meaning === 'bad') break;
      this.claims[cluster >> 3] |= 1 << (cluster & 7);
      runs.add(cluster);
      if (meaning !== 'next') break;
      cluster = value;
    }
    for (let run = 0; run < runs.runs; run++) {
      this.owners.addNode(runs.start(run), runs.length(run), role, node, runs.logical(run));
    }
    this.claimed += runs.count;
    this.nodes += 1;
    if (this.nodes % nodesPerReport === 0) {
      this.progress.report(this.claimed, 2 * this.volume.boot.clusters);
    }
    return runs;
  }

  private isClaimed(cluster: number): boolean {
    return (this.claims[cluster >> 3] & (1 << (cluster & 7))) !== 0;
  }

  /** What is in use according to the FAT, but was met nowhere in the tree. */
  private addUnclaimed(): void {
    const { table, boot } = this.volume;
    const rest: Progress = {
      report: (done) => this.progress.report(boot.clusters + done, 2 * boot.clusters),
    };
    table.scan((first, values) => {
      let i = 0;
      while (i < values.length) {
        const start = i;
        const role = this.unclaimedRole(first + i, values[i]);
        do i += 1;
        while (i < values.length && this.unclaimedRole(first + i, values[i]) === role);
        if (role) this.owners.addStructure(first + start, i - start, role, unclaimedNames[role]);
      }
      return false;
    }, rest);
  }

  private unclaimedRole(cluster: number, value: number): 'bad' | 'lost' | undefined {
    if (value === 0 || this.isClaimed(cluster)) return undefined;
    return this.volume.table.meaning(value) === 'bad' ? 'bad' : 'lost';
  }
}

const unclaimedNames = {
  bad: 'marked bad in the FAT',
  lost: 'in use in the FAT, but nothing leads to it',
};
