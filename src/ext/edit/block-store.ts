import { readBytes, type ImageBytes, type WritableVolume } from '../../image/bytes';
import type { BlockStore } from '../volume-writer';

/**
 * The image of a volume while it is edited. Blocks of metadata are changed in memory and reach
 * the volume with `flush`; content goes there at once. Whoever reads sees either.
 */
export class EditedBlocks implements ImageBytes, BlockStore {
  readonly size: number;
  private readonly blocks = new Map<number, Uint8Array>();
  private counted: Set<number> | null = null;

  /** @param blockSize in bytes */
  constructor(
    private readonly target: WritableVolume,
    private readonly blockSize: number,
  ) {
    this.size = target.offset + target.present;
  }

  /** @param offset in the image, in bytes */
  read(offset: number, bytes: Uint8Array): number {
    const start = offset - this.target.offset;
    const got = this.target.read(start, bytes);
    this.visit(start, bytes.length, (own, at, done) => {
      bytes.set(own.subarray(at, at + bytes.length - done), done);
    });
    return got;
  }

  edit(block: number): DataView {
    this.counted?.add(block);
    let own = this.blocks.get(block);
    if (!own) {
      own = readBytes(this.target, block * this.blockSize, this.blockSize);
      this.blocks.set(block, own);
    }
    return new DataView(own.buffer);
  }

  /** A block that begins with zeros, whatever was there. */
  startBlock(block: number): DataView {
    this.counted?.add(block);
    const own = new Uint8Array(this.blockSize);
    this.blocks.set(block, own);
    return new DataView(own.buffer);
  }

  /** What was changed in these blocks need not reach the volume: nothing owns them any more. */
  forget(start: number, length: number): void {
    const end = start + length;
    if (length > this.blocks.size) {
      for (const block of this.blocks.keys()) {
        if (block >= start && block < end) this.blocks.delete(block);
      }
    } else {
      for (let block = start; block < end; block++) this.blocks.delete(block);
    }
  }

  /** Content, written at once. @param offset in the volume, in bytes */
  write(offset: number, bytes: Uint8Array): void {
    this.target.write(offset, bytes);
    this.visit(offset, bytes.length, (own, at, done) => {
      own.set(bytes.subarray(done, done + own.length - at), at);
    });
  }

  /** Content, made zeros at once. @param offset in the volume, in bytes */
  zero(offset: number, length: number): void {
    this.target.zero(offset, length);
    this.visit(offset, length, (own, at, done) => own.fill(0, at, at + length - done));
  }

  /** How many blocks of metadata something changes. */
  countEdited(change: () => void): number {
    this.counted = new Set();
    change();
    const { size } = this.counted;
    this.counted = null;
    return size;
  }

  /** Writes all that differs from the volume, in the order of its place. */
  flush(): void {
    this.settle([...this.blocks.keys()].sort((a, b) => a - b));
  }

  /** Writes blocks so that they need no memory any more; nobody holds a view of them. */
  settle(blocks: readonly number[]): void {
    for (const block of blocks) {
      const own = this.blocks.get(block);
      if (own) this.writeDifference(block * this.blockSize, own);
      this.blocks.delete(block);
    }
  }

  private writeDifference(offset: number, own: Uint8Array): void {
    const before = readBytes(this.target, offset, own.length);
    const differs = (_byte: number, at: number) => own[at] !== before[at];
    const first = own.findIndex(differs);
    if (first < 0) return;
    this.target.write(offset + first, own.subarray(first, own.findLastIndex(differs) + 1));
  }

  /**
   * Visits the parts of a range that lie in changed blocks.
   * @param visit gets such a block, where the part starts in it, and where in the range
   */
  private visit(
    offset: number,
    length: number,
    visit: (own: Uint8Array, at: number, done: number) => void,
  ): void {
    if (this.blocks.size === 0) return;
    const first = Math.floor(offset / this.blockSize);
    const last = Math.floor((offset + length - 1) / this.blockSize);
    const visitOne = (block: number, own: Uint8Array) => {
      const start = block * this.blockSize;
      const at = Math.max(0, offset - start);
      visit(own, at, start + at - offset);
    };
    if (last - first > this.blocks.size) {
      for (const [block, own] of this.blocks)
        if (block >= first && block <= last) visitOne(block, own);
      return;
    }
    for (let block = first; block <= last; block++) {
      const own = this.blocks.get(block);
      if (own) visitOne(block, own);
    }
  }
}
