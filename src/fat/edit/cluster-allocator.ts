import { planAllocation, type AllocationPolicy } from '../../filesystem/allocation';
import { FreeSpaceBuilder } from '../../filesystem/free-space';
import { FreeSpaceIndex } from '../../filesystem/free-space-index';
import type { Progress } from '../../filesystem/progress';
import type { UnitRun } from '../../filesystem/sorted-runs';
import { ImageError } from '../../image/errors';
import { firstCluster } from '../boot-sector';
import type { ClusterRuns } from '../chain';
import { readFsInfo, writeFsInfo, type FsInfo } from '../fs-info';
import { TableWriter } from './table-writer';
import type { WritableFat } from './writable-fat';

export interface AllocatorOptions {
  readonly policy: AllocationPolicy;
  readonly progress: Progress;
  /**
   * Searches, links and writes each cluster for itself, as the Linux driver does in its
   * `fat_fallocate`: for comparisons only.
   */
  readonly oneAtATime?: boolean;
}

/** Takes clusters and gives them back: the FAT, and the hints of FSInfo. */
export class ClusterAllocator {
  private readonly table: TableWriter;
  private readonly info: FsInfo | undefined;
  /** Made when the first clusters are asked for: it needs the whole FAT. */
  private index: FreeSpaceIndex | undefined;
  /** Where the last cluster was taken; the driver looks for the next one behind it. */
  private lastTaken: number | undefined;
  /** Clusters given back less those taken. */
  private freed = 0;
  private isChanged = false;

  constructor(
    private readonly volume: WritableFat,
    private readonly options: AllocatorOptions,
  ) {
    this.table = new TableWriter(volume.bytes, volume.boot, volume.table);
    this.info = readFsInfo(volume.bytes, volume.boot);
  }

  /** Sectors of the FAT written so far, each copy counted. */
  get sectorsWritten(): number {
    return this.table.sectorsWritten;
  }

  /** Whether `finish` will have hints to write. */
  get hasHints(): boolean {
    return this.info !== undefined;
  }

  /**
   * Takes clusters as one chain.
   * @param last the last cluster of the chain that they continue
   * @throws ImageError `full`
   */
  allocate(count: number, last?: number): UnitRun[] {
    if (count === 0) return [];
    this.isChanged = true;
    this.freed -= count;
    return this.options.oneAtATime ? this.takeSingly(count, last) : this.takeAll(count, last);
  }

  /**
   * Gives back the clusters of a chain from a place on; what is left of it ends there.
   * @param keep clusters that stay
   */
  cut(runs: ClusterRuns, keep: number): void {
    if (keep >= runs.count) return;
    this.isChanged = true;
    this.freed += runs.count - keep;
    for (let run = runs.find(keep); run < runs.runs; run++) {
      const from = Math.max(keep - runs.logical(run), 0);
      const [start, length] = [runs.start(run) + from, runs.length(run) - from];
      this.table.free(start, length);
      this.index?.release(start, length);
    }
    if (keep > 0) this.table.link(runs.cluster(keep - 1), 1, undefined);
    this.table.flush();
  }

  /** Writes the hints; once, last. */
  finish(): void {
    if (!this.isChanged || !this.info) return;
    writeFsInfo(this.volume.bytes, this.volume.boot, {
      freeClusters: this.freeCount(),
      nextFree: this.lastTaken,
    });
  }

  /** One search, one link, and each sector of the FAT once. */
  private takeAll(count: number, last: number | undefined): UnitRun[] {
    const index = (this.index ??= this.makeIndex());
    const runs = planAllocation(index, {
      units: count,
      unit: 'cluster',
      policy: this.options.policy,
      goal: last === undefined ? undefined : last + 1,
      hint: this.searchStart(),
    });
    runs.forEach(({ start, length }, i) => {
      index.take(start, length);
      this.table.link(start, length, runs.at(i + 1)?.start);
      this.lastTaken = start + length - 1;
    });
    if (last !== undefined) this.table.link(last, 1, runs[0].start);
    this.table.flush();
    return runs;
  }

  private takeSingly(count: number, last: number | undefined): UnitRun[] {
    const runs: UnitRun[] = [];
    let end = last;
    for (let i = 0; i < count; i++) {
      const cluster = this.findFree();
      this.table.link(cluster, 1, undefined);
      this.table.flush();
      if (end !== undefined) {
        this.table.link(end, 1, cluster);
        this.table.flush();
      }
      const run = runs.at(-1);
      if (run && run.start + run.length === cluster) {
        runs[runs.length - 1] = { start: run.start, length: run.length + 1 };
      } else {
        runs.push({ start: cluster, length: 1 });
      }
      end = this.lastTaken = cluster;
    }
    return runs;
  }

  /** The first free cluster behind the last one that was taken, around the end. */
  private findFree(): number {
    const { clusters } = this.volume.boot;
    const offset = this.searchStart() - firstCluster;
    for (let i = 0; i < clusters; i++) {
      const cluster = firstCluster + ((offset + i) % clusters);
      if (this.table.get(cluster) === 0) return cluster;
    }
    throw new ImageError('full', 'The volume is full: no cluster is free.');
  }

  private searchStart(): number {
    const start = (this.lastTaken ?? this.info?.nextFree ?? 0) + 1;
    return this.volume.table.has(start) ? start : firstCluster;
  }

  private makeIndex(): FreeSpaceIndex {
    const free = new FreeSpaceBuilder();
    const { table } = this.volume;
    table.visitFree((start, length) => free.add(start, length), this.options.progress);
    return FreeSpaceIndex.of(free.build());
  }

  /** Counted where the FAT was read as a whole, else what the hint said and what has changed. */
  private freeCount(): number | null {
    if (this.index) return this.index.total;
    const stored = this.info?.freeClusters ?? null;
    const count = stored === null ? null : stored + this.freed;
    return count === null || count < 0 || count > this.volume.boot.clusters ? null : count;
  }
}
