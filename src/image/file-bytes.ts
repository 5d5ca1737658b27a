import * as fs from 'node:fs';
import type { ImageBytes } from './bytes';
import { ImageError } from './errors';
import { hostError } from './host-error';

const unitOfStat = 512; // st_blocks counts 512-byte units on every host that has it

/** An image file of the host, opened read-only and read at positions; nothing of it is loaded. */
export class FileBytes implements ImageBytes {
  protected constructor(
    protected readonly descriptor: number,
    readonly path: string,
    readonly size: number,
  ) {}

  /** @throws ImageError `unreadable` when the path is no readable regular file; `usage` if empty */
  static open(path: string): FileBytes {
    const { descriptor, size } = openRegular(path, fs.constants.O_RDONLY);
    return new FileBytes(descriptor, path, size);
  }

  /** Bytes the host has allocated for the file; less than `size` where it has holes. */
  get allocated(): number {
    const { blocks, size } = fs.fstatSync(this.descriptor);
    return blocks === undefined ? size : blocks * unitOfStat;
  }

  read(offset: number, target: Uint8Array): number {
    let done = 0;
    try {
      while (done < target.length && offset + done < this.size) {
        const got = fs.readSync(this.descriptor, target, done, target.length - done, offset + done);
        if (got === 0) break; // the file shrank since it was opened
        done += got;
      }
    } catch (error) {
      throw hostError(error, 'unreadable', `Cannot read ${this.path}`);
    }
    target.fill(0, done);
    return done;
  }

  close(): void {
    fs.closeSync(this.descriptor);
  }
}

/** @throws ImageError as `FileBytes.open` */
export function openRegular(path: string, flags: number): { descriptor: number; size: number } {
  if (path === '') throw new ImageError('usage', 'The name of the image is empty.');
  let descriptor: number | undefined;
  try {
    // Non-blocking, or opening a named pipe that nobody writes to would wait forever.
    descriptor = fs.openSync(path, flags | (fs.constants.O_NONBLOCK ?? 0));
    const stat = fs.fstatSync(descriptor);
    if (!stat.isFile()) throw new ImageError('unreadable', `${path} is not a regular file.`);
    if (!Number.isSafeInteger(stat.size)) {
      throw new ImageError('unreadable', `${path} is larger than 2^53 bytes.`);
    }
    return { descriptor, size: stat.size };
  } catch (error) {
    if (descriptor !== undefined) fs.closeSync(descriptor);
    const isReading = (flags & fs.constants.O_RDWR) === 0;
    throw isReading
      ? hostError(error, 'unreadable', `Cannot read ${path}`)
      : hostError(error, 'unwritable', `Cannot write ${path}`);
  }
}
