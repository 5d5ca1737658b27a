import * as fs from 'node:fs';
import type { ByteRange } from './edits';
import { FileBytes, openRegular } from './file-bytes';
import type { FileStamp, Host, HostFile } from './host';
import { hostError, isMissing, outOfRoom } from './host-error';
import { nativeFiles } from './native';

/** The host itself. */
export const diskHost: Host = {
  open: (path, access) => DiskFile.openFor(path, access),
  create: (path) => DiskFile.create(path),

  realPath(path) {
    try {
      return fs.realpathSync(path);
    } catch (error) {
      throw hostError(error, 'unreadable', `Cannot read ${path}`);
    }
  },

  whyReadOnly(path) {
    try {
      fs.accessSync(path, fs.constants.W_OK);
      return null;
    } catch (error) {
      return hostError(error, 'read-only', `${path} cannot be written`).message;
    }
  },

  list(folder) {
    try {
      return fs.readdirSync(folder);
    } catch (error) {
      if (isMissing(error)) return [];
      throw hostError(error, 'unreadable', `Cannot read ${folder}`);
    }
  },

  rename(from, to) {
    attempt(to, () => fs.renameSync(from, to));
  },

  remove(path) {
    attempt(path, () => fs.rmSync(path, { force: true }));
  },

  ensureFolder(path) {
    attempt(path, () => fs.mkdirSync(path, { recursive: true, mode: 0o700 }));
  },

  syncFolder(path) {
    if (process.platform === 'win32') return; // opens no folder; its names are journalled anyway
    attempt(path, () => {
      const descriptor = fs.openSync(path, 'r');
      try {
        fs.fsyncSync(descriptor);
      } finally {
        fs.closeSync(descriptor);
      }
    });
  },
};

class DiskFile extends FileBytes implements HostFile {
  static openFor(path: string, access: 'read' | 'write'): DiskFile {
    const { O_RDONLY, O_RDWR } = fs.constants;
    const { descriptor, size } = openRegular(path, access === 'read' ? O_RDONLY : O_RDWR);
    return new DiskFile(descriptor, path, size);
  }

  static create(path: string): DiskFile {
    return attempt(path, () => {
      fs.rmSync(path, { force: true });
      return new DiskFile(fs.openSync(path, 'wx+', 0o600), path, 0);
    });
  }

  get blockSize(): number {
    return fs.fstatSync(this.descriptor).blksize || 4096;
  }

  get stamp(): FileStamp {
    const stat = fs.fstatSync(this.descriptor, { bigint: true });
    return { device: stat.dev, inode: stat.ino, size: stat.size, modified: stat.mtimeNs };
  }

  write(offset: number, bytes: Uint8Array): void {
    attempt(this.path, () => {
      for (let done = 0; done < bytes.length;) {
        done += fs.writeSync(this.descriptor, bytes, done, bytes.length - done, offset + done);
      }
    });
  }

  punch(offset: number, length: number): boolean {
    return nativeFiles()?.punch(this.descriptor, offset, length) === null;
  }

  reserve(offset: number, length: number): boolean {
    const failure = nativeFiles()?.reserve(this.descriptor, offset, length);
    if (failure === null) return true;
    if (failure === undefined || !outOfRoom.includes(failure)) return false;
    const error = Object.assign(new Error(failure), { code: failure });
    throw hostError(error, 'unwritable', `Cannot write ${this.path}`);
  }

  dataAfter(offset: number): ByteRange | null | undefined {
    const start = nativeFiles()?.seek(this.descriptor, offset, 'data');
    if (start === 'ENXIO') return null;
    if (typeof start !== 'number') return undefined;
    const end = nativeFiles()?.seek(this.descriptor, start, 'hole');
    if (typeof end !== 'number') return undefined;
    return { offset: start, length: end - start };
  }

  sync(): void {
    attempt(this.path, () => fs.fsyncSync(this.descriptor));
  }
}

/** Does what changes the host. @throws ImageError `unwritable`, `no-room` */
function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw hostError(error, 'unwritable', `Cannot write ${path}`);
  }
}
