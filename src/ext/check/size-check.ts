import { directBlocks } from '../block-map';
import { inodeFlags, rootInode } from '../inode';
import type { CheckContext } from './context';
import { modeTypes, type InodeCursor } from './inode-cursor';
import type { MappingTally } from './mapping-tally';

const inlineBytes = 60;
const firstLargeSize = 2 ** 31;

/** Compares what an inode says of its size and its blocks with what its mapping says. */
export class SizeCheck {
  private readonly largestByPointers: number;
  private readonly largestByExtents: number;
  private readonly hasHugeFiles: boolean;
  private readonly hasExtents: boolean;

  constructor(private readonly context: CheckContext) {
    const { blockSize, features } = context.volume.geometry;
    this.hasHugeFiles = features.has('huge_file');
    this.hasExtents = features.has('extent');
    const perBlock = blockSize / 4;
    const blocks = directBlocks + perBlock + perBlock ** 2 + perBlock ** 3;
    this.largestByPointers = blocks * blockSize;
    this.largestByExtents = 2 ** 32 * blockSize - 1;
  }

  /** @param inlineLength of the attribute with the rest of inline content, -1 for none */
  check(inode: InodeCursor, tally: MappingTally, inlineLength: number): void {
    const isDirectory = inode.is(modeTypes.directory);
    const isInline = inode.has(inodeFlags.inlineData);
    if (tally.clusters === 0 && isDirectory && !isInline) {
      const message = `Directory inode ${inode.number} has no blocks.`;
      this.context.report.add('ext-directory-empty', message, inode.field('i_block'));
      return;
    }
    const complaint = isDirectory
      ? this.ofDirectory(inode, tally, isInline ? inlineLength : null)
      : this.ofFile(inode, tally);
    if (complaint !== null && !inode.is(modeTypes.symlink)) {
      const message = `Inode ${inode.number} claims a size of ${inode.size} bytes, but ${complaint}.`;
      this.context.report.add('ext-inode-size', message, inode.field('i_size_lo'));
    }
    if (inode.is(modeTypes.regular) && inode.size >= firstLargeSize) {
      this.context.hasLargeFiles = true;
    }
    this.checkBlocks(inode, tally);
    this.checkClusters(inode, tally);
  }

  private ofDirectory(
    inode: InodeCursor,
    tally: MappingTally,
    inlineLength: number | null,
  ): string | null {
    const { blockSize, values } = this.context.volume.geometry;
    if (inlineLength !== null) {
      const length = inlineBytes + Math.max(inlineLength, 0);
      return inode.size === length ? null : `there is room for ${length} in the inode`;
    }
    if (inode.size % blockSize !== 0) return 'that is no multiple of a block';
    const claimed = inode.size / blockSize;
    const there = tally.lastBlock + 1;
    if (claimed > there) return `there are ${there} blocks`;
    const isBeyond = there - claimed > values.s_prealloc_dir_blocks;
    return isBeyond ? `there are ${there} blocks` : null;
  }

  private ofFile(inode: InodeCursor, tally: MappingTally): string | null {
    const { blockSize } = this.context.volume.geometry;
    const beyond = tally.lastWritten >= 0 && inode.size < tally.lastWritten * blockSize;
    if (beyond && !inode.has(inodeFlags.verity))
      return `block ${tally.lastWritten} of it was written`;
    const hasTree = this.hasExtents && inode.has(inodeFlags.extents);
    const largest = hasTree ? this.largestByExtents : this.largestByPointers;
    return inode.size > largest ? `its mapping reaches to ${largest}` : null;
  }

  private checkBlocks(inode: InodeCursor, tally: MappingTally): void {
    const { geometry } = this.context.volume;
    if (geometry.creator === 'hurd') return;
    const isHuge = this.hasHugeFiles && inode.has(inodeFlags.hugeFile);
    const blocks = tally.clusters * geometry.clusterBlocks;
    const expected = isHuge ? blocks : blocks * (geometry.blockSize / 512);
    const hasHighHalf = isHuge && inode.u16(inode.fieldOffset('i_blocks_high')) !== 0;
    if (expected === inode.blocks && !hasHighHalf) return;
    const message = `Inode ${inode.number} counts ${inode.blocks} units of blocks, but uses ${expected}.`;
    this.context.report.add('ext-inode-blocks', message, inode.field('i_blocks_lo'));
  }

  /** Linux allocates clusters by extents only. */
  private checkClusters(inode: InodeCursor, tally: MappingTally): void {
    const { features, firstInode } = this.context.volume.geometry;
    if (!features.has('bigalloc') || tally.lastBlock < 0) return;
    if (inode.has(inodeFlags.extents) || inode.has(inodeFlags.inlineData)) return;
    if (!inode.is(modeTypes.regular) && !inode.is(modeTypes.directory)) return;
    if (inode.number !== rootInode && inode.number < firstInode) return;
    const message = `Inode ${inode.number} has block pointers on a volume with clusters.`;
    this.context.report.add('ext-cluster-pointers', message, inode.field('i_block'));
  }
}
