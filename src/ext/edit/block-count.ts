import { ImageError } from '../../image/errors';
import { inodeFlags, inodeStructure } from '../inode';
import type { Geometry } from '../superblock';

const { i_blocks_lo, i_blocks_high, i_flags } = inodeStructure.fields;
const sectorSize = 512;

/**
 * Changes what an inode counts as its blocks: sectors, or with `huge_file` blocks where a flag
 * says so.
 * @param raw the inode
 * @param blocks how many more it has, less than none where it has fewer
 * @throws ImageError `corrupt` where the count cannot be that high
 */
export function addToBlockCount(raw: DataView, geometry: Geometry, blocks: number): void {
  const isWide = geometry.features.has('huge_file');
  const flags = i_flags.read(raw, i_flags.offset);
  const countsBlocks = isWide && (flags & inodeFlags.hugeFile) !== 0;
  const low = i_blocks_lo.read(raw, i_blocks_lo.offset);
  const high = isWide ? i_blocks_high.read(raw, i_blocks_high.offset) : 0;
  const before = low + high * 2 ** 32;
  const after = Math.max(0, before + blocks * (countsBlocks ? 1 : geometry.blockSize / sectorSize));
  if (after >= 2 ** (isWide ? 48 : 32)) {
    throw new ImageError('corrupt', `An inode counts ${before} units of blocks already.`);
  }
  i_blocks_lo.write(raw, i_blocks_lo.offset, after % 2 ** 32);
  if (isWide) i_blocks_high.write(raw, i_blocks_high.offset, Math.floor(after / 2 ** 32));
}
