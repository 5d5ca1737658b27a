import type { Field } from '../filesystem/structure';
import { ImageError } from '../image/errors';
import { usedByGroupItself } from './bitmaps';
import {
  bitmapChecksum,
  descriptorChecksum,
  setInodeChecksum,
  superblockChecksum,
} from './checksums';
import { groupDescriptor, groupFlags } from './groups';
import { inodeOffset } from './inode';
import { groupBlocks, groupStart, holdsBlocks, superblock } from './superblock';
import type { ExtVolume } from './volume';

/** Where changed blocks are kept. */
export interface BlockStore {
  /** A block of the volume, to be changed in place; whoever reads it next sees the change. */
  edit(block: number): DataView;
}

type DescriptorField = keyof typeof groupDescriptor.fields;

/** Changes the structures of a volume, with all that has to follow: checksums and counts. */
export class VolumeWriter {
  /** @param volume reads what `store` keeps */
  constructor(
    readonly volume: ExtVolume,
    private readonly store: BlockStore,
  ) {}

  /** A block to be changed in place; its checksum, where it has one, is the caller's business. */
  block(block: number): DataView {
    return this.store.edit(block);
  }

  /** @param change gets the inode in its full size */
  editInode(number: number, change: (raw: DataView) => void): void {
    const { geometry } = this.volume;
    const raw = this.part(inodeOffset(this.volume, number), geometry.inodeSize);
    change(raw);
    if (!geometry.features.has('metadata_csum') || geometry.creator !== 'linux') return;
    setInodeChecksum(geometry, number, bytesOf(raw));
  }

  /** Marks a run of blocks as used or free; with bigalloc all clusters that it touches. */
  markBlocks(start: number, length: number, used: boolean): void {
    const { geometry } = this.volume;
    for (let block = start; block < start + length;) {
      const group = Math.floor((block - geometry.firstDataBlock) / geometry.blocksPerGroup);
      const first = groupStart(geometry, group);
      const end = Math.min(start + length, first + groupBlocks(geometry, group));
      const from = Math.floor((block - first) / geometry.clusterBlocks);
      const to = Math.ceil((end - first) / geometry.clusterBlocks);
      this.markClusters(group, from, to, used);
      block = end;
    }
  }

  /** Changes the superblock, and gives it its checksum; its copies stay as they are. */
  editSuperblock(change: (raw: DataView) => void): void {
    const { geometry } = this.volume;
    const raw = this.part(geometry.offset, superblock.size);
    change(raw);
    if (!geometry.features.has('metadata_csum')) return;
    superblock.set(raw, 's_checksum', superblockChecksum(bytesOf(raw)));
  }

  /**
   * Marks an inode as used or free.
   * @param isDirectory whether it counts among the directories of its group
   */
  markInode(number: number, used: boolean, isDirectory = false): void {
    const { geometry } = this.volume;
    const group = Math.floor((number - 1) / geometry.inodesPerGroup);
    const bitmap = this.inodeBitmap(group);
    const index = (number - 1) % geometry.inodesPerGroup;
    if (setBits(bitmap, index, 1, used) === 0) return;
    const bits = geometry.inodesPerGroup;
    this.editDescriptor(group, (add, set) => {
      add('bg_free_inodes_count_lo', 'bg_free_inodes_count_hi', used ? -1 : 1);
      if (isDirectory) add('bg_used_dirs_count_lo', 'bg_used_dirs_count_hi', used ? 1 : -1);
      if (geometry.features.has('metadata_csum')) {
        const checksum = bitmapChecksum(geometry, bitmap, bits);
        set('bg_inode_bitmap_csum_lo', 'bg_inode_bitmap_csum_hi', checksum);
      }
    });
    if (used && geometry.features.describesUninitialised) {
      this.initialiseUpTo(group, index, bitmap);
      this.blockBitmap(group); // as Linux: whoever has inodes has a bitmap of blocks too
    }
    this.addToSuperblock(superblock.fields.s_free_inodes_count, used ? -1 : 1);
  }

  /**
   * The inodes of a group before a used one count as inodes now: whatever was left in the table
   * there becomes unused ones.
   */
  private initialiseUpTo(group: number, index: number, bitmap: Uint8Array): void {
    const { inodesPerGroup, inodeSize, firstInode } = this.volume.geometry;
    const first = inodesPerGroup - this.volume.groups.counts(group).unusedInodes;
    if (index < first) return;
    for (let before = first; before < index; before++) {
      const number = group * inodesPerGroup + before + 1;
      const isUsed = (bitmap[before >>> 3] & (1 << (before & 7))) !== 0;
      if (isUsed || number < firstInode) continue; // contradicts the count, and may be precious
      bytesOf(this.part(inodeOffset(this.volume, number), inodeSize)).fill(0);
    }
    this.editDescriptor(group, (_add, set) => {
      set('bg_itable_unused_lo', 'bg_itable_unused_hi', inodesPerGroup - index - 1);
    });
  }

  private markClusters(group: number, from: number, to: number, used: boolean): void {
    const { geometry } = this.volume;
    const bitmap = this.blockBitmap(group);
    const changed = setBits(bitmap, from, to - from, used);
    if (changed === 0) return;
    const count = used ? -changed : changed;
    this.editDescriptor(group, (add) =>
      add('bg_free_blocks_count_lo', 'bg_free_blocks_count_hi', count),
    );
    this.sealBlockBitmap(group, bitmap);
    const blocks = count * geometry.clusterBlocks;
    this.addToSuperblock(superblock.fields.s_free_blocks_count_lo, blocks);
  }

  private sealBlockBitmap(group: number, bitmap: Uint8Array): void {
    const { geometry } = this.volume;
    if (!geometry.features.has('metadata_csum')) return;
    const bits = geometry.blocksPerGroup / geometry.clusterBlocks;
    const checksum = bitmapChecksum(geometry, bitmap, bits);
    this.editDescriptor(group, (_add, set) =>
      set('bg_block_bitmap_csum_lo', 'bg_block_bitmap_csum_hi', checksum),
    );
  }

  /** A group's block bitmap; one that was never written is made first. */
  private blockBitmap(number: number): Uint8Array {
    const { geometry, groups } = this.volume;
    const group = groups.group(number);
    const bitmap = this.bitmap(group.blockBitmap, `block bitmap of group ${number}`);
    if (!group.blocksUninitialised) return bitmap;
    bitmap.fill(0);
    for (const [from, to] of usedByGroupItself(this.volume, group)) {
      setBits(bitmap, from, to - from, true);
    }
    const clusters = Math.ceil(groupBlocks(geometry, number) / geometry.clusterBlocks);
    setBits(bitmap, clusters, 8 * bitmap.length - clusters, true);
    this.clearFlag(number, groupFlags.blocksUninitialised);
    this.sealBlockBitmap(number, bitmap);
    return bitmap;
  }

  private inodeBitmap(number: number): Uint8Array {
    const { geometry, groups } = this.volume;
    const group = groups.group(number);
    const bitmap = this.bitmap(group.inodeBitmap, `inode bitmap of group ${number}`);
    if (!group.inodesUninitialised) return bitmap;
    bitmap.fill(0);
    setBits(bitmap, geometry.inodesPerGroup, 8 * bitmap.length - geometry.inodesPerGroup, true);
    this.clearFlag(number, groupFlags.inodesUninitialised);
    return bitmap;
  }

  private bitmap(block: number, name: string): Uint8Array {
    if (block === 0 || !holdsBlocks(this.volume.geometry, block)) {
      throw new ImageError('corrupt', `The ${name} is said to be in block ${block}.`);
    }
    return bytesOf(this.store.edit(block));
  }

  private clearFlag(group: number, flag: number): void {
    this.editDescriptor(group, (_add, _set, raw) => {
      const { bg_flags } = groupDescriptor.fields;
      bg_flags.write(raw, bg_flags.offset, bg_flags.read(raw, bg_flags.offset) & ~flag);
    });
  }

  /** @param change gets ways to add to a number in two halves, and to set it */
  private editDescriptor(
    group: number,
    change: (
      add: (low: DescriptorField, high: DescriptorField, amount: number) => void,
      set: (low: DescriptorField, high: DescriptorField, value: number) => void,
      raw: DataView,
    ) => void,
  ): void {
    const { geometry, groups, bytes } = this.volume;
    const raw = this.part(groups.place(group).place - bytes.offset, geometry.descriptorSize);
    const isWide = geometry.descriptorSize >= groupDescriptor.size;
    const at = (field: DescriptorField) => groupDescriptor.fields[field].offset;
    const get = (low: DescriptorField, high: DescriptorField) =>
      raw.getUint16(at(low), true) + (isWide ? raw.getUint16(at(high), true) * 2 ** 16 : 0);
    const set = (low: DescriptorField, high: DescriptorField, value: number) => {
      raw.setUint16(at(low), value & 0xffff, true);
      if (isWide) raw.setUint16(at(high), value >>> 16, true);
    };
    change((low, high, amount) => set(low, high, Math.max(0, get(low, high) + amount)), set, raw);
    if (!geometry.features.describesUninitialised) return;
    const checksum = descriptorChecksum(geometry, group, bytesOf(raw));
    groupDescriptor.set(raw, 'bg_checksum', checksum);
  }

  /** Adds to a count of the superblock; the block count has its high half elsewhere. */
  private addToSuperblock(field: Field<number>, amount: number): void {
    const high = superblock.fields.s_free_blocks_count_hi;
    const isWide =
      field === superblock.fields.s_free_blocks_count_lo &&
      this.volume.geometry.features.has('64bit');
    this.editSuperblock((raw) => {
      const before =
        field.read(raw, field.offset) + (isWide ? high.read(raw, high.offset) * 2 ** 32 : 0);
      const after = Math.max(0, before + amount);
      field.write(raw, field.offset, after % 2 ** 32);
      if (isWide) high.write(raw, high.offset, Math.floor(after / 2 ** 32));
    });
  }

  /** A structure within one block. @param offset where it starts in the volume, in bytes */
  private part(offset: number, length: number): DataView {
    const { blockSize } = this.volume.geometry;
    const view = this.store.edit(Math.floor(offset / blockSize));
    return new DataView(view.buffer, view.byteOffset + (offset % blockSize), length);
  }
}

export function bytesOf(view: DataView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

/** @returns how many bits were not like that before */
function setBits(bitmap: Uint8Array, first: number, count: number, value: boolean): number {
  let changed = 0;
  for (let bit = first; bit < first + count; bit++) {
    const mask = 1 << (bit & 7);
    if (((bitmap[bit >>> 3] & mask) !== 0) === value) continue;
    bitmap[bit >>> 3] ^= mask;
    changed += 1;
  }
  return changed;
}
