import { readBytes } from '../image/bytes';
import { groupHead, inodeTableBlocks, type Group } from './groups';
import { groupBlocks, groupStart, holdsBlocks } from './superblock';
import type { ExtVolume } from './volume';

/** Told of each run in the order of its place. */
export type VisitRun = (start: number, length: number) => void;

/**
 * Visits the runs of free clusters of a group, counted from the group's start on. A bitmap that
 * was never written is computed; one outside of the volume has no free clusters.
 * @param clusters how many of the group's clusters to look at
 */
export function visitFreeClusters(
  volume: ExtVolume,
  group: Group,
  clusters: number,
  visit: VisitRun,
): void {
  const { geometry } = volume;
  if (group.blocksUninitialised) {
    visitGaps(usedByGroupItself(volume, group), clusters, visit);
  } else if (holdsBlocks(geometry, group.blockBitmap)) {
    const offset = group.blockBitmap * geometry.blockSize;
    const bitmap = readBytes(volume.bytes, offset, Math.ceil(clusters / 8));
    visitZeroRuns(bitmap, clusters, visit);
  }
}

/**
 * As Linux does it: what the group starts with, and those of its own parts that lie in it.
 * @returns first cluster and the one past the last, counted from the group's start on
 */
export function usedByGroupItself(volume: ExtVolume, group: Group): [number, number][] {
  const { geometry } = volume;
  const start = groupStart(geometry, group.number);
  const end = start + groupBlocks(geometry, group.number);
  const used: [number, number][] = [];
  const mark = (first: number, length: number) => {
    const from = Math.max(first, start);
    const to = Math.min(first + length, end);
    if (from >= to) return;
    used.push([
      Math.floor((from - start) / geometry.clusterBlocks),
      Math.ceil((to - start) / geometry.clusterBlocks),
    ]);
  };
  for (const run of groupHead(geometry, group.number)) mark(run.start, run.length);
  mark(group.blockBitmap, 1);
  mark(group.inodeBitmap, 1);
  mark(group.inodeTable, inodeTableBlocks(geometry));
  return used.sort(([a], [b]) => a - b);
}

function visitGaps(used: readonly [number, number][], end: number, visit: VisitRun): void {
  let next = 0;
  for (const [from, to] of used) {
    if (from >= end) break;
    if (from > next) visit(next, from - next);
    next = Math.max(next, to);
  }
  if (next < end) visit(next, end - next);
}

const allOnes = 0xffffffff;

/**
 * Visits the runs of zero bits among the first `bits` of a bitmap, in order. Words of ones or
 * zeros, which most are, cost one comparison.
 */
export function visitZeroRuns(bitmap: Uint8Array, bits: number, visit: VisitRun): void {
  const words = new DataView(bitmap.buffer, bitmap.byteOffset, bitmap.length);
  const wordsEnd = Math.min(bits, bitmap.length * 8) & ~31;
  let start = -1;
  for (let at = 0; at < wordsEnd; at += 32) {
    const word = words.getUint32(at >>> 3, true);
    if (word === allOnes) {
      if (start >= 0) visit(start, at - start);
      start = -1;
    } else if (word === 0) {
      if (start < 0) start = at;
    } else {
      // From one change between zeros and ones to the next.
      for (let bit = 0; bit < 32;) {
        const used = ((word >>> bit) & 1) !== 0;
        if (used && start >= 0) {
          visit(start, at + bit - start);
          start = -1;
        } else if (!used && start < 0) {
          start = at + bit;
        }
        const changes = (used ? ~word : word) >>> bit;
        bit += changes === 0 ? 32 : 31 - Math.clz32(changes & -changes);
      }
    }
  }
  for (let bit = wordsEnd; bit < bits; bit++) {
    const used = ((bitmap[bit >>> 3] >>> (bit & 7)) & 1) !== 0;
    if (used && start >= 0) visit(start, bit - start);
    if (used) start = -1;
    else if (start < 0) start = bit;
  }
  if (start >= 0) visit(start, bits - start);
}
