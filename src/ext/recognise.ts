import type { VolumeBytes } from '../image/bytes';
import { findBackupSuperblock } from './backups';
import { isExternalJournal, primaryOffset, readSuperblock } from './superblock';

export type ExtType = 'ext2' | 'ext3' | 'ext4';

/** Which filesystem the primary superblock makes the volume; reads nothing but that. */
export function recogniseExt(volume: VolumeBytes): ExtType | undefined {
  const reading = readSuperblock(volume, primaryOffset);
  if (!('geometry' in reading) || isExternalJournal(volume)) return undefined;
  return reading.geometry.features.type;
}

/**
 * Which filesystem a copy of the superblock makes the volume, where the primary one is gone.
 * Slower than `recogniseExt`: for volumes that hold nothing else that is known.
 */
export function recogniseBackupExt(volume: VolumeBytes): ExtType | undefined {
  return findBackupSuperblock(volume)?.features.type;
}
