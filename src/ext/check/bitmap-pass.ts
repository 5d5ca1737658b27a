import { readBytes } from '../../image/bytes';
import { usedByGroupItself } from '../bitmaps';
import { bitmapChecksum } from '../checksums';
import { groupDescriptor } from '../groups';
import { groupBlocks, holdsBlocks, superblock } from '../superblock';
import { countOnes } from './bits';
import type { CheckContext } from './context';
import { inodeFacts } from './inode-columns';
import type { ProblemCode } from './problem-table';

/** A run of bits that differ in the same way. */
type VisitDifference = (first: number, count: number, isMarked: boolean) => void;

/** The fifth pass: compares bitmaps and counts with what the other passes found in use. */
export class BitmapPass {
  private freeBlocks = 0;
  private freeInodes = 0;
  private firstBlockFinding = -1;
  private firstInodeFinding = -1;

  constructor(private readonly context: CheckContext) {}

  run(): void {
    const { groups, progress } = this.context;
    for (let group = 0; group < groups.count; group++) {
      if (group % 64 === 0) progress.report(group, groups.count);
      this.checkBlocks(group);
      this.checkInodes(group);
    }
    this.checkTotals();
  }

  private checkBlocks(group: number): void {
    const { groups, claims, volume } = this.context;
    const { geometry } = volume;
    const clusters = Math.ceil(groupBlocks(geometry, group) / geometry.clusterBlocks);
    const perGroup = geometry.blocksPerGroup / geometry.clusterBlocks;
    const isComputed = groups.isWithoutBitmap(group);
    const bitmap = isComputed
      ? this.computedBitmap(group, perGroup)
      : this.readBitmap(groups.blockBitmap[group]);
    if (!bitmap) return;
    const place = volume.bytes.offset + groups.blockBitmap[group] * geometry.blockSize;
    const actual = claims.claimed.bits(group) ?? new Uint8Array(Math.ceil(perGroup / 8));
    const free = clusters - countOnes(bitmap, 0, clusters);
    this.freeBlocks += free;
    let cause = -1;
    visitDifferences(bitmap, actual, clusters, (first, count, isMarked) => {
      const start = groups.start(group) + first * geometry.clusterBlocks;
      const end = start + count * geometry.clusterBlocks - 1;
      const what = isMarked
        ? 'marked as used, but nothing uses'
        : 'in use, but the bitmap does not mark';
      const range = start === end ? `Block ${start} is` : `Blocks ${start} to ${end} are`;
      const message = `${range} ${what} ${start === end ? 'it' : 'them'}.`;
      const code = isMarked ? 'ext-block-bitmap-unused' : 'ext-block-bitmap-used';
      const found = this.bits(code, message, place, first, count, `block bitmap of group ${group}`);
      if (cause < 0) cause = found;
    });
    if (this.firstBlockFinding < 0) this.firstBlockFinding = cause;
    if (isComputed) this.checkHidden(group, groups.blockBitmap[group], clusters, 'block');
    else {
      this.checkPadding(bitmap, clusters, place, `block bitmap of group ${group}`);
      const right = bitmapChecksum(geometry, bitmap, perGroup);
      this.checkChecksum(group, 'block', right, groups.blockBitmapChecksum[group], cause);
    }
    if (free === groups.freeBlocks[group]) return;
    const units = geometry.clusterBlocks > 1 ? 'clusters' : 'blocks';
    const message = `Group ${group} counts ${groups.freeBlocks[group]} free ${units}, but its bitmap has ${free}.`;
    const field = groups.field(group, 'bg_free_blocks_count_lo');
    this.context.report.add('ext-group-free-blocks', message, { ...field, cause });
  }

  private checkInodes(group: number): void {
    const { groups, inodes, volume } = this.context;
    const { geometry } = volume;
    const { inodesPerGroup, blockSize } = geometry;
    const isComputed = groups.isWithoutInodes(group);
    const bytes = Math.ceil(inodesPerGroup / 8);
    const bitmap = isComputed ? new Uint8Array(bytes) : this.readBitmap(groups.inodeBitmap[group]);
    if (!bitmap) return;
    const place = volume.bytes.offset + groups.inodeBitmap[group] * blockSize;
    const facts = inodes.groupFlags(group);
    const actual = new Uint8Array(bytes);
    let directories = 0;
    for (let i = 0; facts && i < facts.length; i++) {
      if ((facts[i] & inodeFacts.used) === 0) continue;
      actual[i >>> 3] |= 1 << (i & 7);
      const isMarked = (bitmap[i >>> 3] & (1 << (i & 7))) !== 0;
      if (isMarked && (facts[i] & inodeFacts.directory) !== 0) directories += 1;
    }
    const free = inodesPerGroup - countOnes(bitmap, 0, inodesPerGroup);
    this.freeInodes += free;
    let cause = -1;
    visitDifferences(bitmap, actual, inodesPerGroup, (first, count, isMarked) => {
      const start = group * inodesPerGroup + first + 1;
      const end = start + count - 1;
      const what = isMarked ? 'marked as used, but not' : 'in use, but not marked so';
      const message = `Inode${count > 1 ? `s ${start} to ${end} are` : ` ${start} is`} ${what}.`;
      const code = isMarked ? 'ext-inode-bitmap-unused' : 'ext-inode-bitmap-used';
      const found = this.bits(
        code,
        message,
        place,
        first,
        count,
        `inode bitmap of group ${group}`,
        start,
      );
      if (cause < 0) cause = found;
    });
    if (this.firstInodeFinding < 0) this.firstInodeFinding = cause;
    if (isComputed) this.checkHidden(group, groups.inodeBitmap[group], inodesPerGroup, 'inode');
    else {
      this.checkPadding(bitmap, inodesPerGroup, place, `inode bitmap of group ${group}`);
      const right = bitmapChecksum(geometry, bitmap, inodesPerGroup);
      this.checkChecksum(group, 'inode', right, groups.inodeBitmapChecksum[group], cause);
    }
    const { report } = this.context;
    if (free !== groups.freeInodes[group]) {
      const message = `Group ${group} counts ${groups.freeInodes[group]} free inodes, but its bitmap has ${free}.`;
      report.add('ext-group-free-inodes', message, {
        ...groups.field(group, 'bg_free_inodes_count_lo'),
        cause,
      });
    }
    if (directories !== groups.directories[group]) {
      const message = `Group ${group} counts ${groups.directories[group]} directories, but has ${directories}.`;
      report.add('ext-group-directories', message, {
        ...groups.field(group, 'bg_used_dirs_count_lo'),
        cause,
      });
    }
  }

  private checkTotals(): void {
    const { geometry } = this.context.volume;
    if (this.context.groups.count < geometry.groups) return;
    const free = this.freeBlocks * geometry.clusterBlocks;
    const total = (
      field: 's_free_blocks_count_lo' | 's_free_inodes_count',
      message: string,
      cause: number,
    ) => {
      const { offset, length } = superblock.fields[field];
      this.context.report.add('ext-superblock-free', message, {
        offset: this.context.superblockPlace + offset,
        length,
        field: `superblock.${field}`,
        cause,
      });
    };
    if (free !== geometry.freeBlocks) {
      const message = `The superblock counts ${geometry.freeBlocks} free blocks, but the bitmaps have ${free}.`;
      total('s_free_blocks_count_lo', message, this.firstBlockFinding);
    }
    const counted = geometry.values.s_free_inodes_count;
    if (this.freeInodes !== counted) {
      const message = `The superblock counts ${counted} free inodes, but the bitmaps have ${this.freeInodes}.`;
      total('s_free_inodes_count', message, this.firstInodeFinding);
    }
  }

  /**
   * A bitmap that is said to be unwritten. Where the checksum of the descriptor is wrong nobody
   * believes that: it is read, and then has to be filled up.
   */
  private checkHidden(group: number, block: number, bits: number, kind: string): void {
    const { groups, volume } = this.context;
    if (groups.checksum[group] === groups.rightChecksum[group]) return;
    const bitmap = this.readBitmap(block);
    const place = volume.bytes.offset + block * volume.geometry.blockSize;
    if (bitmap) this.checkPadding(bitmap, bits, place, `${kind} bitmap of group ${group}`);
  }

  /** Bits past those of a group are set, to the end of the block. */
  private checkPadding(bitmap: Uint8Array, bits: number, place: number, name: string): void {
    for (let bit = bits; bit < bitmap.length * 8; bit++) {
      if ((bit & 7) === 0 && bitmap[bit >>> 3] === 0xff) {
        bit += 7;
        continue;
      }
      if ((bitmap[bit >>> 3] & (1 << (bit & 7))) !== 0) continue;
      const message = `The ${name} is not filled up behind its ${bits} bits.`;
      this.bits('ext-bitmap-padding', message, place, bit, 1, name);
      return;
    }
  }

  private checkChecksum(
    group: number,
    kind: 'block' | 'inode',
    right: number,
    claimed: number,
    cause: number,
  ): void {
    const { features, descriptorSize } = this.context.volume.geometry;
    if (!features.has('metadata_csum')) return;
    const isWide = descriptorSize >= groupDescriptor.size;
    if (claimed === (isWide ? right : right & 0xffff)) return;
    const message = `The checksum of the ${kind} bitmap of group ${group} does not match.`;
    const place = this.context.groups.field(group, `bg_${kind}_bitmap_csum_lo`);
    this.context.report.add('ext-bitmap-checksum', message, { ...place, cause });
  }

  private bits(
    code: ProblemCode,
    message: string,
    place: number,
    first: number,
    count: number,
    field: string,
    inode?: number,
  ): number {
    const from = first >>> 3;
    const length = ((first + count - 1) >>> 3) - from + 1;
    return this.context.report.add(code, message, {
      offset: place + from,
      length,
      field,
      ...(inode !== undefined && { inode }),
    });
  }

  private readBitmap(block: number): Uint8Array | null {
    const { geometry, bytes } = this.context.volume;
    if (block === 0 || !holdsBlocks(geometry, block)) return null;
    return readBytes(bytes, block * geometry.blockSize, geometry.blockSize);
  }

  /** Of a bitmap that was never written: only what the group keeps for itself is in use. */
  private computedBitmap(group: number, perGroup: number): Uint8Array {
    const { volume } = this.context;
    const bitmap = new Uint8Array(Math.ceil(perGroup / 8));
    for (const [from, to] of usedByGroupItself(volume, volume.groups.group(group))) {
      for (let bit = from; bit < to; bit++) bitmap[bit >>> 3] |= 1 << (bit & 7);
    }
    return bitmap;
  }
}

/** Visits the runs of bits that are set in one of two bitmaps only, in order. */
function visitDifferences(
  bitmap: Uint8Array,
  actual: Uint8Array,
  bits: number,
  visit: VisitDifference,
): void {
  let start = -1;
  let isMarked = false;
  for (let bit = 0; bit < bits; bit++) {
    const byte = bit >>> 3;
    if ((bit & 7) === 0 && start < 0 && bitmap[byte] === actual[byte]) {
      bit += 7;
      continue;
    }
    const mask = 1 << (bit & 7);
    const onDisk = (bitmap[byte] & mask) !== 0;
    const differs = onDisk !== ((actual[byte] & mask) !== 0);
    if (start >= 0 && (!differs || onDisk !== isMarked)) {
      visit(start, bit - start, isMarked);
      start = -1;
    }
    if (differs && start < 0) {
      start = bit;
      isMarked = onDisk;
    }
  }
  if (start >= 0) visit(start, bits - start, isMarked);
}
