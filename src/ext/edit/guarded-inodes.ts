import { ImageError } from '../../image/errors';
import { inodeFlags, type Inode } from '../inode';

/** @throws ImageError `unsupported` for content that is more than its bytes */
export function requireOpenContent(inode: Inode): void {
  if (inode.has(inodeFlags.encrypted)) refuse(inode, 'is encrypted: its content needs the key');
  if (inode.has(inodeFlags.verity)) refuse(inode, 'is sealed by fs-verity: its content stays');
}

/** @throws ImageError `unsupported` for directories in which a name is more than its bytes */
export function requireOpenNames(inode: Inode): void {
  if (inode.has(inodeFlags.encrypted)) refuse(inode, 'is encrypted: a name in it needs the key');
  if (inode.has(inodeFlags.casefolded)) {
    refuse(inode, 'ignores the case of names, which are sorted by the tables of Unicode for that');
  }
}

function refuse({ number }: Inode, why: string): never {
  throw new ImageError('unsupported', `Inode ${number} ${why}.`);
}
