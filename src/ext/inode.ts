import { readBytes } from '../image/bytes';
import { ImageError } from '../image/errors';
import { bytes, structure, u16, u32, u32s, type Field } from '../filesystem/structure';
import type { Node, NodeType } from '../filesystem/node';
import type { Timestamp } from '../filesystem/timestamp';
import { inodeTableBlocks } from './groups';
import { holdsBlocks } from './superblock';
import type { ExtVolume } from './volume';

/**
 * Layout: Documentation/filesystems/ext4/inodes.rst. The part from 0x74 on is what Linux makes
 * of it; the Hurd has its own. What lies past 128 bytes exists as far as `i_extra_isize` says.
 */
export const inodeStructure = structure('inode', 160, {
  i_mode: u16(0x0, 'type and permissions'),
  i_uid: u16(0x2, 'owner, low 16 bits'),
  i_size_lo: u32(0x4, 'size in bytes, low 32 bits'),
  i_atime: u32(0x8, 'last access, seconds since 1970'),
  i_ctime: u32(0xc, 'last change of the inode, seconds since 1970'),
  i_mtime: u32(0x10, 'last change of the content, seconds since 1970'),
  i_dtime: u32(0x14, 'deletion, seconds since 1970, or the next orphan'),
  i_gid: u16(0x18, 'group, low 16 bits'),
  i_links_count: u16(0x1a, 'names that lead here'),
  i_blocks_lo: u32(0x1c, 'what it occupies, in units of 512 bytes, low 32 bits'),
  i_flags: u32(0x20, 'flags'),
  i_version: u32(0x24, 'version, low 32 bits'),
  i_block: bytes(0x28, 60, 'block pointers, extent tree, target or content'),
  i_generation: u32(0x64, 'generation, for NFS'),
  i_file_acl_lo: u32(0x68, 'block of the attributes, low 32 bits'),
  i_size_high: u32(0x6c, 'size, high 32 bits'),
  i_obso_faddr: u32(0x70, 'unused'),
  i_blocks_high: u16(0x74, 'what it occupies, high 16 bits'),
  i_file_acl_high: u16(0x76, 'block of the attributes, high 16 bits'),
  i_uid_high: u16(0x78, 'owner, high 16 bits'),
  i_gid_high: u16(0x7a, 'group, high 16 bits'),
  i_checksum_lo: u16(0x7c, 'checksum of the inode, low 16 bits'),
  i_reserved: u16(0x7e, 'unused'),
  i_extra_isize: u16(0x80, 'bytes in use past the first 128'),
  i_checksum_hi: u16(0x82, 'checksum of the inode, high 16 bits'),
  i_ctime_extra: u32(0x84, 'last change of the inode: 2 epoch bits, 30 bits of nanoseconds'),
  i_mtime_extra: u32(0x88, 'last change of the content: epoch and nanoseconds'),
  i_atime_extra: u32(0x8c, 'last access: epoch and nanoseconds'),
  i_crtime: u32(0x90, 'creation, seconds since 1970'),
  i_crtime_extra: u32(0x94, 'creation: epoch and nanoseconds'),
  i_version_hi: u32(0x98, 'version, high 32 bits'),
  i_projid: u32(0x9c, 'project'),
});

/** `i_block` where it holds block pointers. */
export const blockPointers = structure('block pointers', 60, {
  direct: u32s(0, 12, 'blocks 0 to 11'),
  indirect: u32(48, 'block of pointers'),
  double_indirect: u32(52, 'block of pointers to blocks of pointers'),
  triple_indirect: u32(56, 'three levels of blocks of pointers'),
});

/** The part of an inode that tells where its content lies. @param raw the inode */
export function iBlockOf(raw: DataView): DataView {
  const { offset, length } = inodeStructure.fields.i_block;
  return new DataView(raw.buffer, raw.byteOffset + offset, length);
}

export const badBlocksInode = 1;
export const rootInode = 2;
const goodOldSize = 128;

/** The flags that decide where content lies. */
export const inodeFlags = {
  indexedDirectory: 0x1000,
  encrypted: 0x800,
  hugeFile: 0x40000,
  extents: 0x80000,
  verity: 0x100000,
  largeAttribute: 0x200000,
  inlineData: 0x10000000,
  casefolded: 0x40000000,
} as const;

/** Bits of `i_flags` and what they are called, after `lsattr -l`. */
export const inodeFlagNames: readonly (readonly [number, string])[] = [
  [0x1, 'secure-deletion'],
  [0x2, 'undelete'],
  [0x4, 'compression-requested'],
  [0x8, 'synchronous-updates'],
  [0x10, 'immutable'],
  [0x20, 'append-only'],
  [0x40, 'no-dump'],
  [0x80, 'no-atime'],
  [0x100, 'compressed-dirty'],
  [0x200, 'compressed'],
  [0x400, 'compression-raw-access'],
  [inodeFlags.encrypted, 'encrypted'],
  [inodeFlags.indexedDirectory, 'indexed-directory'],
  [0x2000, 'imagic'],
  [0x4000, 'journaled-data'],
  [0x8000, 'no-tail-merging'],
  [0x10000, 'synchronous-directory-updates'],
  [0x20000, 'top-of-directory-hierarchies'],
  [inodeFlags.hugeFile, 'huge-file'],
  [inodeFlags.extents, 'extents'],
  [inodeFlags.verity, 'verity'],
  [inodeFlags.largeAttribute, 'attribute-value'],
  [0x400000, 'blocks-past-end'],
  [0x800000, 'no-copy-on-write'],
  [0x1000000, 'snapshot'],
  [0x2000000, 'dax'],
  [0x4000000, 'snapshot-deleted'],
  [0x8000000, 'snapshot-shrunk'],
  [inodeFlags.inlineData, 'inline-data'],
  [0x20000000, 'project-hierarchy'],
  [inodeFlags.casefolded, 'casefolded'],
];

const typesByMode: Readonly<Record<number, NodeType>> = {
  0x1: 'fifo',
  0x2: 'chardev',
  0x4: 'directory',
  0x6: 'blockdev',
  0x8: 'file',
  0xa: 'symlink',
  0xc: 'socket',
};

/** An inode as it lies on disk, with the numbers that are put together from several fields. */
export class Inode {
  readonly view: DataView;
  readonly mode: number;
  readonly flags: number;
  readonly generation: number;
  /** In bytes; inexact where the image claims more than 2^53. */
  readonly size: number;

  /**
   * @param place where it starts in the image, in bytes
   * @param raw its bytes, as many as the superblock gives every inode
   */
  constructor(
    private readonly volume: ExtVolume,
    readonly number: number,
    readonly place: number,
    readonly raw: Uint8Array,
  ) {
    this.view = new DataView(raw.buffer, raw.byteOffset, raw.length);
    this.mode = this.value(inodeStructure.fields.i_mode);
    this.flags = this.value(inodeStructure.fields.i_flags);
    this.generation = this.value(inodeStructure.fields.i_generation);
    const low = this.value(inodeStructure.fields.i_size_lo);
    const high = this.value(inodeStructure.fields.i_size_high);
    // Elsewhere the high half meant a block of ACLs that nothing ever used.
    const wide = this.type === 'file' || volume.geometry.features.has('large_dir');
    this.size = wide ? low + high * 2 ** 32 : low;
  }

  get type(): NodeType {
    return typesByMode[this.mode >>> 12] ?? 'unknown';
  }

  has(flag: number): boolean {
    return (this.flags & flag) !== 0;
  }

  /** The 60 bytes of `i_block`. */
  get blockBytes(): Uint8Array {
    const { offset, length } = inodeStructure.fields.i_block;
    return this.raw.subarray(offset, offset + length);
  }

  /** Where `i_block` starts in the image, in bytes. */
  get blockPlace(): number {
    return this.place + inodeStructure.fields.i_block.offset;
  }

  /** Bytes in use past the first 128. */
  get extraSize(): number {
    if (this.raw.length <= goodOldSize) return 0;
    const claimed = this.value(inodeStructure.fields.i_extra_isize);
    return Math.min(claimed, this.raw.length - goodOldSize);
  }

  /** The block of its attributes, 0 where it has none. */
  get attributeBlock(): number {
    const low = this.value(inodeStructure.fields.i_file_acl_lo);
    if (!this.volume.geometry.features.has('64bit')) return low;
    return low + this.value(inodeStructure.fields.i_file_acl_high) * 2 ** 32;
  }

  /** What the volume has allocated for it, attributes included, in bytes. */
  get allocated(): number {
    const low = this.value(inodeStructure.fields.i_blocks_lo);
    if (!this.volume.geometry.features.has('huge_file')) return low * 512;
    const count = low + this.value(inodeStructure.fields.i_blocks_high) * 2 ** 32;
    return count * (this.has(inodeFlags.hugeFile) ? this.volume.geometry.blockSize : 512);
  }

  get links(): number {
    return this.value(inodeStructure.fields.i_links_count);
  }

  get uid(): number {
    const { i_uid, i_uid_high } = inodeStructure.fields;
    return this.value(i_uid) + this.value(i_uid_high) * 2 ** 16;
  }

  get gid(): number {
    const { i_gid, i_gid_high } = inodeStructure.fields;
    return this.value(i_gid) + this.value(i_gid_high) * 2 ** 16;
  }

  /** True where it names no file: never used, or deleted. */
  get isUnused(): boolean {
    return this.links === 0 && (this.mode === 0 || this.deletionTime !== 0);
  }

  toNode(): Node {
    const fields = inodeStructure.fields;
    return {
      id: this.number,
      number: this.number,
      type: this.type,
      size: this.size,
      modified: this.time(fields.i_mtime, fields.i_mtime_extra),
      accessed: this.time(fields.i_atime, fields.i_atime_extra),
      changed: this.time(fields.i_ctime, fields.i_ctime_extra),
      ...(this.holds(fields.i_crtime) && {
        created: this.time(fields.i_crtime, fields.i_crtime_extra),
      }),
      ...(this.links === 0 &&
        this.deletionTime !== 0 && { deleted: { seconds: this.deletionTime, nanoseconds: 0 } }),
      mode: this.mode,
      uid: this.uid,
      gid: this.gid,
      links: this.links,
      attributes: inodeFlagNames.filter(([flag]) => this.has(flag)).map(([, name]) => name),
      ...(this.isDevice && { device: this.device }),
      offset: this.place,
    };
  }

  private get deletionTime(): number {
    return this.value(inodeStructure.fields.i_dtime);
  }

  private get isDevice(): boolean {
    return this.type === 'chardev' || this.type === 'blockdev';
  }

  /** The first pointer holds the 16-bit form, the second the 32-bit one (`new_decode_dev`). */
  private get device(): { major: number; minor: number } {
    const [old, wide] = blockPointers.fields.direct.read(this.view, 0x28);
    if (old !== 0) return { major: (old >>> 8) & 0xff, minor: old & 0xff };
    return { major: (wide >>> 8) & 0xfff, minor: (wide & 0xff) | ((wide >>> 12) & 0xfff00) };
  }

  /** Whether the inode is long enough for a field. */
  private holds(field: Field<unknown>): boolean {
    return field.offset + field.length <= goodOldSize + this.extraSize;
  }

  /** Two bits of the extra half prolong the signed seconds beyond 2038, the others are ns. */
  private time(base: Field<number>, extra: Field<number>): Timestamp {
    const seconds = this.value(base) | 0;
    if (!this.holds(extra)) return { seconds, nanoseconds: 0 };
    const value = this.value(extra);
    const nanoseconds = value >>> 2;
    return {
      seconds: seconds + (value & 3) * 2 ** 32,
      nanoseconds: nanoseconds < 1e9 ? nanoseconds : 0,
    };
  }

  private value<T>(field: Field<T>): T {
    return field.read(this.view, field.offset);
  }
}

/**
 * Where an inode starts in the volume, in bytes.
 * @throws ImageError `not-found` when the volume has no such inode, `corrupt` when its table is
 *   outside of the volume
 */
export function inodeOffset(volume: ExtVolume, number: number): number {
  const { geometry } = volume;
  if (!Number.isInteger(number) || number < 1 || number > geometry.inodes) {
    throw new ImageError(
      'not-found',
      `There is no inode ${number}; the last is ${geometry.inodes}.`,
    );
  }
  const index = (number - 1) % geometry.inodesPerGroup;
  const group = volume.groups.group(Math.floor((number - 1) / geometry.inodesPerGroup));
  if (!holdsBlocks(geometry, group.inodeTable, inodeTableBlocks(geometry))) {
    throw new ImageError(
      'corrupt',
      `Inode ${number} cannot be read: the inode table of group ${group.number} ` +
        `is said to start in block ${group.inodeTable}.`,
    );
  }
  return group.inodeTable * geometry.blockSize + index * geometry.inodeSize;
}

/** @throws ImageError as `inodeOffset` */
export function readInode(volume: ExtVolume, number: number): Inode {
  const offset = inodeOffset(volume, number);
  const raw = readBytes(volume.bytes, offset, volume.geometry.inodeSize);
  return new Inode(volume, number, volume.bytes.offset + offset, raw);
}
