import { ImageError } from '../../image/errors';
import { groupStart, type Geometry } from '../superblock';

/** For the maps of one volume together, in bytes. */
const memoryLimit = 192 * 2 ** 20;

/**
 * A set of the clusters of a volume, kept group by group: a group of which nothing is in the set
 * costs nothing, so a sparse volume of many TiB costs what it uses.
 */
export class ClusterSet {
  private readonly chunks = new Map<number, Uint8Array>();
  private readonly perGroup: number;
  private readonly chunkBytes: number;
  /** The group that was asked for last: neighbours are asked for together. */
  private lastGroup = -1;
  private last: Uint8Array | undefined;

  constructor(private readonly geometry: Geometry) {
    this.perGroup = geometry.blocksPerGroup / geometry.clusterBlocks;
    this.chunkBytes = Math.ceil(this.perGroup / 8);
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
   * @param again told of each cluster that was in it before, by its first block
   */
  add(start: number, length: number, again?: (block: number) => void): void {
    const { firstDataBlock, blocksPerGroup, clusterBlocks } = this.geometry;
    const end = start + length;
    for (let block = start; block < end;) {
      const group = Math.floor((block - firstDataBlock) / blocksPerGroup);
      const first = groupStart(this.geometry, group);
      const stop = Math.min(end, first + blocksPerGroup);
      const chunk = this.bits(group) ?? this.newChunk(group);
      const from = Math.floor((block - first) / clusterBlocks);
      const to = Math.ceil((stop - first) / clusterBlocks);
      for (let bit = from; bit < to;) {
        if ((bit & 7) === 0 && to - bit >= 8 && chunk[bit >>> 3] === 0) {
          chunk[bit >>> 3] = 0xff;
          bit += 8;
          continue;
        }
        const mask = 1 << (bit & 7);
        if ((chunk[bit >>> 3] & mask) !== 0) again?.(first + bit * clusterBlocks);
        else chunk[bit >>> 3] |= mask;
        bit += 1;
      }
      block = stop;
    }
  }

  /** True where any cluster of the run is in the set. */
  touches(start: number, length: number): boolean {
    if (this.chunks.size === 0) return false;
    const { clusterBlocks } = this.geometry;
    for (let block = start; block < start + length; block += clusterBlocks) {
      if (this.has(block)) return true;
    }
    return length > 0 && this.has(start + length - 1);
  }

  /** The bits of a group as its bitmap has them; undefined where all are zero. */
  bits(group: number): Uint8Array | undefined {
    if (group !== this.lastGroup) {
      this.lastGroup = group;
      this.last = this.chunks.get(group);
    }
    return this.last;
  }

  /** The runs of blocks in the set, in order, each within its group. */
  *runs(): Generator<{ readonly start: number; readonly length: number }> {
    const { clusterBlocks } = this.geometry;
    for (const group of [...this.chunks.keys()].sort((a, b) => a - b)) {
      const chunk = this.chunks.get(group) ?? new Uint8Array(0);
      const first = groupStart(this.geometry, group);
      let from = -1;
      for (let bit = 0; bit <= this.perGroup; bit++) {
        const isSet = bit < this.perGroup && (chunk[bit >>> 3] & (1 << (bit & 7))) !== 0;
        if (isSet && from < 0) from = bit;
        if (isSet || from < 0) continue;
        yield { start: first + from * clusterBlocks, length: (bit - from) * clusterBlocks };
        from = -1;
      }
    }
  }

  private newChunk(group: number): Uint8Array {
    if ((this.chunks.size + 1) * this.chunkBytes > memoryLimit) {
      throw new ImageError('unsupported', 'The volume uses too many blocks to be checked at once.');
    }
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
  private readonly noteShared: (block: number) => void;

  /** @param mayShare where sharing is what the volume is made for (feature `shared_blocks`) */
  constructor(geometry: Geometry, mayShare: boolean) {
    this.claimed = new ClusterSet(geometry);
    this.shared = new ClusterSet(geometry);
    this.metadata = new ClusterSet(geometry);
    this.noteShared = mayShare ? () => undefined : (block) => this.shared.add(block, 1);
  }

  claim(start: number, length: number): void {
    this.claimed.add(start, length, this.noteShared);
  }
}
