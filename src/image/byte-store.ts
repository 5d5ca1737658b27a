import * as fs from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostError } from './host-error';

const segmentSize = 1024 * 1024;
const memoryLimit = 32 * segmentSize; // what hundreds of edits of metadata need

/**
 * Bytes that are kept as long as an image is open: what changes bring in, and what undo needs.
 * They are appended, and known by their place. The first 32 MiB are held in memory, the others in
 * a scratch file that nobody else sees, so that an import of many GiB costs no memory.
 */
export class ByteStore {
  private readonly segments: Uint8Array[] = [];
  private scratch: { readonly descriptor: number; readonly path: string } | undefined;
  private used = 0;

  /** @param folder where the scratch file is made when it is needed */
  constructor(private readonly folder: string = tmpdir()) {}

  /** Where the next bytes will stand. */
  get length(): number {
    return this.used;
  }

  /**
   * @returns where the bytes stand, one after another
   * @throws ImageError `no-room`, `unwritable` when the host has no place for them
   */
  append(bytes: Uint8Array): number {
    const position = this.used;
    this.overwrite(position, bytes);
    this.used += bytes.length;
    return position;
  }

  /** Replaces bytes that are there, or adds to the end. */
  overwrite(position: number, bytes: Uint8Array): void {
    const inMemory = this.visitMemory(position, bytes.length, (segment, at, done) => {
      segment.set(bytes.subarray(done, done + segment.length - at), at);
    });
    if (inMemory === bytes.length) return;
    this.onScratch((descriptor) => {
      for (let done = inMemory; done < bytes.length;) {
        const place = position + done - memoryLimit;
        done += fs.writeSync(descriptor, bytes, done, bytes.length - done, place);
      }
    });
  }

  /** Fills `target` with the bytes from a place on; they were all appended. */
  read(position: number, target: Uint8Array): void {
    const inMemory = this.visitMemory(position, target.length, (segment, at, done) => {
      target.set(segment.subarray(at, at + target.length - done), done);
    });
    if (inMemory === target.length) return;
    this.onScratch((descriptor) => {
      for (let done = inMemory; done < target.length;) {
        const place = position + done - memoryLimit;
        const got = fs.readSync(descriptor, target, done, target.length - done, place);
        if (got === 0) throw new Error('it is shorter than what was written to it');
        done += got;
      }
    });
  }

  /** Forgets what was appended since the store had a length. */
  truncate(length: number): void {
    this.used = length;
    this.segments.length = Math.min(this.segments.length, Math.ceil(length / segmentSize));
    if (!this.scratch) return;
    this.onScratch((descriptor) => {
      fs.ftruncateSync(descriptor, Math.max(0, length - memoryLimit));
    });
  }

  close(): void {
    if (!this.scratch) return;
    fs.closeSync(this.scratch.descriptor);
    fs.rmSync(this.scratch.path, { force: true });
    this.scratch = undefined;
  }

  /** Calls for each part of a range that is held in memory. @returns the bytes of all these */
  private visitMemory(
    position: number,
    length: number,
    visitor: (segment: Uint8Array, at: number, done: number) => void,
  ): number {
    const end = Math.min(position + length, memoryLimit);
    let at = position;
    while (at < end) {
      const segment = (this.segments[Math.floor(at / segmentSize)] ??= new Uint8Array(segmentSize));
      visitor(segment, at % segmentSize, at - position);
      at += segmentSize - (at % segmentSize);
    }
    return Math.max(0, end - position);
  }

  private onScratch(work: (descriptor: number) => void): void {
    try {
      this.scratch ??= createScratch(this.folder);
      work(this.scratch.descriptor);
    } catch (error) {
      throw hostError(error, 'unwritable', 'Cannot keep what was changed');
    }
  }
}

function createScratch(folder: string) {
  fs.mkdirSync(folder, { recursive: true });
  const path = join(folder, `fsimg-${randomUUID()}.scratch`);
  const descriptor = fs.openSync(path, 'wx+', 0o600);
  // Without a name it goes with the process, however that ends. Windows keeps the name.
  if (process.platform !== 'win32') fs.unlinkSync(path);
  return { descriptor, path };
}
