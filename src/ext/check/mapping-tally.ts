import type { Geometry } from '../superblock';
import type { ProblemCode } from './problem-table';

/** Who learns what the walk over a mapping finds. */
export interface MappingSink {
  /** Blocks of content, or a block that tells where content lies. */
  claim(start: number, length: number): void;
  /**
   * Whether to look into a block of pointers or extents. No for one that was looked into before:
   * so no cycle and no fan-in makes more of an image than its bytes.
   */
  mayEnter(block: number): boolean;
  /** A run of content; physical 0 is a hole that a directory must not have. */
  run(logical: number, physical: number, length: number): void;
  /** @param offset in the image, in bytes */
  report(code: ProblemCode, message: string, offset: number, length: number): void;
}

/** What a walk counts. Blocks without bigalloc are clusters of one block. */
export class MappingTally {
  /** Clusters that belong to the inode, those with pointers included. */
  clusters = 0;
  /** The last block of content, -1 before the first. */
  lastBlock = -1;
  /** The last block of content that was written; -1 where none was. */
  lastWritten = -1;
  private previous = 0;

  constructor(
    private readonly geometry: Geometry,
    private readonly sink: MappingSink,
  ) {}

  /** Starts with another inode. @param clusters that belong to it beside its content */
  start(clusters: number): void {
    this.clusters = clusters;
    this.lastBlock = -1;
    this.lastWritten = -1;
    this.previous = 0;
  }

  /** A block that tells where content lies. */
  addNode(block: number): void {
    this.sink.claim(block, 1);
    this.clusters += 1;
  }

  /**
   * A run of content. With bigalloc, a run that goes on in the cluster where the one before it
   * ended does not claim that cluster again.
   */
  addRun(logical: number, physical: number, length: number): void {
    const { clusterBlocks } = this.geometry;
    if (clusterBlocks === 1) {
      this.sink.claim(physical, length);
      this.clusters += length;
    } else {
      const cluster = Math.floor(physical / clusterBlocks);
      const goesOn = this.previous !== 0 && Math.floor(this.previous / clusterBlocks) === cluster;
      const from = (goesOn ? cluster + 1 : cluster) * clusterBlocks;
      const left = physical + length - from;
      if (left > 0) {
        this.sink.claim(from, left);
        this.clusters += Math.ceil(left / clusterBlocks);
      }
    }
    this.lastBlock = logical + length - 1;
    this.previous = physical + length - 1;
  }

  /** Whether a run lies otherwise in its cluster than in the content (bigalloc). */
  isMisaligned(logical: number, physical: number): boolean {
    const { clusterBlocks } = this.geometry;
    if (clusterBlocks === 1) return false;
    if (logical % clusterBlocks !== physical % clusterBlocks) return true;
    if (this.previous === 0 || logical % clusterBlocks === 0) return false;
    const clusterOf = (block: number) => Math.floor(block / clusterBlocks);
    return (
      clusterOf(logical) === clusterOf(this.lastBlock) &&
      clusterOf(physical) !== clusterOf(this.previous)
    );
  }
}
