import { readBytes, type VolumeBytes } from '../image/bytes';
import {
  hasSuperblock,
  readSuperblock,
  superblock,
  superblockMagic,
  type Geometry,
} from './superblock';

const smallestBlock = 1024;
const blockSizes = [1024, 2048, 4096, 8192, 16384, 32768, 65536];
const usualGroups = [1, 3, 5, 7, 9, 25, 27, 49];

/** How far a search goes where the usual places hold no copy: small groups come early. */
const searchLimit = 64 * 2 ** 20;
const searchStep = 2 ** 20;

/**
 * Finds a copy of the superblock when the primary one is destroyed. First where mke2fs puts
 * them by default for each block size, then at every KiB of the first 64 MiB. A copy counts only
 * where its own numbers put one: not in a journal, and not in an image inside the volume.
 */
export function findBackupSuperblock(volume: VolumeBytes): Geometry | null {
  return findAtUsualPlaces(volume) ?? search(volume);
}

function findAtUsualPlaces(volume: VolumeBytes): Geometry | null {
  for (const group of usualGroups) {
    for (const blockSize of blockSizes) {
      const firstDataBlock = blockSize === smallestBlock ? 1 : 0;
      const offset = (firstDataBlock + group * 8 * blockSize) * blockSize;
      const found = readBackup(volume, offset);
      if (found) return found;
    }
  }
  return null;
}

function search(volume: VolumeBytes): Geometry | null {
  const magicAt = superblock.fields.s_magic.offset;
  const end = Math.min(volume.present, searchLimit);
  for (let start = 0; start < end; start += searchStep) {
    const part = readBytes(volume, start, searchStep);
    const view = new DataView(part.buffer);
    for (let at = 0; at < searchStep; at += smallestBlock) {
      if (view.getUint16(at + magicAt, true) !== superblockMagic) continue;
      const found = readBackup(volume, start + at);
      if (found) return found;
    }
  }
  return null;
}

function readBackup(volume: VolumeBytes, offset: number): Geometry | null {
  if (offset + superblock.size > volume.present) return null;
  const reading = readSuperblock(volume, offset);
  if (!('geometry' in reading) || reading.geometry.doubt) return null;
  const { geometry } = reading;
  return groupOfCopy(geometry) === null ? null : geometry;
}

/** The group a copy of the superblock lies in, null where no copy belongs to its place. */
export function groupOfCopy(geometry: Geometry): number | null {
  const { blockSize, blocksPerGroup, firstDataBlock, groups, values } = geometry;
  const group = (geometry.offset / blockSize - firstDataBlock) / blocksPerGroup;
  if (!Number.isInteger(group) || group < 1 || group >= groups) return null;
  if (!hasSuperblock(geometry, group)) return null;
  // Revision 0 knows no s_block_group_nr.
  const claimed = values.s_rev_level === 0 ? group : values.s_block_group_nr;
  return claimed === group ? group : null;
}
