import { descriptorChecksum } from '../../../src/ext/checksums';
import { openExt } from '../../../src/ext/ext-filesystem';
import { groupDescriptor } from '../../../src/ext/groups';
import { inodeStructure } from '../../../src/ext/inode';
import { readSuperblock, superblock, type SuperblockValues } from '../../../src/ext/superblock';
import type { FileSystem } from '../../../src/filesystem/filesystem';
import type { Values } from '../../../src/filesystem/structure';
import { VolumeBytes } from '../../../src/image/bytes';
import { MemoryBytes } from '../../../src/image/memory-bytes';

type Fields<V> = { -readonly [K in keyof V]?: V[K] };
export type InodeFields = Fields<Values<typeof inodeStructure.fields>>;

export interface Layout {
  readonly blockSize?: number;
  readonly blocks?: number;
  readonly inodeSize?: number;
  readonly inodesPerGroup?: number;
  readonly superblock?: Fields<SuperblockValues>;
}

export interface HandRecord {
  readonly inode: number;
  readonly name?: string | Uint8Array;
  readonly type?: number;
  /** What is written as `rec_len`; by default what the name needs. */
  readonly recLen?: number;
}

export const directoryMode = 0o40755;
export const fileMode = 0o100644;
export const symlinkMode = 0o120777;
export const extentsFlag = 0x80000;
const filetypeFeature = 0x2;

/**
 * A volume of one group written field by field, without any of the reading code: superblock,
 * descriptor, two bitmaps, inode table, and a root directory that holds `.` and `..`.
 */
export class HandMade {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly blockSize: number;
  readonly blocks: number;
  readonly inodeSize: number;
  readonly first: number;
  /** First block that nothing is in yet. */
  next: number;

  constructor(layout: Layout = {}) {
    this.blockSize = layout.blockSize ?? 1024;
    this.blocks = layout.blocks ?? 64;
    this.inodeSize = layout.inodeSize ?? 128;
    const inodesPerGroup = layout.inodesPerGroup ?? 32;
    this.bytes = new Uint8Array(this.blocks * this.blockSize);
    this.view = new DataView(this.bytes.buffer);
    this.first = this.blockSize === 1024 ? 1 : 0;
    this.setSuperblock({
      s_inodes_count: inodesPerGroup,
      s_blocks_count_lo: this.blocks,
      s_first_data_block: this.first,
      s_log_block_size: Math.log2(this.blockSize) - 10,
      s_log_cluster_size: Math.log2(this.blockSize) - 10,
      s_blocks_per_group: 8 * this.blockSize,
      s_clusters_per_group: 8 * this.blockSize,
      s_inodes_per_group: inodesPerGroup,
      s_magic: 0xef53,
      s_state: 1,
      s_rev_level: 1,
      s_first_ino: 11,
      s_inode_size: this.inodeSize,
      s_feature_incompat: filetypeFeature,
      ...layout.superblock,
    });
    this.setDescriptor(0, {
      bg_block_bitmap_lo: this.first + 2,
      bg_inode_bitmap_lo: this.first + 3,
      bg_inode_table_lo: this.table,
    });
    this.next = this.table + Math.ceil((inodesPerGroup * this.inodeSize) / this.blockSize);
    const root = this.take();
    this.setInode(2, {
      i_mode: directoryMode,
      i_links_count: 2,
      i_size_lo: this.blockSize,
      i_block: pointers([root]),
    });
    this.setRecords(root, this.rootRecords());
    this.usedUpTo(this.next);
    this.block(this.first + 3).set([0xff, 0x07]); // the reserved inodes
  }

  get table(): number {
    return this.first + 4;
  }

  /** The next free block. */
  take(): number {
    return this.next++;
  }

  setSuperblock(fields: Fields<SuperblockValues>, at = 1024): void {
    for (const [name, value] of Object.entries(fields)) {
      superblock.set(this.view, name as keyof SuperblockValues, value as never, at);
    }
  }

  setDescriptor(
    group: number,
    fields: Fields<Values<typeof groupDescriptor.fields>>,
    size = 32,
    table = (this.first + 1) * this.blockSize,
  ): void {
    for (const [name, value] of Object.entries(fields)) {
      const field = name as keyof typeof groupDescriptor.fields;
      groupDescriptor.set(this.view, field, value as never, table + group * size);
    }
  }

  /** Gives the only descriptor the checksum that it needs to be believed. */
  sealDescriptor(): void {
    const reading = readSuperblock(this.volume, 1024);
    if (!('geometry' in reading)) throw new Error(reading.broken);
    const { descriptorSize } = reading.geometry;
    const start = (this.first + 1) * this.blockSize;
    const raw = this.bytes.subarray(start, start + descriptorSize);
    this.setDescriptor(0, { bg_checksum: descriptorChecksum(reading.geometry, 0, raw) });
  }

  inodeAt(number: number): number {
    return this.table * this.blockSize + (number - 1) * this.inodeSize;
  }

  setInode(number: number, fields: InodeFields): void {
    for (const [name, value] of Object.entries(fields)) {
      const field = name as keyof typeof inodeStructure.fields;
      inodeStructure.set(this.view, field, value as never, this.inodeAt(number));
    }
  }

  block(number: number): Uint8Array {
    return this.bytes.subarray(number * this.blockSize, (number + 1) * this.blockSize);
  }

  /** Writes records one after another; the last one reaches to the end of the block. */
  setRecords(block: number, records: readonly HandRecord[]): void {
    writeRecords(this.block(block), records);
  }

  /** What a root directory starts with, and then what it is to hold. */
  rootRecords(...others: HandRecord[]): HandRecord[] {
    return [{ inode: 2, name: '.', type: 2 }, { inode: 2, name: '..', type: 2 }, ...others];
  }

  get rootBlock(): number {
    return this.view.getUint32(this.inodeAt(2) + 0x28, true);
  }

  /** Marks all blocks below this one as used, and those past the end. */
  usedUpTo(block: number): void {
    const bitmap = this.block(this.first + 2).fill(0);
    for (let bit = 0; bit < 8 * this.blockSize; bit++) {
      const number = bit + this.first;
      if (number < block || number >= this.blocks) bitmap[bit >> 3] |= 1 << (bit & 7);
    }
  }

  get volume(): VolumeBytes {
    return this.volumeOf(this.bytes.length);
  }

  /** @param length of what is left of the image, in bytes */
  open(length = this.bytes.length): FileSystem {
    return openExt(this.volumeOf(length));
  }

  private volumeOf(length: number): VolumeBytes {
    return new VolumeBytes(new MemoryBytes(this.bytes.subarray(0, length)), 0, length);
  }
}

export function pointers(blocks: readonly number[]): Uint8Array {
  const raw = new Uint8Array(60);
  const view = new DataView(raw.buffer);
  blocks.forEach((block, i) => view.setUint32(4 * i, block, true));
  return raw;
}

export function writeRecords(target: Uint8Array, records: readonly HandRecord[]): void {
  const view = new DataView(target.buffer, target.byteOffset, target.length);
  let at = 0;
  records.forEach(({ inode, name = '', type = 1, recLen }, i) => {
    const bytes = typeof name === 'string' ? new TextEncoder().encode(name) : name;
    const needed = (8 + bytes.length + 3) & ~3;
    const length = recLen ?? (i === records.length - 1 ? target.length - at : needed);
    view.setUint32(at, inode, true);
    view.setUint16(at + 4, length, true);
    target[at + 6] = bytes.length;
    target[at + 7] = type;
    target.set(bytes, at + 8);
    at += length;
  });
}

export interface HandExtent {
  readonly logical: number;
  readonly physical: number;
  /** As on disk: above 32768 for unwritten ones. */
  readonly length: number;
}

/** A node of an extent tree. @param size of the node, in bytes: 60 in an inode */
export function extentLeaves(extents: readonly HandExtent[], size = 60): Uint8Array {
  const raw = extentHead(extents.length, 0, size);
  const view = new DataView(raw.buffer);
  extents.forEach(({ logical, physical, length }, i) => {
    view.setUint32(12 + 12 * i, logical, true);
    view.setUint16(16 + 12 * i, length, true);
    view.setUint32(20 + 12 * i, physical, true);
  });
  return raw;
}

/** A node of an extent tree that leads to others: [first logical block, block of the node]. */
export function extentIndexes(
  entries: readonly (readonly [number, number])[],
  depth: number,
  size = 60,
): Uint8Array {
  const raw = extentHead(entries.length, depth, size);
  const view = new DataView(raw.buffer);
  entries.forEach(([logical, block], i) => {
    view.setUint32(12 + 12 * i, logical, true);
    view.setUint32(16 + 12 * i, block, true);
  });
  return raw;
}

function extentHead(entries: number, depth: number, size: number): Uint8Array {
  const raw = new Uint8Array(size);
  const view = new DataView(raw.buffer);
  view.setUint16(0, 0xf30a, true);
  view.setUint16(2, entries, true);
  view.setUint16(4, Math.floor((size - 12) / 12), true);
  view.setUint16(6, depth, true);
  return raw;
}

export function contentOf(fileSystem: FileSystem, id: number): Uint8Array {
  const content = fileSystem.content(id);
  const bytes = new Uint8Array(content.size);
  content.read(0, bytes);
  return bytes;
}

export function namesOf(fileSystem: FileSystem, id: number, deleted = false): string[] {
  const table = fileSystem.entries(id, { deleted });
  return Array.from({ length: table.length }, (_, i) => table.name(i));
}
