import { readBytes, type VolumeBytes } from '../image/bytes';
import {
  groupStart,
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
 * when it says itself that it belongs where it was found.
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
  const group = geometry.values.s_block_group_nr;
  const belongsHere =
    group > 0 &&
    group < geometry.groups &&
    hasSuperblock(geometry, group) &&
    groupStart(geometry, group) * geometry.blockSize === offset;
  return belongsHere ? geometry : null;
}
