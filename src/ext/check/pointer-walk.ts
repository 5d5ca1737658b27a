import { isZero } from '../../image/memory';
import { directBlocks } from '../block-map';
import { holdsBlocks } from '../superblock';
import type { ExtVolume } from '../volume';
import { modeTypes, type InodeCursor } from './inode-cursor';
import type { MappingSink, MappingTally } from './mapping-tally';
import { NodeBlocks } from './node-blocks';

const pointerSize = 4;
const largestDirectory = 2 ** 21 * 1024; // bytes, without large_dir
const resizeInode = 7;
const levelNames = ['indirect', 'double indirect', 'triple indirect'];

/** Follows block pointers by the rules of e2fsck's first pass. */
export class PointerWalk {
  private isDirectory = false;
  private mayBeLong = false;
  private largestBlock = Infinity;
  private nextOfDirectory = 0;
  private inode!: InodeCursor;
  private readonly largestOfDirectory: number;
  private readonly blocks: NodeBlocks;

  constructor(
    private readonly volume: ExtVolume,
    private readonly tally: MappingTally,
    private readonly sink: MappingSink,
  ) {
    const { features, blockSize } = volume.geometry;
    this.largestOfDirectory = features.has('large_dir') ? Infinity : largestDirectory / blockSize;
    this.blocks = new NodeBlocks(volume);
  }

  walk(inode: InodeCursor): void {
    this.inode = inode;
    this.isDirectory = inode.is(modeTypes.directory);
    this.mayBeLong = this.isDirectory || inode.is(modeTypes.regular) || inode.mode === 0;
    this.largestBlock = this.isDirectory ? this.largestOfDirectory : Infinity;
    this.nextOfDirectory = 0;
    const perBlock = this.volume.geometry.blockSize / pointerSize;
    const place = (index: number) => inode.blockPlace + pointerSize * index;
    if (this.isDirectory && inode.pointer(0) === 0) this.hole(0);
    for (let i = 0; i < directBlocks; i++) this.data(inode.pointer(i), i, place(i));
    let logical = directBlocks;
    for (let level = 0; level < levelNames.length; level++) {
      const index = directBlocks + level;
      this.follow(inode.pointer(index), level, logical, place(index));
      logical += perBlock ** (level + 1);
    }
    this.tally.lastWritten = this.tally.lastBlock;
  }

  private data(pointer: number, logical: number, place: number): void {
    if (pointer === 0) return;
    if (!this.isLegal(pointer)) {
      this.outOfRange(`block ${logical}`, pointer, place);
      return;
    }
    if (logical > this.largestBlock || (!this.mayBeLong && logical > 0)) {
      const code = this.isDirectory ? 'ext-directory-too-big' : 'ext-symlink-too-long';
      const message = `Inode ${this.inode.number} has a block ${logical}, more than its kind may have.`;
      this.sink.report(code, message, place, pointerSize);
      return;
    }
    for (; this.isDirectory && this.nextOfDirectory < logical; this.nextOfDirectory++) {
      if (this.nextOfDirectory > 0 || this.inode.pointer(0) !== 0) this.hole(this.nextOfDirectory);
      // One hole tells of all that follow it.
      if (logical - this.nextOfDirectory > 1) this.nextOfDirectory = logical - 1;
    }
    this.nextOfDirectory = logical + 1;
    // What inode 7 points to are copies of descriptors, which the groups have claimed.
    if (this.inode.number === resizeInode) {
      this.tally.clusters += 1;
      this.tally.lastBlock = logical;
      return;
    }
    if (this.tally.isMisaligned(logical, pointer)) {
      const message = `Block ${logical} of inode ${this.inode.number} lies otherwise in its cluster than in the content.`;
      this.sink.report('ext-cluster-misaligned', message, place, pointerSize);
    }
    this.tally.addRun(logical, pointer, 1);
    this.sink.run(logical, pointer, 1);
  }

  /** @param level 0 where the pointers in the block lead to content */
  private follow(pointer: number, level: number, logical: number, place: number): void {
    if (pointer === 0) return;
    if (!this.isLegal(pointer)) {
      this.outOfRange(`the ${levelNames[level]} block`, pointer, place);
      return;
    }
    const isResize = this.inode.number === resizeInode;
    const mayEnter = isResize || this.sink.mayEnter(pointer);
    if (isResize && level === 0) this.tally.clusters += 1;
    else this.tally.addNode(pointer);
    if (!mayEnter) {
      const message = `Inode ${this.inode.number} keeps pointers in block ${pointer}, which is in use already.`;
      this.sink.report('ext-indirect-block-repeated', message, place, pointerSize);
      return;
    }
    const view = this.blocks.read(pointer, level);
    const start = this.inode.imageOffset(pointer);
    const span = (view.byteLength / pointerSize) ** level;
    let mayBeOver = true;
    for (let at = 0; at < view.byteLength; at += pointerSize) {
      const next = view.getUint32(at, true);
      if (next === 0) {
        // Most blocks have their pointers at the start: asked once, so that no block asks often.
        if (mayBeOver && isZero(new Uint8Array(view.buffer, at))) break;
        mayBeOver = false;
        continue;
      }
      const nextLogical = logical + (at / pointerSize) * span;
      if (level === 0) this.data(next, nextLogical, start + at);
      else this.follow(next, level - 1, nextLogical, start + at);
    }
  }

  private hole(logical: number): void {
    this.sink.run(logical, 0, 1);
  }

  private isLegal(block: number): boolean {
    return holdsBlocks(this.volume.geometry, block);
  }

  private outOfRange(what: string, pointer: number, place: number): void {
    const message = `Inode ${this.inode.number} has ${what} in block ${pointer}, outside of the volume.`;
    this.sink.report('ext-block-out-of-range', message, place, pointerSize);
  }
}
