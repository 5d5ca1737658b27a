import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { hostError, isMissing } from './host-error';
import { permissionBits, setTimes, type HostAttributes } from './sparse-file';

/** What stands under a name on the host; a symlink is one wherever it leads. */
export type HostKind = 'nothing' | 'file' | 'folder' | 'symlink' | 'other';

export function kindOf(stat: fs.StatsBase<number | bigint>): Exclude<HostKind, 'nothing'> {
  if (stat.isFile()) return 'file';
  if (stat.isSymbolicLink()) return 'symlink';
  return stat.isDirectory() ? 'folder' : 'other';
}

/** @throws ImageError `unwritable` when the host does not say */
export function kindOnHost(path: string): HostKind {
  try {
    return kindOf(fs.lstatSync(path));
  } catch (error) {
    if (isMissing(error)) return 'nothing';
    throw hostError(error, 'unwritable', `Cannot write ${path}`);
  }
}

/** Whether two paths lead to one file, through links or not. */
export function isSameFile(a: string, b: string): boolean {
  try {
    const [one, other] = [a, b].map((path) => fs.statSync(path, { bigint: true }));
    return one.dev === other.dev && one.ino === other.ino;
  } catch {
    return false; // one of them is not there
  }
}

/**
 * Creates a folder that was not there.
 * @param permissions until its mode is set; less what the host withholds (umask)
 */
export function createFolder(path: string, permissions = 0o777): void {
  try {
    fs.mkdirSync(path, permissions);
  } catch (error) {
    throw hostError(error, 'unwritable', `Cannot create ${path}`);
  }
}

/** Creates a symlink that was not there, for a target that may not exist. */
export function createSymlink(path: string, target: string, attributes: HostAttributes): void {
  try {
    fs.symlinkSync(target, path);
    setTimes(attributes, (accessed, modified) => fs.lutimesSync(path, accessed, modified));
  } catch (error) {
    throw hostError(error, 'unwritable', `Cannot create ${path}`);
  }
}

/** Removes a file or symlink of the host, so that another can take its name. */
export function removeFile(path: string): void {
  try {
    fs.unlinkSync(path);
  } catch (error) {
    throw hostError(error, 'unwritable', `Cannot replace ${path}`);
  }
}

/** Gives a folder its attributes; done last, since a mode can forbid writing in it. */
export function setFolderAttributes(path: string, attributes: HostAttributes): void {
  try {
    setTimes(attributes, (accessed, modified) => fs.utimesSync(path, accessed, modified));
    if (attributes.mode !== undefined) fs.chmodSync(path, attributes.mode & permissionBits);
  } catch (error) {
    throw hostError(error, 'unwritable', `Cannot set the attributes of ${path}`);
  }
}

/** Bytes that can still be written where the path is or will be; Infinity where nobody knows. */
export function roomFor(path: string): number {
  try {
    const { bavail, bsize } = fs.statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}
