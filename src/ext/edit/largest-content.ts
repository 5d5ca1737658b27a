import { directBlocks } from '../block-map';
import type { Geometry } from '../superblock';

type ContentType = 'file' | 'directory' | 'symlink';

const sectorSize = 512;
const mostSectors = 2 ** 32 - 1;

/**
 * What content can be long at most: as far as pointers reach, and so that `i_blocks`, which has
 * 32 bits for sectors, could count all its blocks (`ext2_max_size` of Linux).
 * @param reach blocks that pointers lead to
 * @returns bytes
 */
export function largestByPointers(blockSize: number, reach: number, type: ContentType): number {
  const countable = Math.floor(mostSectors / (blockSize / sectorSize));
  const fits = reach + pointerBlocks(blockSize, reach) <= countable;
  const blocks = fits ? reach : countable - pointerBlocks(blockSize, countable);
  return limited(blocks * blockSize, blockSize, type);
}

/**
 * As `largestByPointers`, for content that lies in extents (`ext4_max_size` of Linux).
 * @param reach blocks that extents tell of
 */
export function largestByExtents(
  { blockSize, features }: Geometry,
  reach: number,
  type: ContentType,
): number {
  const sectors = features.has('huge_file') ? 2 ** 48 - 1 : mostSectors;
  const countable = Math.floor(sectors / (blockSize / sectorSize));
  return limited(Math.min(reach, countable) * blockSize, blockSize, type);
}

/** Others than files have no upper half of the size. */
function limited(bytes: number, blockSize: number, type: ContentType): number {
  return type === 'file' ? bytes : Math.min(bytes, 2 ** 31 - blockSize);
}

/** Blocks of pointers that lead to so many blocks from the start on. */
function pointerBlocks(blockSize: number, blocks: number): number {
  const fanOut = blockSize / 4;
  let left = blocks - directBlocks;
  let count = 0;
  for (let depth = 1; left > 0; depth++) {
    const here = Math.min(left, fanOut ** depth);
    for (let level = 1; level <= depth; level++) count += Math.ceil(here / fanOut ** level);
    left -= here;
  }
  return count;
}
