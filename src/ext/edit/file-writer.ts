import type { AllocationPlan, PreallocationRequest } from '../../filesystem/editing';
import { countFragments, type Extent } from '../../filesystem/extents';
import { readBytes } from '../../image/bytes';
import { isZero } from '../../image/memory';
import { ImageError } from '../../image/errors';
import { contentPlace } from '../content';
import { inodeFlags, inodeStructure, readInode } from '../inode';
import { addToBlockCount } from './block-count';
import { BlockMapWriter } from './block-map-writer';
import type { ContentMap, LogicalRun, MapPiece } from './content-map';
import type { EditContext } from './context';
import { ExtentMapWriter } from './extent-map-writer';
import { around, assigned, countBlocks, marked } from './extent-runs';
import { stampInode, type InodeTime } from './inode-times';
import { largestByExtents, largestByPointers } from './largest-content';
import { requireLargeFiles } from './large-files';
import { requireSoundMap } from './sound-map';
import { writtenRange } from './unwritten';

/** Below so many bytes a preallocation gains nothing. */
const worthwhile = 1024 * 1024;

/** Changes the content of an inode that is kept in blocks. */
export class FileWriter {
  private readonly map: ContentMap;
  private readonly hasExtents: boolean;
  private readonly blockSize: number;
  private readonly type: 'file' | 'directory' | 'symlink';
  private currentSize: number;

  /**
   * @throws ImageError `not-a-file` for inodes without content of their own, `unsupported` where
   *   it is not kept in blocks, `corrupt` where it makes no sense which they are
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
    this.hasExtents = inode.has(inodeFlags.extents);
    const isElsewhere =
      contentPlace(context.volume, inode) !== (this.hasExtents ? 'extents' : 'blocks');
    if (inode.has(inodeFlags.inlineData) || (size > 0 && isElsewhere)) {
      const message = `The content of inode ${number} is not kept in blocks, and is not changed.`;
      throw new ImageError('unsupported', message);
    }
    requireSoundMap(context, inode);
    this.map = new (this.hasExtents ? ExtentMapWriter : BlockMapWriter)(context, number);
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
    const filled = this.fill(this.runsToWrite(offset, bytes, isHole)).extents;
    const converted = this.convert(this.runsToWrite(offset, bytes, isUnwritten), end);
    for (const { physical, length, logical } of [...filled, ...converted]) {
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
    if (size <= this.size) {
      // Also of the same size: what was preallocated behind the end is given back.
      this.cut(Math.ceil(size / this.blockSize));
      this.clear(size, Math.ceil(size / this.blockSize) * this.blockSize);
    } else {
      this.clear(this.size, size);
    }
    this.finish(size, ['i_mtime', 'i_ctime']);
  }

  /**
   * Fills all holes of a range, in one allocation: where there are extents with unwritten blocks,
   * else with blocks of zeros.
   * @throws ImageError `unsupported` for `keepSize` without extents
   */
  preallocate(request: PreallocationRequest): AllocationPlan {
    const { offset, length, keepSize } = request;
    const isZeroed = request.zero || !this.hasExtents;
    if (this.type !== 'file') {
      throw new ImageError(
        'not-a-file',
        `Inode ${this.number} is no file; it is not preallocated.`,
      );
    }
    if (keepSize && !this.hasExtents) {
      const message =
        'Without extents no block can be marked as unwritten, so no block is kept beyond the ' +
        'size of a file.';
      throw new ImageError('unsupported', message);
    }
    if (!(length > 0) || offset < 0) {
      throw new ImageError('usage', 'A preallocation is at least one byte long.');
    }
    const end = offset + length;
    this.checkSize(end);
    const size = keepSize ? this.size : Math.max(this.size, end);
    let extents: Extent[] = [];
    let own = 0;
    const metadataWrites = this.context.store.countEdited(() => {
      this.clear(this.size, size);
      const holes = this.holes(Math.floor(offset / this.blockSize), this.blocksFor(end));
      // Nothing is written beyond the end of the content: what is kept there stays unwritten.
      const firstUnwritten = isZeroed ? this.blocksFor(size) : 0;
      ({ extents, own } = this.fill(holes, this.hasExtents ? firstUnwritten : Infinity));
      if (isZeroed) this.zero(extents);
      if (size > this.size) this.finish(size, ['i_mtime', 'i_ctime']);
      else if (extents.length > 0) this.finish(size, ['i_ctime']);
    });
    const blocks = countBlocks(extents);
    return {
      extents,
      fragments: countFragments(this.extents()),
      allocatedUnits: blocks + own,
      metadataWrites,
      bytesZeroed: isZeroed ? blocks * this.blockSize : 0,
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

  /** Where the content lies, and what is kept for it behind its end. */
  private extents(): Extent[] {
    return [...this.map.pieces(0, this.map.reach)].filter((piece) => !isHole(piece));
  }

  private blocksFor(bytes: number): number {
    return Math.ceil(bytes / this.blockSize);
  }

  private checkSize(size: number): void {
    const { geometry } = this.context.volume;
    const largest = this.hasExtents
      ? largestByExtents(geometry, this.map.reach, this.type)
      : largestByPointers(this.blockSize, this.map.reach, this.type);
    if (size <= largest) return;
    const message = `Inode ${this.number} can have ${largest} bytes at most, not ${size}.`;
    throw new ImageError('unsupported', message);
  }

  private holes(first: number, end: number): LogicalRun[] {
    return [...this.map.pieces(first, end)].filter(isHole);
  }

  /** Runs of blocks of one kind that get something else than zeros. */
  private runsToWrite(
    offset: number,
    bytes: Uint8Array,
    isKind: (piece: MapPiece) => boolean,
  ): LogicalRun[] {
    const { blockSize } = this;
    const runs: { logical: number; length: number }[] = [];
    const first = Math.floor(offset / blockSize);
    for (const piece of this.map.pieces(first, this.blocksFor(offset + bytes.length))) {
      if (!isKind(piece)) continue;
      for (let block = piece.logical; block < piece.logical + piece.length; block++) {
        const from = Math.max(0, block * blockSize - offset);
        if (isZero(bytes.subarray(from, (block + 1) * blockSize - offset))) continue;
        const last = runs.at(-1);
        if (last && last.logical + last.length === block) last.length += 1;
        else runs.push({ logical: block, length: 1 });
      }
    }
    return runs;
  }

  /**
   * Gives blocks to holes, all in one allocation.
   * @param firstUnwritten block of the content from which on they are marked as unwritten
   * @returns what they got, in logical order, and how many blocks the map took for itself
   */
  private fill(
    holes: readonly LogicalRun[],
    firstUnwritten = Infinity,
  ): { extents: Extent[]; own: number } {
    const data = countBlocks(holes);
    if (data === 0) return { extents: [], own: 0 };
    const pointers = this.map.countMissing(holes);
    const taken = this.context.blocks.allocate({
      data,
      pointers,
      goal: this.blockBefore(holes[0].logical),
      inode: this.number,
    });
    const extents = [...assigned(holes, taken.data)].flatMap((extent) =>
      marked(extent, firstUnwritten),
    );
    const own = pointers + this.map.assign(extents, taken.pointers);
    this.addBlocks(data + own);
    return { extents, own };
  }

  /**
   * Marks unwritten blocks as written, and makes zeros of those around them that are too.
   * @param runs what is about to be written
   * @param end of the content, in bytes
   * @returns where the runs lie
   */
  private convert(runs: readonly LogicalRun[], end: number): Extent[] {
    const limit = this.blocksFor(Math.max(this.size, end));
    const { chunk = 0 } = this.context;
    return runs.flatMap((run) => {
      const found: Extent[] = [];
      for (let at = run.logical; at < run.logical + run.length;) {
        const part = { logical: at, length: run.logical + run.length - at };
        const extent = writtenRange(this.map, part, { blockSize: this.blockSize, chunk, limit });
        if (extent === null) {
          at += 1;
          continue;
        }
        this.addBlocks(this.map.assign([extent], []));
        const from = Math.max(at, extent.logical);
        const to = Math.min(at + part.length, extent.logical + extent.length);
        const write = { logical: from, physical: extent.physical + from - extent.logical };
        this.zero(around(extent, from, to));
        found.push({ ...write, length: to - from });
        at = to;
      }
      return found;
    });
  }

  /** The block after the one that the content has before a place. */
  private blockBefore(logical: number): number | undefined {
    if (logical === 0) return undefined;
    const [{ physical }] = this.map.pieces(logical - 1, logical);
    return physical === 0 ? undefined : physical + 1;
  }

  /** @param blocks what stays */
  private cut(blocks: number): void {
    const { data, own } = this.map.cut(blocks);
    const freed = [...data, ...own];
    for (const { start, length } of freed) this.context.blocks.release(start, length);
    this.addBlocks(-countBlocks(freed));
  }

  /** What the inode counts as its blocks changes. */
  private addBlocks(blocks: number): void {
    if (blocks === 0) return;
    this.context.writer.editInode(this.number, (raw) =>
      addToBlockCount(raw, this.context.volume.geometry, blocks),
    );
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

  private zero(extents: readonly Extent[]): void {
    for (const { physical, length } of extents) {
      this.context.store.zero(physical * this.blockSize, length * this.blockSize);
    }
  }

  private clearBlock(block: number): void {
    this.context.store.zero(block * this.blockSize, this.blockSize);
  }

  /** The parts of a range that were written: where in the content, and where in the volume. */
  private *mappedParts(
    from: number,
    to: number,
  ): Generator<{ offset: number; place: number; length: number }, void> {
    if (from >= to) return;
    const { blockSize } = this;
    for (const piece of this.map.pieces(Math.floor(from / blockSize), this.blocksFor(to))) {
      if (isHole(piece) || isUnwritten(piece)) continue;
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
  if (place !== 'blocks' && place !== 'extents') return;
  new FileWriter(context, number).release();
}

const isHole = ({ physical }: MapPiece) => physical === 0;
const isUnwritten = ({ unwritten }: MapPiece) => unwritten === true;
