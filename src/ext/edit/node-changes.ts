import type { NodeChanges } from '../../filesystem/editing';
import type { Timestamp } from '../../filesystem/timestamp';
import { ImageError } from '../../image/errors';
import { inodeFlagNames, inodeStructure, type Inode } from '../inode';
import { setOwner } from './inode-allocator';
import { setInodeTime } from './inode-times';

const permissionMask = 0o7777;
const largestOwner = 2 ** 32 - 1;

/** Flags that people may set; the others tell how an inode is built. */
const changeableFlags = {
  directory:
    0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x20 | 0x40 | 0x80 | 0x4000 | 0x8000 | 0x10000 | 0x20000,
  file: 0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x20 | 0x40 | 0x80 | 0x4000 | 0x8000,
  other: 0x40 | 0x80, // e2fsck takes immutable devices and the like for damage
} as const;

/**
 * Changes what an inode says of its node.
 * @param now its last change
 * @throws ImageError `unsupported` for what ext does not keep, or not of such a node; `usage` for
 *   values that it cannot hold
 */
export function changeInode(
  raw: DataView,
  inode: Inode,
  changes: NodeChanges,
  now: Timestamp,
): void {
  if (changes.created) {
    throw new ImageError('unsupported', 'When a file was created cannot be changed on ext.');
  }
  const set = flagsOf(inode, changes.set ?? []);
  const cleared = flagsOf(inode, changes.clear ?? []);
  inodeStructure.set(raw, 'i_flags', ((inode.flags & ~cleared) | set) >>> 0);
  if (changes.mode !== undefined) {
    const type = inode.mode & ~permissionMask;
    inodeStructure.set(raw, 'i_mode', type | (changes.mode & permissionMask));
  }
  const { uid = inode.uid, gid = inode.gid } = changes;
  requireOwner(uid);
  requireOwner(gid);
  setOwner(raw, uid, gid);
  if (changes.modified) setInodeTime(raw, 'i_mtime', changes.modified);
  if (changes.accessed) setInodeTime(raw, 'i_atime', changes.accessed);
  setInodeTime(raw, 'i_ctime', now);
}

/** @throws ImageError `usage` for what is no number of a user or group */
export function requireOwner(id: number): void {
  if (Number.isInteger(id) && id >= 0 && id <= largestOwner) return;
  throw new ImageError(
    'usage',
    `${id} is no number of a user or group: those go to ${largestOwner}.`,
  );
}

function flagsOf({ number, type }: Inode, names: readonly string[]): number {
  const allowed =
    type === 'directory' || type === 'file' ? changeableFlags[type] : changeableFlags.other;
  return names.reduce((flags, name) => {
    const flag = inodeFlagNames.find(([, known]) => known === name)?.[0];
    if (flag === undefined) {
      throw new ImageError('unsupported', `There is no attribute called “${name}” on ext.`);
    }
    if ((flag & allowed) === 0) {
      const message = `The attribute “${name}” of inode ${number} is not for people to change.`;
      throw new ImageError('unsupported', message);
    }
    return flags | flag;
  }, 0);
}
