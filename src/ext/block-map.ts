import type { Extent } from '../filesystem/extents';
import { blockPointers, type Inode } from './inode';
import type { Problems } from './problems';
import { holdsBlocks } from './superblock';
import { imageOffset, readBlock, type ExtVolume } from './volume';

/** A block that tells where content lies. */
export interface MapBlock {
  readonly kind: 'indirect block' | 'extent block';
  readonly block: number;
  /** The block that leads to it, 0 where that is the inode. */
  readonly parent: number;
  /** 0 where its entries lead to content itself. */
  readonly depth: number;
  /** First block of the content it speaks of. */
  readonly logical: number;
}

/** Where the content of an inode lies, by indirect blocks or by an extent tree. */
export interface BlockMapping {
  readonly extents: readonly Extent[];
  readonly mapBlocks: readonly MapBlock[];
}

export const directBlocks = 12;

/**
 * Follows the pointers of an inode without an extent tree. A zero pointer is a hole at any
 * level. A block is followed as a block of pointers once only, so no cycle and no fan-in can
 * make more of a small image than its bytes.
 */
export function readBlockMap(volume: ExtVolume, inode: Inode, problems: Problems): BlockMapping {
  const walk = new BlockMapWalk(volume, inode.number, problems);
  const pointersPerBlock = volume.geometry.blockSize / 4;
  const root = blockPointers.read(inode.view, inode.blockPlace - inode.place);
  const at = (name: keyof typeof blockPointers.fields) =>
    inode.blockPlace + blockPointers.fields[name].offset;

  root.direct.forEach((pointer, i) => walk.addData(pointer, i, at('direct') + 4 * i));
  let logical = directBlocks;
  walk.follow(root.indirect, 0, logical, at('indirect'));
  logical += pointersPerBlock;
  walk.follow(root.double_indirect, 1, logical, at('double_indirect'));
  logical += pointersPerBlock ** 2;
  walk.follow(root.triple_indirect, 2, logical, at('triple_indirect'));
  return walk.finish();
}

class BlockMapWalk {
  private readonly extents: Extent[] = [];
  private readonly mapBlocks: MapBlock[] = [];
  private readonly seen = new Set<number>();
  private runLogical = 0;
  private runPhysical = 0;
  private runLength = 0;

  constructor(
    private readonly volume: ExtVolume,
    private readonly inode: number,
    private readonly problems: Problems,
  ) {}

  /** @param place of the pointer in the image, in bytes */
  addData(pointer: number, logical: number, place: number): void {
    if (pointer === 0) return;
    if (!holdsBlocks(this.volume.geometry, pointer)) {
      this.problems.error(
        'block-out-of-range',
        `Block ${logical} of inode ${this.inode} is said to lie in block ${pointer}, ` +
          'which is outside of the volume.',
        place,
        4,
      );
      return;
    }
    if (
      pointer === this.runPhysical + this.runLength &&
      logical === this.runLogical + this.runLength &&
      this.runLength > 0
    ) {
      this.runLength += 1;
      return;
    }
    this.endRun();
    this.runLogical = logical;
    this.runPhysical = pointer;
    this.runLength = 1;
  }

  /**
   * @param depth 0 where the pointers in the block lead to content
   * @param parent the block that holds the pointer, 0 for the inode
   */
  follow(pointer: number, depth: number, logical: number, place: number, parent = 0): void {
    if (pointer === 0) return;
    if (!holdsBlocks(this.volume.geometry, pointer)) {
      this.problems.error(
        'indirect-block-out-of-range',
        `Inode ${this.inode} is said to keep pointers in block ${pointer}, ` +
          'which is outside of the volume.',
        place,
        4,
      );
      return;
    }
    if (this.seen.has(pointer)) {
      this.problems.error(
        'indirect-block-repeated',
        `Inode ${this.inode} uses block ${pointer} for pointers more than once.`,
        place,
        4,
      );
      return;
    }
    this.seen.add(pointer);
    this.mapBlocks.push({ kind: 'indirect block', block: pointer, parent, depth, logical });
    const view = readBlock(this.volume, pointer);
    const start = imageOffset(this.volume, pointer);
    const span = (view.byteLength / 4) ** depth;
    for (let at = 0; at < view.byteLength; at += 4) {
      const next = view.getUint32(at, true);
      if (next === 0) continue;
      const nextLogical = logical + (at / 4) * span;
      if (depth === 0) this.addData(next, nextLogical, start + at);
      else this.follow(next, depth - 1, nextLogical, start + at, pointer);
    }
  }

  finish(): BlockMapping {
    this.endRun();
    return { extents: this.extents, mapBlocks: this.mapBlocks };
  }

  private endRun(): void {
    if (this.runLength === 0) return;
    this.extents.push({
      logical: this.runLogical,
      physical: this.runPhysical,
      length: this.runLength,
    });
    this.runLength = 0;
  }
}
