import { readBytes, type VolumeBytes } from '../image/bytes';
import { ImageError } from '../image/errors';
import { findBackupSuperblock, groupOfCopy } from './backups';
import { superblockChecksum } from './checksums';
import { GroupTable, groupIsSane } from './groups';
import { readInode, rootInode } from './inode';
import {
  hasSuperblock,
  isExternalJournal,
  primaryOffset,
  readSuperblock,
  superblock,
  type Geometry,
} from './superblock';
import type { ExtVolume } from './volume';

/** A volume that can be read, and whole sentences on what is unusual about it. */
export interface OpenedVolume {
  readonly opened: ExtVolume;
  readonly notes: readonly string[];
}

/** @throws ImageError as `openExt` */
export function openVolume(bytes: VolumeBytes): OpenedVolume {
  if (isExternalJournal(bytes)) {
    throw new ImageError(
      'unsupported',
      'This is the external journal of an ext3 or ext4 filesystem, not a filesystem.',
    );
  }
  const notes: string[] = [];
  const geometry = chooseSuperblock(bytes, notes);
  const groups = chooseDescriptors(bytes, geometry, notes);
  notes.push(...geometry.notes);
  noteChecksum(bytes, geometry, notes);
  noteFeatures(geometry, notes);
  noteTruncation(bytes, geometry, notes);
  return { opened: { bytes, geometry, groups }, notes };
}

/** The primary superblock, or where it makes no sense, the first copy that does. */
function chooseSuperblock(bytes: VolumeBytes, notes: string[]): Geometry {
  const primary = readSuperblock(bytes, primaryOffset);
  const complaint = 'geometry' in primary ? primary.geometry.doubt : primary.broken;
  if (complaint === null && 'geometry' in primary) return primary.geometry;

  const backup = findBackupSuperblock(bytes);
  if (backup) {
    notes.push(
      `The primary superblock cannot be used: ${complaint}. ` +
        `The copy in group ${groupOfCopy(backup)} is used instead.`,
    );
    return backup;
  }
  if ('geometry' in primary) {
    notes.push(`The superblock is doubtful: ${complaint}. There is no copy of it.`);
    return primary.geometry;
  }
  throw new ImageError('unreadable', `This is no usable ext superblock: ${complaint}.`);
}

const copiesTried = 8;

/**
 * The primary descriptors, or where those lead to no root directory, a copy that does. Also
 * with a copy of the superblock the primary descriptors come first: they are more recent.
 */
function chooseDescriptors(bytes: VolumeBytes, geometry: Geometry, notes: string[]): GroupTable {
  const primary = new GroupTable(bytes, geometry);
  if (leadsToRoot(bytes, geometry, primary)) return primary;
  let tried = 0;
  for (let group = 1; group < geometry.groups && tried < copiesTried; group++) {
    if (!hasSuperblock(geometry, group)) continue;
    tried += 1;
    const copy = new GroupTable(bytes, geometry, group);
    if (!leadsToRoot(bytes, geometry, copy)) continue;
    notes.push(
      'The group descriptors lead to no root directory. ' +
        `Their copy in group ${group} is used instead.`,
    );
    return copy;
  }
  return primary;
}

function leadsToRoot(bytes: VolumeBytes, geometry: Geometry, groups: GroupTable): boolean {
  if (!groupIsSane(geometry, groups.group(0))) return false;
  return readInode({ bytes, geometry, groups }, rootInode).type === 'directory';
}

function noteChecksum(bytes: VolumeBytes, geometry: Geometry, notes: string[]): void {
  if (!geometry.features.has('metadata_csum')) return;
  const raw = readBytes(bytes, geometry.offset, superblock.size);
  if (superblockChecksum(raw) !== geometry.values.s_checksum) {
    notes.push('The checksum of the superblock does not match.');
  }
}

function noteFeatures(geometry: Geometry, notes: string[]): void {
  const { features } = geometry;
  for (const name of features.unknownIncompatible) {
    notes.push(`The incompatible feature ${name} is unknown; what it changes may be misread.`);
  }
  if (features.has('needs_recovery')) {
    notes.push(
      'The journal holds changes that are not yet in their places; those are shown as they were before.',
    );
  }
  if (features.has('compression')) {
    notes.push(
      'Files may be compressed (feature compression); they are shown as they lie on disk.',
    );
  }
  if (features.has('encrypt')) {
    notes.push(
      'Names and content may be encrypted (feature encrypt); they are shown as they lie on disk.',
    );
  }
  if (features.has('dirdata')) {
    notes.push('Records may carry further data (feature dirdata), which is not shown.');
  }
}

function noteTruncation(bytes: VolumeBytes, geometry: Geometry, notes: string[]): void {
  const size = geometry.blocks * geometry.blockSize;
  if (size <= bytes.present) return;
  notes.push(
    `The filesystem is ${size} bytes long, but only ${bytes.present} of them are there; ` +
      'the others read as zeros.',
  );
}
