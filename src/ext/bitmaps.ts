import { readBytes } from '../image/bytes';
import { groupHead, inodeTableBlocks, type Group } from './groups';
import { groupBlocks, groupStart, holdsBlocks } from './superblock';
import type { ExtVolume } from './volume';

/**
 * The block bitmap of a group, one bit per cluster from the group's start on; computed where it
 * was never written. Null where it lies outside of the volume.
 */
export function readBlockBitmap(volume: ExtVolume, group: Group): Uint8Array | null {
  const { geometry } = volume;
  if (group.blocksUninitialised) return computeBlockBitmap(volume, group);
  if (!holdsBlocks(geometry, group.blockBitmap)) return null;
  const clusters = Math.ceil(groupBlocks(geometry, group.number) / geometry.clusterBlocks);
  const offset = group.blockBitmap * geometry.blockSize;
  return readBytes(volume.bytes, offset, Math.ceil(clusters / 8));
}

/** As Linux does it: what the group starts with, and those of its own parts that lie in it. */
function computeBlockBitmap(volume: ExtVolume, group: Group): Uint8Array {
  const { geometry } = volume;
  const start = groupStart(geometry, group.number);
  const size = groupBlocks(geometry, group.number);
  const bitmap = new Uint8Array(Math.ceil(size / geometry.clusterBlocks / 8));
  const mark = (first: number, length: number) => {
    const from = Math.max(first - start, 0);
    const to = Math.min(first + length - start, size);
    const lastBit = Math.floor((to - 1) / geometry.clusterBlocks);
    for (let bit = Math.floor(from / geometry.clusterBlocks); bit <= lastBit; bit++) {
      bitmap[bit >>> 3] |= 1 << (bit & 7);
    }
  };
  for (const run of groupHead(geometry, group.number)) mark(run.start, run.length);
  mark(group.blockBitmap, 1);
  mark(group.inodeBitmap, 1);
  mark(group.inodeTable, inodeTableBlocks(geometry));
  return bitmap;
}

/**
 * Visits the runs of zero bits among the first `bits` of a bitmap, in order.
 * Whole words of ones or zeros, which most are, cost one comparison.
 */
export function visitZeroRuns(
  bitmap: Uint8Array,
  bits: number,
  visit: (start: number, length: number) => void,
): void {
  const words = new DataView(bitmap.buffer, bitmap.byteOffset, bitmap.length);
  const wordsEnd = Math.min(bits, bitmap.length * 8) & ~31;
  let start = -1;
  const step = (bit: number, used: boolean) => {
    if (used) {
      if (start >= 0) visit(start, bit - start);
      start = -1;
    } else if (start < 0) {
      start = bit;
    }
  };
  for (let at = 0; at < wordsEnd; at += 32) {
    const word = words.getUint32(at >>> 3, true);
    if (word === 0 || word === 0xffffffff) {
      step(at, word !== 0);
      continue;
    }
    // From one change between ones and zeros to the next.
    for (let bit = 0; bit < 32;) {
      const used = ((word >>> bit) & 1) !== 0;
      step(at + bit, used);
      const rest = (used ? ~word : word) >>> bit;
      bit += rest === 0 ? 32 : 31 - Math.clz32(rest & -rest);
    }
  }
  for (let bit = wordsEnd; bit < bits; bit++) {
    step(bit, ((bitmap[bit >>> 3] >>> (bit & 7)) & 1) !== 0);
  }
  if (start >= 0) visit(start, bits - start);
}
