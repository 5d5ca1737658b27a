import type { AllocationPlan, PreallocationRequest } from '../../filesystem/editing';
import { countFragments, type Extent } from '../../filesystem/extents';
import type { UnitRun } from '../../filesystem/sorted-runs';
import { isZero, readBytes } from '../../image/bytes';
import { ImageError } from '../../image/errors';
import { contentPlace } from '../content';
import { inodeFlags, inodeStructure, readInode } from '../inode';
import { BlockMapWriter, type LogicalRun } from './block-map-writer';
import type { EditContext } from './context';
import { stampInode, type InodeTime } from './inode-times';
import { largestContent } from './largest-content';
import { requireLargeFiles } from './large-files';
import { requireSoundPointers } from './sound-pointers';

const sectorSize = 512;
const { i_blocks_lo } = inodeStructure.fields;
/** Below so many bytes a preallocation gains nothing. */
const worthwhile = 1024 * 1024;

/** Blocks of pointers that are kept in memory until they are written: the largest files have many. */
const keptPointerBlocks = 2048;

/** Changes the content of an inode whose blocks are found through pointers. */
export class FileWriter {
  private readonly map: BlockMapWriter;
  private readonly blockSize: number;
  private readonly type: 'file' | 'directory' | 'symlink';
  private currentSize: number;

  /**
   * @throws ImageError `not-a-file` for inodes without content of their own, `unsupported` where
   *   it is not found through pointers, `corrupt` where the pointers make no sense
   */
  constructor(
    private readonly context: EditContext,
    readonly number: number,
  ) {
    const inode = readInode(context.volume, number);
    const { type, size } = inode;
    if (type !== 'file' && type !== 'directory' && type !== 'symlink') {
      throw new ImageError('not-a-file', `Inode ${number} has no content that could be changed.`);
    }
    const isElsewhere = inode.has(inodeFlags.extents) || inode.has(inodeFlags.inlineData);
    if (isElsewhere || (size > 0 && contentPlace(context.volume, inode) !== 'blocks')) {
      const message = `The content of inode ${number} is not found through block pointers.`;
      throw new ImageError('unsupported', message);
    }
    requireSoundPointers(context, inode);
    this.map = new BlockMapWriter(context, number);
    this.blockSize = context.volume.geometry.blockSize;
    this.type = type;
    this.currentSize = size;
  }

  /** In bytes. */
  get size(): number {
    return this.currentSize;
  }

  /**
   * Writes content, which grows where it has to. Holes that only zeros are written to stay holes.
   * @param offset in bytes
   * @throws ImageError `full`; `unsupported` beyond the largest size
   */
  write(offset: number, bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const end = offset + bytes.length;
    this.checkSize(end);
    this.clear(this.size, offset);
    const filled = this.fill(this.holesToWrite(offset, bytes));
    for (const { physical, length, logical } of filled) {
      // Of these blocks a part is not written.
      if (logical * this.blockSize < offset) this.clearBlock(physical);
      if ((logical + length) * this.blockSize > end) this.clearBlock(physical + length - 1);
    }
    for (const part of this.mappedParts(offset, end)) {
      const from = part.offset - offset;
      this.context.store.write(part.place, bytes.subarray(from, from + part.length));
    }
    this.finish(Math.max(this.size, end), ['i_mtime', 'i_ctime']);
  }

  /** Cuts the content, or lengthens it by a hole. @param size in bytes */
  setSize(size: number): void {
    this.checkSize(size);
    if (size < this.size) {
      this.cut(Math.ceil(size / this.blockSize));
      this.clear(size, Math.ceil(size / this.blockSize) * this.blockSize);
    } else {
      this.clear(this.size, size);
    }
    this.finish(size, ['i_mtime', 'i_ctime']);
  }

  /**
   * Fills all holes of a range with blocks of zeros, in one allocation.
   * @throws ImageError `unsupported` for `keepSize`
   */
  preallocate(request: PreallocationRequest): AllocationPlan {
    const { offset, length, keepSize } = request;
    if (this.type !== 'file') {
      throw new ImageError(
        'not-a-file',
        `Inode ${this.number} is no file; it is not preallocated.`,
      );
    }
    if (keepSize) {
      const message =
        'Without extents no block can be marked as unwritten, so ext2 and ext3 cannot keep ' +
        'blocks beyond the size of a file.';
      throw new ImageError('unsupported', message);
    }
    if (!(length > 0) || offset < 0) {
      throw new ImageError('usage', 'A preallocation is at least one byte long.');
    }
    const end = offset + length;
    this.checkSize(end);
    let extents: Extent[] = [];
    let pointers = 0;
    const metadataWrites = this.context.store.countEdited(() => {
      this.clear(this.size, end);
      const holes = this.holes(Math.floor(offset / this.blockSize), this.blocksFor(end));
      pointers = this.map.countMissing(holes);
      extents = this.fill(holes);
      for (const extent of extents) {
        this.context.store.zero(extent.physical * this.blockSize, extent.length * this.blockSize);
      }
      const grows = end > this.size;
      if (grows) this.finish(end, ['i_mtime', 'i_ctime']);
      else if (extents.length > 0) this.finish(this.size, ['i_ctime']);
    });
    const blocks = extents.reduce((sum, extent) => sum + extent.length, 0);
    return {
      extents,
      fragments: countFragments(this.extents()),
      allocatedUnits: blocks + pointers,
      metadataWrites,
      bytesZeroed: blocks * this.blockSize,
      notes:
        length < worthwhile
          ? ['For a file this small it is simpler to write zeros than to preallocate.']
          : [],
    };
  }

  /**
   * Adds a block of zeros at the end, to be changed through the writer: of a directory.
   * @returns where it lies: its number in the content and in the volume
   */
  appendBlock(): { readonly logical: number; readonly block: number } {
    const logical = this.blocksFor(this.size);
    const end = (logical + 1) * this.blockSize;
    this.checkSize(end);
    this.fill(this.holes(logical, logical + 1));
    const [{ physical: block }] = this.map.pieces(logical, logical + 1);
    this.context.store.startBlock(block);
    this.finish(end, ['i_mtime', 'i_ctime']);
    return { logical, block };
  }

  /** Gives all blocks back; attributes keep theirs. */
  release(): void {
    this.cut(0);
    this.finish(0, ['i_mtime', 'i_ctime']);
  }

  /** Where the content lies. */
  private extents(): Extent[] {
    return [...this.map.pieces(0, this.blocksFor(this.size))].filter(
      ({ physical }) => physical !== 0,
    );
  }

  private blocksFor(bytes: number): number {
    return Math.ceil(bytes / this.blockSize);
  }

  private checkSize(size: number): void {
    const largest = largestContent(this.blockSize, this.map.reach, this.type);
    if (size <= largest) return;
    const message = `Inode ${this.number} can have ${largest} bytes at most, not ${size}.`;
    throw new ImageError('unsupported', message);
  }

  private holes(first: number, end: number): LogicalRun[] {
    return [...this.map.pieces(first, end)].filter(({ physical }) => physical === 0);
  }

  /** Runs of blocks in holes that get something else than zeros. */
  private holesToWrite(offset: number, bytes: Uint8Array): LogicalRun[] {
    const { blockSize } = this;
    const runs: { logical: number; length: number }[] = [];
    const first = Math.floor(offset / blockSize);
    for (const hole of this.holes(first, this.blocksFor(offset + bytes.length))) {
      for (let block = hole.logical; block < hole.logical + hole.length; block++) {
        const from = Math.max(0, block * blockSize - offset);
        if (isZero(bytes.subarray(from, (block + 1) * blockSize - offset))) continue;
        const last = runs.at(-1);
        if (last && last.logical + last.length === block) last.length += 1;
        else runs.push({ logical: block, length: 1 });
      }
    }
    return runs;
  }

  /** Gives blocks to holes, all in one allocation. @returns what they got, in logical order */
  private fill(holes: readonly LogicalRun[]): Extent[] {
    const data = holes.reduce((sum, { length }) => sum + length, 0);
    if (data === 0) return [];
    const pointers = this.map.countMissing(holes);
    const taken = this.context.blocks.allocate({
      data,
      pointers,
      goal: this.blockBefore(holes[0].logical),
      inode: this.number,
    });
    const pointerBlocks = [...eachBlock(taken.pointers)];
    const extents = [...assigned(holes, taken.data)];
    let used = 0;
    let settled = 0;
    for (const { logical, physical, length } of extents) {
      this.map.assign(logical, { start: physical, length }, () => pointerBlocks[used++]);
      if (used - settled < keptPointerBlocks) continue;
      this.context.store.settle(pointerBlocks.slice(settled, used));
      settled = used;
      this.context.progress.report(used, pointerBlocks.length);
    }
    this.addBlocks(data + pointers);
    return extents;
  }

  /** The block after the one that the content has before a place. */
  private blockBefore(logical: number): number | undefined {
    if (logical === 0) return undefined;
    const [{ physical }] = this.map.pieces(logical - 1, logical);
    return physical === 0 ? undefined : physical + 1;
  }

  /** @param blocks what stays */
  private cut(blocks: number): void {
    const { data, pointers } = this.map.cut(blocks);
    const freed = [...data, ...pointers];
    for (const { start, length } of freed) this.context.blocks.release(start, length);
    this.addBlocks(-freed.reduce((sum, { length }) => sum + length, 0));
  }

  /** What the inode counts as its blocks, in sectors. */
  private addBlocks(blocks: number): void {
    this.context.writer.editInode(this.number, (raw) => {
      const sectors = i_blocks_lo.read(raw, i_blocks_lo.offset);
      const after = sectors + blocks * (this.blockSize / sectorSize);
      if (after >= 2 ** 32) {
        throw new ImageError('corrupt', `Inode ${this.number} says it has ${sectors} sectors.`);
      }
      i_blocks_lo.write(raw, i_blocks_lo.offset, Math.max(0, after));
    });
  }

  private finish(size: number, times: readonly InodeTime[]): void {
    const { context } = this;
    context.writer.editInode(this.number, (raw) => {
      inodeStructure.set(raw, 'i_size_lo', size % 2 ** 32);
      if (this.type === 'file') inodeStructure.set(raw, 'i_size_high', Math.floor(size / 2 ** 32));
      stampInode(raw, context.now, times);
    });
    if (this.type === 'file') requireLargeFiles(context.writer, size);
    this.currentSize = size;
  }

  /**
   * Makes zeros of what lies in a range of the content: what a file is lengthened by must not
   * show what was left there.
   */
  private clear(from: number, to: number): void {
    for (const { place, length } of this.mappedParts(from, to)) {
      const { volume, store } = this.context;
      // In files that others have written it is zeros already.
      if (length < this.blockSize && isZero(readBytes(volume.bytes, place, length))) continue;
      store.zero(place, length);
    }
  }

  private clearBlock(block: number): void {
    this.context.store.zero(block * this.blockSize, this.blockSize);
  }

  /** The parts of a range that have blocks: where in the content, and where in the volume. */
  private *mappedParts(
    from: number,
    to: number,
  ): Generator<{ offset: number; place: number; length: number }, void> {
    if (from >= to) return;
    const { blockSize } = this;
    for (const piece of this.map.pieces(Math.floor(from / blockSize), this.blocksFor(to))) {
      if (piece.physical === 0) continue;
      const start = piece.logical * blockSize;
      const offset = Math.max(from, start);
      const end = Math.min(to, start + piece.length * blockSize);
      const place = piece.physical * blockSize + offset - start;
      yield { offset, place, length: end - offset };
    }
  }
}

/**
 * Gives back the blocks that an inode has for its content, whatever that is.
 * @throws ImageError as `FileWriter`
 */
export function releaseContent(context: EditContext, number: number): void {
  const place = contentPlace(context.volume, readInode(context.volume, number));
  if (place === 'none' || place === 'target') return;
  new FileWriter(context, number).release();
}

function* eachBlock(runs: readonly UnitRun[]): Generator<number, void> {
  for (const { start, length } of runs) {
    for (let block = start; block < start + length; block++) yield block;
  }
}

/** Which hole gets which blocks. */
function* assigned(
  holes: readonly LogicalRun[],
  runs: readonly UnitRun[],
): Generator<Extent, void> {
  let index = 0;
  let used = 0;
  for (const hole of holes) {
    for (let done = 0; done < hole.length;) {
      const run = runs[index];
      const length = Math.min(hole.length - done, run.length - used);
      yield { logical: hole.logical + done, physical: run.start + used, length };
      done += length;
      used += length;
      if (used < run.length) continue;
      index += 1;
      used = 0;
    }
  }
}
