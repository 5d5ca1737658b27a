import { appendExtent, type Extent } from '../filesystem/extents';
import { noProgress } from '../filesystem/progress';
import { ImageError } from '../image/errors';
import type { BlockMapping } from './block-map';
import { readMapping } from './content';
import { EditedDirectory } from './edit/edited-directory';
import { entriesInInode, extentHeader, extentMagic, startNode } from './extent-node';
import { countTreeBlocks, writeExtentTree } from './extent-writer';
import type { FastOperation } from './fast-commits';
import { readFreeBlocks } from './free-blocks';
import { iBlockOf, type Inode, inodeFlags, inodeStructure, readInode } from './inode';
import { Problems } from './problems';
import { nodeTypesByRecord } from './records';
import { holdsBlocks } from './superblock';
import { bytesOf, type VolumeWriter } from './volume-writer';

const { i_block, i_generation, i_links_count, i_size_lo, i_flags, i_blocks_lo, i_blocks_high } =
  inodeStructure.fields;
const sectorSize = 512;

type RangeOperation = Extract<FastOperation, { kind: 'add' | 'remove' }>;
type NameOperation = Extract<FastOperation, { kind: 'create' | 'link' | 'unlink' }>;

/**
 * Does what fast commits say, as `ext4_fc_replay` of Linux: whole inodes, where content lies,
 * and names. What makes no sense for the volume is left out.
 */
export class FastCommitReplay {
  private readonly touched = new Set<number>();
  private readonly unlinked = new Set<number>();
  private readonly free: Iterator<number>;

  constructor(
    private readonly writer: VolumeWriter,
    private readonly operations: readonly FastOperation[],
  ) {
    this.free = this.unclaimedBlocks();
  }

  run(): void {
    for (const operation of this.operations) this.attempt(() => this.apply(operation));
    for (const number of this.unlinked) this.attempt(() => this.dropUnlinked(number));
    // A block that one inode gave up another may have taken before.
    for (const number of this.touched) this.attempt(() => this.claim(number));
  }

  private attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (!(error instanceof ImageError)) throw error;
    }
  }

  private apply(operation: FastOperation): void {
    switch (operation.kind) {
      case 'inode':
        this.copyInode(operation.inode, operation.raw);
        break;
      case 'add':
      case 'remove':
        this.changeRange(operation);
        break;
      case 'create':
      case 'link':
        this.addName(operation);
        break;
      case 'unlink':
        this.removeName(operation);
        break;
    }
  }

  /** All of an inode but what tells where its content lies; that follows in ranges. */
  private copyInode(number: number, raw: Uint8Array): void {
    this.writer.editInode(number, (view) => {
      const bytes = bytesOf(view);
      bytes.set(raw.subarray(0, i_block.offset));
      const rest = raw.subarray(i_generation.offset, bytes.length);
      bytes.set(rest, i_generation.offset);
      const flags = i_flags.read(view, i_flags.offset);
      if ((flags & inodeFlags.extents) !== 0) makeTreeIfNone(view);
      else if ((flags & inodeFlags.inlineData) !== 0) {
        bytes.set(raw.subarray(i_block.offset, i_block.offset + i_block.length), i_block.offset);
      }
    });
    this.touched.add(number);
    const inode = this.inode(number);
    if (inode.links > 0) this.writer.markInode(number, true);
    // The checksums of the tree depend on the inode's generation.
    if (inode.has(inodeFlags.extents)) this.setExtents(inode, this.mapping(inode).extents);
  }

  private changeRange(operation: RangeOperation): void {
    const inode = this.inode(operation.inode);
    const { kept, removed } = cut(this.mapping(inode).extents, operation.logical, operation.length);
    if (operation.kind === 'add') {
      const { logical, physical, length, unwritten } = operation;
      if (!holdsBlocks(this.writer.volume.geometry, physical, length)) return;
      kept.push(
        unwritten ? { logical, physical, length, unwritten } : { logical, physical, length },
      );
    }
    for (const { physical, length } of removed) this.writer.markBlocks(physical, length, false);
    this.setExtents(inode, kept);
    this.touched.add(operation.inode);
  }

  private addName({ kind, parent, inode: number, name }: NameOperation): void {
    const inode = this.inode(number);
    if (kind === 'create' && inode.type === 'directory' && inode.size === 0) {
      // Its parent's fast commit does not hold its first block.
      this.directory(number).start(parent, this.fileType(inode));
    }
    const directory = this.directory(parent);
    const old = directory.find(name);
    if (old) directory.remove(old);
    directory.add({ inode: number, name, fileType: this.fileType(inode) });
    const links = kind === 'link' ? inode.links + 1 : Math.max(inode.links, 1);
    this.setLinks(number, links);
  }

  private removeName({ parent, inode: number, name }: NameOperation): void {
    const directory = this.directory(parent);
    const found = directory.find(name, number);
    if (!found) return;
    directory.remove(found);
    const inode = this.inode(number);
    if (inode.type !== 'directory') this.setLinks(number, Math.max(0, inode.links - 1));
    this.unlinked.add(number);
  }

  private setLinks(number: number, links: number): void {
    this.writer.editInode(number, (view) => {
      i_links_count.write(view, i_links_count.offset, links);
    });
  }

  private fileType({ type }: Inode): number {
    const hasFileType = this.writer.volume.geometry.features.has('filetype');
    return hasFileType ? Math.max(0, nodeTypesByRecord.indexOf(type)) : 0;
  }

  private appendBlock(inode: Inode): { logical: number; block: number } {
    const { blockSize } = this.writer.volume.geometry;
    const logical = Math.ceil(inode.size / blockSize);
    const block = this.takeBlock();
    const extents = [...this.mapping(inode).extents, { logical, physical: block, length: 1 }];
    this.setExtents(inode, extents);
    this.writer.editInode(inode.number, (view) => {
      i_size_lo.write(view, i_size_lo.offset, (logical + 1) * blockSize);
    });
    this.touched.add(inode.number);
    return { logical, block };
  }

  /** What no name leads to any more is given free, as when the last name of a file is removed. */
  private dropUnlinked(number: number): void {
    const inode = this.inode(number);
    if (inode.links > 0) return;
    const { extents, mapBlocks } = this.mapping(inode);
    for (const { physical, length } of extents) this.writer.markBlocks(physical, length, false);
    for (const { block } of mapBlocks) this.writer.markBlocks(block, 1, false);
    this.writer.markInode(number, false);
    this.touched.delete(number);
  }

  private claim(number: number): void {
    const { extents, mapBlocks } = this.mapping(this.inode(number));
    for (const { physical, length } of extents) this.writer.markBlocks(physical, length, true);
    for (const { block } of mapBlocks) this.writer.markBlocks(block, 1, true);
  }

  /** Writes the extent tree of an inode anew, in the blocks that it has and others as needed. */
  private setExtents(inode: Inode, extents: readonly Extent[]): void {
    if (!inode.has(inodeFlags.extents)) {
      throw new ImageError('unsupported', `Inode ${inode.number} has no extents to be changed.`);
    }
    const { geometry } = this.writer.volume;
    const list = joined(extents);
    const needed = countTreeBlocks(geometry, list);
    const blocks = this.mapping(inode).mapBlocks.map(({ block }) => block);
    while (blocks.length < needed) blocks.push(this.takeBlock());
    for (const block of blocks.splice(needed)) this.writer.markBlocks(block, 1, false);
    const occupied = this.occupiedBytes(inode, list, needed);
    const rest = blocks.values();
    this.writer.editInode(inode.number, (view) => {
      const root = iBlockOf(view);
      const generation = i_generation.read(view, i_generation.offset);
      writeExtentTree(geometry, { number: inode.number, generation }, list, root, () => {
        const block: number = rest.next().value ?? this.takeBlock();
        return { block, view: this.writer.block(block) };
      });
      const units = occupied / (inode.has(inodeFlags.hugeFile) ? geometry.blockSize : sectorSize);
      i_blocks_lo.write(view, i_blocks_lo.offset, units % 2 ** 32);
      if (geometry.features.has('huge_file')) {
        i_blocks_high.write(view, i_blocks_high.offset, Math.floor(units / 2 ** 32));
      }
    });
    for (const { physical, length } of list) this.writer.markBlocks(physical, length, true);
  }

  /** Content, tree and attributes, in whole clusters. */
  private occupiedBytes(inode: Inode, extents: readonly Extent[], treeBlocks: number): number {
    const { blockSize, clusterBlocks } = this.writer.volume.geometry;
    let clusters = treeBlocks + (inode.attributeBlock === 0 ? 0 : 1);
    let last = -1;
    for (const { physical, length } of extents) {
      const first = Math.floor(physical / clusterBlocks);
      const end = Math.floor((physical + length - 1) / clusterBlocks);
      clusters += end - first + (first === last ? 0 : 1);
      last = end;
    }
    return clusters * clusterBlocks * blockSize;
  }

  private inode(number: number): Inode {
    return readInode(this.writer.volume, number);
  }

  private directory(number: number): EditedDirectory {
    const growth = { append: (grown: number) => this.appendBlock(this.inode(grown)) };
    return new EditedDirectory(this.writer, number, growth, []);
  }

  private mapping(inode: Inode): BlockMapping {
    return readMapping(this.writer.volume, inode, new Problems(inode.number));
  }

  private takeBlock(): number {
    const next = this.free.next();
    if (next.done) throw new ImageError('unsupported', 'There is no free block for the replay.');
    this.writer.markBlocks(next.value, 1, true);
    return next.value;
  }

  /** First blocks of clusters that are free before the replay and that no operation wants. */
  private *unclaimedBlocks(): Generator<number> {
    const { volume } = this.writer;
    const { clusterBlocks } = volume.geometry;
    const claimed = this.operations.filter((operation) => operation.kind === 'add');
    const free = readFreeBlocks(volume, noProgress);
    for (let row = 0; row < free.count; row++) {
      const end = free.starts[row] + free.lengths[row];
      for (let block = free.starts[row]; block < end; block += clusterBlocks) {
        const isClaimed = claimed.some(
          ({ physical, length }) => physical < block + clusterBlocks && block < physical + length,
        );
        if (!isClaimed) yield block;
      }
    }
  }
}

/** An inode that never had content may hold anything where its tree should be. */
function makeTreeIfNone(view: DataView): void {
  const root = iBlockOf(view);
  if (extentHeader.read(root).eh_magic === extentMagic) return;
  startNode(root, 0, entriesInInode);
}

/** Takes a range of logical blocks out of extents. */
function cut(
  extents: readonly Extent[],
  logical: number,
  length: number,
): { kept: Extent[]; removed: Extent[] } {
  const kept: Extent[] = [];
  const removed: Extent[] = [];
  for (const extent of extents) {
    const from = Math.max(extent.logical, logical);
    const to = Math.min(extent.logical + extent.length, logical + length);
    if (from >= to) {
      kept.push(extent);
      continue;
    }
    const part = (start: number, end: number): Extent => ({
      ...extent,
      logical: start,
      physical: extent.physical + start - extent.logical,
      length: end - start,
    });
    removed.push(part(from, to));
    if (from > extent.logical) kept.push(part(extent.logical, from));
    const end = extent.logical + extent.length;
    if (to < end) kept.push(part(to, end));
  }
  return { kept, removed };
}

function joined(extents: readonly Extent[]): Extent[] {
  const list: Extent[] = [];
  for (const extent of [...extents].sort((a, b) => a.logical - b.logical)) {
    appendExtent(list, extent);
  }
  return list;
}
