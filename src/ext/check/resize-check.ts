import { hasSuperblock, holdsBlocks, type Geometry } from '../superblock';
import { readBlock } from '../volume';
import type { CheckContext } from './context';
import { modeTypes, type InodeCursor } from './inode-cursor';
import { NodeBlocks } from './node-blocks';
import type { InodeTableReader } from './table-reader';

const resizeInode = 7;
const doubleIndirect = 13;
const pointers = 15;
const smallestBlock = 1024;

/** Checks the inode that keeps room for the descriptors of groups to come. */
export class ResizeCheck {
  constructor(
    private readonly context: CheckContext,
    private readonly tables: InodeTableReader,
  ) {}

  run(): void {
    const { features } = this.context.volume.geometry;
    const inode = this.tables.cursor(resizeInode);
    if (!inode) return;
    const others = Array.from({ length: pointers }, (_, i) => i).filter(
      (i) => i !== doubleIndirect,
    );
    const hasOthers = others.some((i) => inode.pointer(i) !== 0);
    if (!features.has('resize_inode')) {
      if (hasOthers || inode.pointer(doubleIndirect) !== 0) {
        this.fail(inode, 'is in use, without the feature resize_inode');
      }
      return;
    }
    const block = inode.pointer(doubleIndirect);
    const isLegal = block !== 0 && holdsBlocks(this.context.volume.geometry, block);
    if (hasOthers || !isLegal || inode.links === 0 || !inode.is(modeTypes.regular)) {
      this.fail(inode, 'does not keep exactly one block of pointers');
      return;
    }
    this.checkPointers(inode, block);
  }

  /** Each block that is kept leads to its copies, in the groups that have them. */
  private checkPointers(inode: InodeCursor, block: number): void {
    const { volume } = this.context;
    const { geometry } = volume;
    const { blockSize, firstDataBlock, descriptorSize } = geometry;
    const perBlock = blockSize / 4;
    const tableBlocks = Math.ceil((geometry.groups * descriptorSize) / blockSize);
    const table = readBlock(volume, block);
    let kept = firstDataBlock + 1 + tableBlocks;
    if (blockSize === smallestBlock && firstDataBlock === 0) kept += 1;
    const count = Math.min(geometry.values.s_reserved_gdt_blocks, perBlock);
    const copies = this.groupsWithCopies(perBlock);
    const pointers = new NodeBlocks(volume);
    for (let i = 0; i < count; i++, kept++) {
      const at = ((tableBlocks + i) % perBlock) * 4;
      if (table.getUint32(at, true) !== kept) {
        this.fail(inode, `does not lead to block ${kept}, which is kept for descriptors`);
        return;
      }
      if (!leadsTo(copies, kept, pointers.read(kept, 0), geometry)) {
        this.fail(inode, `does not lead to the copies of block ${kept}`);
        return;
      }
    }
  }

  /** Groups with copies of descriptors, in order, but the first; @param most as one block names */
  private groupsWithCopies(most: number): number[] {
    const { volume, groups } = this.context;
    const found: number[] = [];
    for (let group = 1; group < groups.count && found.length < most; group++) {
      if (hasSuperblock(volume.geometry, group)) found.push(group);
    }
    return found;
  }

  private fail(inode: InodeCursor, what: string): void {
    const message = `The resize inode, ${resizeInode}, ${what}.`;
    this.context.report.add('ext-resize-inode', message, inode.field('i_block'));
  }
}

/** Whether a block of pointers leads to where each group has its copy of a block. */
function leadsTo(
  groups: readonly number[],
  block: number,
  pointers: DataView,
  { blocksPerGroup }: Geometry,
): boolean {
  return groups.every(
    (group, i) => pointers.getUint32(4 * i, true) === block + group * blocksPerGroup,
  );
}
