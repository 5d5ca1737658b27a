import { readView, type VolumeBytes } from '../image/bytes';
import { bytes, structure, u16, u32, type DescribedStructure } from '../filesystem/structure';
import { descriptorChecksum } from './checksums';
import {
  groupBlocks,
  groupStart,
  hasSuperblock,
  holdsBlocks,
  primaryOffset,
  type Geometry,
} from './superblock';

/** Layout: Documentation/filesystems/ext4/group_descr.rst; the second half exists with 64bit. */
export const groupDescriptor = structure('group descriptor', 64, {
  bg_block_bitmap_lo: u32(0x0, 'block of the block bitmap, low 32 bits'),
  bg_inode_bitmap_lo: u32(0x4, 'block of the inode bitmap, low 32 bits'),
  bg_inode_table_lo: u32(0x8, 'first block of the inode table, low 32 bits'),
  bg_free_blocks_count_lo: u16(0xc, 'free blocks (clusters with bigalloc), low 16 bits'),
  bg_free_inodes_count_lo: u16(0xe, 'free inodes, low 16 bits'),
  bg_used_dirs_count_lo: u16(0x10, 'directories, low 16 bits'),
  bg_flags: u16(0x12, '1 inodes uninitialised, 2 block bitmap uninitialised, 4 table zeroed'),
  bg_exclude_bitmap_lo: u32(0x14, 'block of the snapshot exclusion bitmap, low 32 bits'),
  bg_block_bitmap_csum_lo: u16(0x18, 'checksum of the block bitmap, low 16 bits'),
  bg_inode_bitmap_csum_lo: u16(0x1a, 'checksum of the inode bitmap, low 16 bits'),
  bg_itable_unused_lo: u16(0x1c, 'inodes never used at the end of the table, low 16 bits'),
  bg_checksum: u16(0x1e, 'checksum of the descriptor'),
  bg_block_bitmap_hi: u32(0x20, 'block of the block bitmap, high 32 bits'),
  bg_inode_bitmap_hi: u32(0x24, 'block of the inode bitmap, high 32 bits'),
  bg_inode_table_hi: u32(0x28, 'first block of the inode table, high 32 bits'),
  bg_free_blocks_count_hi: u16(0x2c, 'free blocks, high 16 bits'),
  bg_free_inodes_count_hi: u16(0x2e, 'free inodes, high 16 bits'),
  bg_used_dirs_count_hi: u16(0x30, 'directories, high 16 bits'),
  bg_itable_unused_hi: u16(0x32, 'inodes never used, high 16 bits'),
  bg_exclude_bitmap_hi: u32(0x34, 'block of the snapshot exclusion bitmap, high 32 bits'),
  bg_block_bitmap_csum_hi: u16(0x38, 'checksum of the block bitmap, high 16 bits'),
  bg_inode_bitmap_csum_hi: u16(0x3a, 'checksum of the inode bitmap, high 16 bits'),
  bg_reserved: bytes(0x3c, 4, 'unused'),
});

/** Bits of `bg_flags`. */
export const groupFlags = { inodesUninitialised: 1, blocksUninitialised: 2 } as const;

/** Where a group keeps its parts, and what it says of them. */
export interface Group {
  readonly number: number;
  readonly blockBitmap: number;
  readonly inodeBitmap: number;
  /** First block of the inode table. */
  readonly inodeTable: number;
  /** The block bitmap was never written: only the group's own metadata is in use. */
  readonly blocksUninitialised: boolean;
  /** The inode bitmap and table were never written: no inode is in use. */
  readonly inodesUninitialised: boolean;
}

/** What a group descriptor counts; blocks are clusters with bigalloc. */
export interface GroupCounts {
  readonly freeBlocks: number;
  readonly freeInodes: number;
  readonly directories: number;
  /** At the end of the inode table, never used; what lies there is no inode. */
  readonly unusedInodes: number;
}

/** The group descriptors of a volume, read one by one as they are asked for. */
export class GroupTable {
  private readonly perBlock: number;
  /** Reused, for a descriptor is read for every inode that is looked at. */
  private readonly raw: Uint8Array;
  private readonly view: DataView;

  /**
   * @param copyGroup the group whose copy of the descriptors is read: 0 for the primary one
   */
  constructor(
    private readonly bytes: VolumeBytes,
    private readonly geometry: Geometry,
    readonly copyGroup = 0,
  ) {
    this.perBlock = geometry.blockSize / geometry.descriptorSize;
    this.raw = new Uint8Array(geometry.descriptorSize);
    this.view = new DataView(this.raw.buffer);
  }

  /** Descriptors of the group as the volume has them. */
  group(number: number): Group {
    const { view } = this;
    this.bytes.read(this.offset(number), this.raw);
    const fields = groupDescriptor.fields;
    const wide = this.geometry.descriptorSize >= groupDescriptor.size;
    const block = (low: keyof typeof fields, high: keyof typeof fields) =>
      view.getUint32(fields[low].offset, true) +
      (wide ? view.getUint32(fields[high].offset, true) * 2 ** 32 : 0);
    const flags = this.flags(number);
    return {
      number,
      blockBitmap: block('bg_block_bitmap_lo', 'bg_block_bitmap_hi'),
      inodeBitmap: block('bg_inode_bitmap_lo', 'bg_inode_bitmap_hi'),
      inodeTable: block('bg_inode_table_lo', 'bg_inode_table_hi'),
      blocksUninitialised: (flags & groupFlags.blocksUninitialised) !== 0,
      inodesUninitialised: (flags & groupFlags.inodesUninitialised) !== 0,
    };
  }

  /** What the descriptor of a group counts. */
  counts(number: number): GroupCounts {
    const { view } = this;
    this.bytes.read(this.offset(number), this.raw);
    const fields = groupDescriptor.fields;
    const wide = this.geometry.descriptorSize >= groupDescriptor.size;
    const count = (low: keyof typeof fields, high: keyof typeof fields) =>
      view.getUint16(fields[low].offset, true) +
      (wide ? view.getUint16(fields[high].offset, true) * 2 ** 16 : 0);
    return {
      freeBlocks: count('bg_free_blocks_count_lo', 'bg_free_blocks_count_hi'),
      freeInodes: count('bg_free_inodes_count_lo', 'bg_free_inodes_count_hi'),
      directories: count('bg_used_dirs_count_lo', 'bg_used_dirs_count_hi'),
      unusedInodes: this.geometry.features.describesUninitialised
        ? Math.min(
            this.geometry.inodesPerGroup,
            count('bg_itable_unused_lo', 'bg_itable_unused_hi'),
          )
        : 0,
    };
  }

  /**
   * The flags of the descriptor in `raw`. As e2fsck does, they are believed only with a checksum
   * that matches, and not in copies, which are not kept up to date.
   */
  private flags(number: number): number {
    const { features } = this.geometry;
    if (!features.describesUninitialised || this.copyGroup !== 0) return 0;
    const { bg_flags, bg_checksum } = groupDescriptor.fields;
    const flags = bg_flags.read(this.view, bg_flags.offset);
    if (flags === 0) return 0;
    const checksum = bg_checksum.read(this.view, bg_checksum.offset);
    return checksum === descriptorChecksum(this.geometry, number, this.raw) ? flags : 0;
  }

  /** Where the descriptor of a group lies in the image, in bytes. */
  place(number: number): { readonly place: number; readonly length: number } {
    const length = Math.min(this.geometry.descriptorSize, groupDescriptor.size);
    return { place: this.bytes.offset + this.offset(number), length };
  }

  describe(number: number): DescribedStructure {
    return describeDescriptor(this.bytes, this.geometry, this.offset(number), number, '');
  }

  /** Where the descriptor of a group starts in the volume, in bytes. */
  private offset(group: number): number {
    const index = Math.floor(group / this.perBlock);
    const block = descriptorBlock(this.geometry, index, this.copyGroup);
    return block * this.geometry.blockSize + (group % this.perBlock) * this.geometry.descriptorSize;
  }
}

/**
 * @param offset where the descriptor starts in the volume, in bytes
 * @param copy what tells it from the primary one, for its name
 */
export function describeDescriptor(
  bytes: VolumeBytes,
  geometry: Geometry,
  offset: number,
  group: number,
  copy: string,
): DescribedStructure {
  const length = Math.min(geometry.descriptorSize, groupDescriptor.size);
  const view = readView(bytes, offset, groupDescriptor.size);
  const name = `descriptor of group ${group}${copy}`;
  return groupDescriptor.describe(view, name, bytes.offset + offset, 0, length);
}

/** First of the groups whose descriptors the block holds, in the copy that starts in a group. */
export function firstGroupInBlock(geometry: Geometry, copyGroup: number, index: number): number {
  const perBlock = geometry.blockSize / geometry.descriptorSize;
  const own = Math.floor(copyGroup / perBlock);
  return (isInMetaGroup(geometry, own) ? own : index) * perBlock;
}

/** The block with the superblock: 1 where blocks are 1 KiB, even when block 0 counts (bigalloc). */
function superblockBlock(geometry: Geometry): number {
  return Math.floor(primaryOffset / geometry.blockSize);
}

/**
 * The block that holds the given block of the descriptor table.
 * @param copyGroup the group whose copy is meant: any that has a superblock; with meta_bg, any
 *   but 0 means the second of the three copies in each meta group
 */
export function descriptorBlock(geometry: Geometry, index: number, copyGroup = 0): number {
  if (!isInMetaGroup(geometry, index)) {
    const start = copyGroup === 0 ? superblockBlock(geometry) : groupStart(geometry, copyGroup);
    return start + 1 + index;
  }
  const first = index * (geometry.blockSize / geometry.descriptorSize);
  const group = copyGroup === 0 || first + 1 >= geometry.groups ? first : first + 1;
  // With bigalloc group 0 starts at block 0, but 1 KiB blocks put the superblock into block 1.
  const start = group === 0 ? superblockBlock(geometry) : groupStart(geometry, group);
  return start + (hasSuperblock(geometry, group) ? 1 : 0);
}

/** With meta_bg, descriptor blocks from `s_first_meta_bg` on lie in the groups they describe. */
function isInMetaGroup(geometry: Geometry, index: number): boolean {
  return geometry.features.has('meta_bg') && index >= geometry.values.s_first_meta_bg;
}

/** Blocks of an inode table, the same in every group. */
export function inodeTableBlocks(geometry: Geometry): number {
  return Math.ceil((geometry.inodesPerGroup * geometry.inodeSize) / geometry.blockSize);
}

/** A run of blocks within one group. */
export interface BlockRun {
  readonly start: number;
  readonly length: number;
  readonly kind: 'superblock' | 'descriptors' | 'reserved descriptors';
}

/** What a group holds at its start: superblock, descriptors and those reserved for growing. */
export function groupHead(geometry: Geometry, group: number): BlockRun[] {
  const runs: BlockRun[] = [];
  const size = groupBlocks(geometry, group);
  const start = groupStart(geometry, group);
  const add = (kind: BlockRun['kind'], first: number, length: number) => {
    const fitting = Math.min(length, start + size - first);
    if (fitting > 0) runs.push({ kind, start: first, length: fitting });
  };

  const perBlock = geometry.blockSize / geometry.descriptorSize;
  const inMetaGroup = isInMetaGroup(geometry, Math.floor(group / perBlock));
  let next = group === 0 ? superblockBlock(geometry) : start;
  if (hasSuperblock(geometry, group)) {
    add('superblock', next, 1);
    next += 1;
    if (!inMetaGroup) {
      const tableBlocks = Math.ceil(geometry.groups / perBlock);
      const metaGroups = geometry.features.has('meta_bg');
      const length = metaGroups
        ? Math.min(geometry.values.s_first_meta_bg, tableBlocks)
        : tableBlocks;
      add('descriptors', next, length);
      // Growing through the resize inode and meta groups exclude each other.
      if (!metaGroups) {
        add('reserved descriptors', next + length, geometry.values.s_reserved_gdt_blocks);
      }
    }
  }
  const place = group % perBlock;
  const holdsCopy = place === 0 || place === 1 || place === perBlock - 1;
  if (inMetaGroup && holdsCopy) add('descriptors', next, 1);
  return runs;
}

/** True where all parts of a group lie within the volume. */
export function groupIsSane(geometry: Geometry, group: Group): boolean {
  return (
    group.blockBitmap > 0 &&
    group.inodeBitmap > 0 &&
    group.inodeTable > 0 &&
    holdsBlocks(geometry, group.blockBitmap) &&
    holdsBlocks(geometry, group.inodeBitmap) &&
    holdsBlocks(geometry, group.inodeTable, inodeTableBlocks(geometry))
  );
}
