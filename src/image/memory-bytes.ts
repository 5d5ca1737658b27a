import type { ImageBytes } from './bytes';

/** An image held in memory: tests, and hosts that have no file handle. */
export class MemoryBytes implements ImageBytes {
  constructor(private readonly bytes: Uint8Array) {}

  get size(): number {
    return this.bytes.length;
  }

  read(offset: number, target: Uint8Array): number {
    const part = this.bytes.subarray(offset, offset + target.length);
    target.set(part);
    target.fill(0, part.length);
    return part.length;
  }
}
