import { groupStart, type Geometry } from '../superblock';
import { countOnes, maskOf } from './bits';
import type { MemoryBudget } from './memory-budget';

/**
 * A set of the clusters of a volume, kept group by group: a group of which nothing or everything is
 * in the set costs nothing, so a volume of many TiB costs what is in pieces on it.
 */
export class ClusterSet {
  private readonly chunks = new Map<number, Uint8Array>();
  private readonly perGroup: number;
  private readonly chunkBytes: number;
  /** Stands for every group that is in the set as a whole; nothing can be added to it. */
  private readonly full: Uint8Array;
  /** The group that was asked for last: neighbours are asked for together. */
  private lastGroup = -1;
  private last: Uint8Array | undefined;

  constructor(
    private readonly geometry: Geometry,
    private readonly memory: MemoryBudget,
  ) {
    this.perGroup = geometry.blocksPerGroup / geometry.clusterBlocks;
    this.chunkBytes = Math.ceil(this.perGroup / 8);
    this.full = new Uint8Array(this.chunkBytes).fill(0xff);
  }

  get isEmpty(): boolean {
    return this.chunks.size === 0;
  }

  has(block: number): boolean {
    const { firstDataBlock, blocksPerGroup, clusterBlocks } = this.geometry;
    const group = Math.floor((block - firstDataBlock) / blocksPerGroup);
    const chunk = this.bits(group);
    if (!chunk) return false;
    const bit = Math.floor((block - groupStart(this.geometry, group)) / clusterBlocks);
    return (chunk[bit >>> 3] & (1 << (bit & 7))) !== 0;
  }

  /**
   * Puts the clusters that a run of blocks touches into the set.
   * @param again a set of the same volume, which gets those that were in this one before
   */
  add(start: number, length: number, again: ClusterSet | null = null): void {
    const { firstDataBlock, blocksPerGroup, clusterBlocks } = this.geometry;
    const end = start + length;
    for (let block = start; block < end;) {
      const group = Math.floor((block - firstDataBlock) / blocksPerGroup);
      const first = groupStart(this.geometry, group);
      const stop = Math.min(end, first + blocksPerGroup);
      const chunk = this.bits(group) ?? this.newChunk(group);
      const from = Math.floor((block - first) / clusterBlocks);
      const to = Math.ceil((stop - first) / clusterBlocks);
      const lastByte = (to - 1) >>> 3;
      for (let byte = from >>> 3; byte <= lastByte; byte++) {
        const mask = maskOf(byte, from, to);
        const known = chunk[byte] & mask;
        if (known !== 0 && again) (again.bits(group) ?? again.newChunk(group))[byte] |= known;
        chunk[byte] |= mask;
      }
      // Whoever fills a group comes with long runs: to look after each would cost more than it gains.
      if (to - from >= this.perGroup / 2) this.shareFull(group, chunk);
      block = stop;
    }
  }

  /** How many of the clusters that a run of blocks touches are in the set. */
  count(start: number, length: number): number {
    const { firstDataBlock, blocksPerGroup, clusterBlocks } = this.geometry;
    const end = start + length;
    let count = 0;
    for (let block = start; block < end;) {
      const group = Math.floor((block - firstDataBlock) / blocksPerGroup);
      const first = groupStart(this.geometry, group);
      const stop = Math.min(end, first + blocksPerGroup);
      const chunk = this.bits(group);
      const from = Math.floor((block - first) / clusterBlocks);
      if (chunk) count += countOnes(chunk, from, Math.ceil((stop - first) / clusterBlocks));
      block = stop;
    }
    return count;
  }

  /** The bits of a group as its bitmap has them; undefined where all are zero. */
  bits(group: number): Uint8Array | undefined {
    if (group !== this.lastGroup) {
      this.lastGroup = group;
      this.last = this.chunks.get(group);
    }
    return this.last;
  }

  /** The first block of the lowest cluster in the set; -1 where it is empty. */
  first(): number {
    const group = Math.min(...this.chunks.keys());
    const chunk = this.chunks.get(group);
    if (!chunk) return -1;
    const byte = chunk.findIndex((bits) => bits !== 0);
    const bit = 8 * byte + 31 - Math.clz32(chunk[byte] & -chunk[byte]);
    return groupStart(this.geometry, group) + bit * this.geometry.clusterBlocks;
  }

  private shareFull(group: number, chunk: Uint8Array): void {
    if (chunk === this.full || Buffer.compare(chunk, this.full) !== 0) return;
    this.memory.giveBack(this.chunkBytes);
    this.chunks.set(group, this.full);
    this.last = this.full;
  }

  private newChunk(group: number): Uint8Array {
    this.memory.take(this.chunkBytes);
    const chunk = new Uint8Array(this.chunkBytes);
    this.chunks.set(group, chunk);
    this.last = chunk;
    return chunk;
  }
}

/** Which blocks are claimed, by whatever claims them, and which of them more than once. */
export class BlockClaims {
  readonly claimed: ClusterSet;
  readonly shared: ClusterSet;
  /** What the volume keeps for itself: superblocks, descriptors, bitmaps, inode tables. */
  readonly metadata: ClusterSet;

  /** @param mayShare where sharing is what the volume is made for (feature `shared_blocks`) */
  constructor(
    geometry: Geometry,
    memory: MemoryBudget,
    private readonly mayShare: boolean,
  ) {
    this.claimed = new ClusterSet(geometry, memory);
    this.shared = new ClusterSet(geometry, memory);
    this.metadata = new ClusterSet(geometry, memory);
  }

  claim(start: number, length: number): void {
    this.claimed.add(start, length, this.mayShare ? null : this.shared);
  }
}
