import type { ImageBytes, WritableBytes } from './bytes';
import type { ByteStore } from './byte-store';
import { ImageError } from './errors';
import { hole, inFile, RangeMap, zeros, type Content } from './range-map';

/** Bytes of which some ranges are replaced. */
export class Overlay implements ImageBytes {
  constructor(
    readonly below: ImageBytes,
    readonly store: ByteStore,
    readonly replaced: RangeMap = new RangeMap(),
  ) {}

  get size(): number {
    return this.below.size;
  }

  read(offset: number, target: Uint8Array): number {
    if (this.replaced.count === 0) return this.below.read(offset, target);
    const end = Math.min(offset + target.length, this.size);
    this.replaced.cover(offset, end, (start, stop, content) => {
      const part = target.subarray(start - offset, stop - offset);
      if (content === inFile) this.below.read(start, part);
      else readContent(this.store, content, part);
    });
    const got = Math.max(0, end - offset);
    target.fill(0, got);
    return got;
  }

  /** Takes over ranges, of which those that are `inFile` are replaced no longer. */
  apply(ranges: RangeMap): void {
    ranges.visitAll((start, end, content) => {
      if (content === inFile) this.replaced.delete(start, end);
      else this.replaced.set(start, end, content);
    });
  }
}

/** Fills `target` with a content that is not in the file. */
export function readContent(store: ByteStore, content: Content, target: Uint8Array): void {
  if (content >= 0) store.read(content, target);
  else target.fill(0);
}

/**
 * A change while it is made. It sees what it has written; nobody else does before it is committed.
 */
export class Transaction extends Overlay implements WritableBytes {
  /** How long the store was; what this change brings in stands behind that. */
  readonly mark: number;

  constructor(below: Overlay) {
    super(below, below.store);
    this.mark = below.store.length;
  }

  write(offset: number, bytes: Uint8Array): void {
    this.check(offset, bytes.length);
    const end = offset + bytes.length;
    const fresh: number[] = [];
    this.replaced.cover(offset, end, (start, stop, content) => {
      // What only this change has written may be written over: a bitmap is, thousands of times.
      if (content < 0) fresh.push(start, stop);
      else this.store.overwrite(content, bytes.subarray(start - offset, stop - offset));
    });
    for (let i = 0; i < fresh.length; i += 2) {
      const [start, stop] = [fresh[i], fresh[i + 1]];
      const position = this.store.append(bytes.subarray(start - offset, stop - offset));
      this.replaced.set(start, stop, position);
    }
  }

  zero(offset: number, length: number): void {
    this.check(offset, length);
    this.replaced.set(offset, offset + length, zeros);
  }

  punch(offset: number, length: number): void {
    this.check(offset, length);
    this.replaced.set(offset, offset + length, hole);
  }

  private check(offset: number, length: number): void {
    if (offset >= 0 && length >= 0 && offset + length <= this.size) return;
    throw new ImageError(
      'corrupt',
      `Bytes ${offset} to ${offset + length} lie outside of the image; they are not written.`,
    );
  }
}
