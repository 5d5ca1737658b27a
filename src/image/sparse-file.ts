import * as fs from 'node:fs';
import { isZero } from './memory';
import { hostError } from './host-error';

const { O_WRONLY, O_CREAT, O_EXCL } = fs.constants;
// Windows has no such flag; O_EXCL alone never follows a symlink either.
const noFollow = fs.constants.O_NOFOLLOW ?? 0;
const hostBlock = 4096; // what hosts allocate at least; a finer hole would save nothing

/** Attributes that a copy takes over; times in seconds since 1970. */
export interface HostAttributes {
  /** Permission bits; what is above them (set-user-ID and the like) is never set. */
  readonly mode?: number;
  readonly accessed?: number;
  readonly modified?: number;
}

/** A file of the host that is written sparsely: runs of zeros take no room. */
export class SparseFile {
  private constructor(
    private readonly descriptor: number,
    readonly path: string,
  ) {}

  /**
   * Creates a file that was not there before.
   * @param permissions until it is finished; less what the host withholds (umask)
   * @throws ImageError `unwritable`, also when anything of that name exists
   */
  static create(path: string, permissions = 0o666): SparseFile {
    try {
      const flags = O_WRONLY | O_CREAT | O_EXCL | noFollow;
      return new SparseFile(fs.openSync(path, flags, permissions), path);
    } catch (error) {
      throw hostError(error, 'unwritable', `Cannot create ${path}`);
    }
  }

  /**
   * Writes the parts that are not zero; the others read as zeros anyway.
   * @param offset in bytes; no byte is written twice
   */
  write(offset: number, bytes: Uint8Array): void {
    let runStart = 0; // of what is not zero and not written yet
    for (let at = 0; at < bytes.length;) {
      const next = Math.min(bytes.length, at + hostBlock - ((offset + at) % hostBlock));
      if (isZero(bytes.subarray(at, next))) {
        this.writeAll(offset + runStart, bytes.subarray(runStart, at));
        runStart = next;
      }
      at = next;
    }
    this.writeAll(offset + runStart, bytes.subarray(runStart));
  }

  /** Gives the file its length in bytes; it outlives a power cut from then on. */
  finishForGood(size: number): void {
    try {
      fs.ftruncateSync(this.descriptor, size);
      fs.fsyncSync(this.descriptor);
    } catch (error) {
      throw hostError(error, 'unwritable', `Cannot write ${this.path}`);
    }
    fs.closeSync(this.descriptor);
  }

  /** Gives the file its length in bytes and its attributes, and closes it. */
  finish(size: number, attributes: HostAttributes): void {
    try {
      fs.ftruncateSync(this.descriptor, size);
      setTimes(attributes, (accessed, modified) =>
        fs.futimesSync(this.descriptor, accessed, modified),
      );
      if (attributes.mode !== undefined) {
        fs.fchmodSync(this.descriptor, attributes.mode & permissionBits);
      }
    } catch (error) {
      throw hostError(error, 'unwritable', `Cannot write ${this.path}`);
    }
    fs.closeSync(this.descriptor);
  }

  /** Closes the file and removes it: a copy that could not be finished is none. */
  abandon(): void {
    fs.closeSync(this.descriptor);
    fs.rmSync(this.path, { force: true });
  }

  private writeAll(offset: number, bytes: Uint8Array): void {
    try {
      for (let done = 0; done < bytes.length;) {
        const length = bytes.length - done;
        done += fs.writeSync(this.descriptor, bytes, done, length, offset + done);
      }
    } catch (error) {
      throw hostError(error, 'unwritable', `Cannot write ${this.path}`);
    }
  }
}

export const permissionBits = 0o777;

/** Calls `set` with both times where there is one; an unknown access time is the other one. */
export function setTimes(
  { accessed, modified }: HostAttributes,
  set: (accessed: number | Date, modified: number | Date) => void,
): void {
  if (modified !== undefined) set(hostTime(accessed ?? modified), hostTime(modified));
}

/** Node takes a negative number for the present moment, but not a date before 1970. */
const hostTime = (seconds: number) => (seconds < 0 ? new Date(seconds * 1000) : seconds);
