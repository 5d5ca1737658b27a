import { ImageError, type ImageErrorCode } from './errors';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EPERM: 'the host does not permit it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'it exists already',
  ELOOP: 'it is a symbolic link',
  ENAMETOOLONG: 'its path is too long for the host',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the quota on the host is used up',
  EFBIG: 'the host cannot hold a file of this size',
  EROFS: 'the host has it read-only',
  EIO: 'the host reported an input/output error',
};

/** What hosts report when they have no room for what is written. */
export const outOfRoom = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** Whether the host reported that nothing has the name. */
export const isMissing = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ENOENT';

/** What the host reported, as the engine's own error: one sentence that starts with `failure`. */
export function hostError(error: unknown, code: ImageErrorCode, failure: string): ImageError {
  if (error instanceof ImageError) return error;
  const hostCode = (error as NodeJS.ErrnoException).code ?? String(error);
  // A file that is written need not be there, only the folder that will hold it.
  const isFolderMissing = hostCode === 'ENOENT' && code === 'unwritable';
  const reason = isFolderMissing ? 'there is no such folder' : (reasons[hostCode] ?? hostCode);
  const ownCode = outOfRoom.includes(hostCode) ? 'no-room' : code;
  return new ImageError(ownCode, `${failure}: ${reason}.`);
}
