import { readBytes } from '../image/bytes';
import type { Progress } from '../filesystem/progress';
import { inodeTableBlocks, type Group } from './groups';
import { Inode } from './inode';
import { groupStart, holdsBlocks } from './superblock';
import type { ExtVolume } from './volume';

/** Read at a time, in bytes: so much that the page cache, which keeps other things, is passed by. */
const pieceSize = 64 * 1024;

/**
 * Visits every inode in use, in the order of their numbers: those marked in the bitmaps, and
 * those beside them that say that a name leads to them. Pieces of the tables in which nothing is
 * marked are not read.
 */
export function visitInodes(
  volume: ExtVolume,
  progress: Progress,
  visit: (inode: Inode) => void,
): void {
  const { geometry } = volume;
  const present = Math.ceil(volume.bytes.present / geometry.blockSize);
  for (let number = 0; number < geometry.groups; number++) {
    if (groupStart(geometry, number) >= present) break;
    progress.report(number, geometry.groups);
    const group = volume.groups.group(number);
    for (const inode of inodesOfGroup(volume, group)) visit(inode);
  }
}

/** The inodes of a group that are in use. */
export function* inodesOfGroup(volume: ExtVolume, group: Group): Generator<Inode> {
  const { geometry, bytes } = volume;
  if (group.inodesUninitialised) return;
  if (!holdsBlocks(geometry, group.inodeTable, inodeTableBlocks(geometry))) return;
  const { blockSize, inodeSize, inodesPerGroup } = geometry;
  const bitmap = readInodeBitmap(volume, group);
  const perPiece = Math.max(blockSize, pieceSize) / inodeSize;
  const table = group.inodeTable * blockSize;
  for (let first = 0; first < inodesPerGroup; first += perPiece) {
    const count = Math.min(perPiece, inodesPerGroup - first);
    if (bitmap && !hasOnes(bitmap, first, count)) continue;
    const offset = table + first * inodeSize;
    const piece = readBytes(bytes, offset, count * inodeSize);
    for (let i = 0; i < count; i++) {
      const number = group.number * inodesPerGroup + first + i + 1;
      if (number > geometry.inodes) return;
      const raw = piece.subarray(i * inodeSize, (i + 1) * inodeSize);
      const inode = new Inode(volume, number, bytes.offset + offset + i * inodeSize, raw);
      const marked = bitmap !== null && hasOnes(bitmap, first + i, 1);
      if (inode.mode !== 0 && (marked || inode.links > 0)) yield inode;
      else if (number < geometry.firstInode && inode.allocated > 0) yield inode;
    }
  }
}

/** Null where it lies outside of the volume: then all inodes are looked at. */
function readInodeBitmap(volume: ExtVolume, group: Group): Uint8Array | null {
  const { geometry, bytes } = volume;
  if (!holdsBlocks(geometry, group.inodeBitmap)) return null;
  const length = Math.ceil(geometry.inodesPerGroup / 8);
  return readBytes(bytes, group.inodeBitmap * geometry.blockSize, length);
}

function hasOnes(bitmap: Uint8Array, first: number, count: number): boolean {
  for (let bit = first; bit < first + count; bit++) {
    if ((bitmap[bit >>> 3] & (1 << (bit & 7))) !== 0) return true;
  }
  return false;
}
