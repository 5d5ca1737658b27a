import type { Timestamp } from '../../filesystem/timestamp';
import { ImageError } from '../../image/errors';
import { inodeStructure } from '../inode';

export type InodeTime = 'i_atime' | 'i_ctime' | 'i_mtime' | 'i_crtime';

const extraFields = {
  i_atime: 'i_atime_extra',
  i_ctime: 'i_ctime_extra',
  i_mtime: 'i_mtime_extra',
  i_crtime: 'i_crtime_extra',
} as const satisfies Record<InodeTime, keyof typeof inodeStructure.fields>;

const goodOldSize = 128;
const earliest = -(2 ** 31);

/** Whether an inode is long enough for a field. */
function holds(raw: DataView, name: keyof typeof inodeStructure.fields): boolean {
  const { offset, length } = inodeStructure.fields[name];
  if (offset + length <= goodOldSize) return true;
  if (raw.byteLength <= goodOldSize) return false;
  const { i_extra_isize } = inodeStructure.fields;
  return offset + length <= goodOldSize + i_extra_isize.read(raw, i_extra_isize.offset);
}

/** The last second that a time of the inode can hold. */
function latest(raw: DataView, name: InodeTime): number {
  // Two bits of the extra half count further epochs of 2^32 seconds.
  return earliest + (holds(raw, extraFields[name]) ? 4 : 1) * 2 ** 32 - 1;
}

/**
 * Sets a time of an inode as precisely as the inode can keep it; the creation is left out where
 * there is no room for it.
 * @throws ImageError `usage` for a time that the inode cannot hold
 */
export function setInodeTime(raw: DataView, name: InodeTime, time: Timestamp): void {
  if (!holds(raw, name)) return;
  const end = latest(raw, name);
  if (time.seconds < earliest || time.seconds > end) {
    const last = new Date(end * 1000).toISOString().slice(0, 10);
    throw new ImageError('usage', `An inode of this volume holds times from 1901 to ${last} only.`);
  }
  inodeStructure.set(raw, name, time.seconds >>> 0);
  const extra = extraFields[name];
  if (!holds(raw, extra)) return;
  const epoch = Math.floor((time.seconds - earliest) / 2 ** 32);
  inodeStructure.set(raw, extra, ((time.nanoseconds << 2) | epoch) >>> 0);
}

/** Stamps times of an inode; what it cannot hold becomes the last moment that it can, as on Linux. */
export function stampInode(raw: DataView, now: Timestamp, names: readonly InodeTime[]): void {
  for (const name of names) {
    const seconds = Math.min(now.seconds, latest(raw, name));
    setInodeTime(raw, name, { ...now, seconds });
  }
}
