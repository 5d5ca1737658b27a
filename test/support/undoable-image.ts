import type { WritableBytes } from '../../src/image/bytes';
import { MemoryBytes } from '../../src/image/memory-bytes';

/** An image in memory that can be changed, and brought back to where it was kept last. */
export class UndoableImage extends MemoryBytes implements WritableBytes {
  private before: { readonly offset: number; readonly bytes: Uint8Array }[] = [];

  constructor(readonly content: Uint8Array) {
    super(content);
  }

  write(offset: number, bytes: Uint8Array): void {
    const end = offset + bytes.length;
    if (offset < 0 || end > this.size) throw new RangeError(`${offset} to ${end} is outside`);
    this.before.push({ offset, bytes: this.content.slice(offset, end) });
    this.content.set(bytes, offset);
  }

  zero(offset: number, length: number): void {
    this.write(offset, new Uint8Array(length));
  }

  punch(offset: number, length: number): void {
    this.zero(offset, length);
  }

  /** Bytes that were written since, each time counted. */
  get written(): number {
    return this.before.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  keep(): void {
    this.before = [];
  }

  undo(): void {
    for (const { offset, bytes } of this.before.reverse()) this.content.set(bytes, offset);
    this.before = [];
  }
}
