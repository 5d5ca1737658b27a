import { readBytes } from '../../image/bytes';
import { ImageError } from '../../image/errors';
import { descriptorChecksum } from '../checksums';
import { groupDescriptor, groupFlags } from '../groups';
import { groupStart } from '../superblock';
import type { ExtVolume } from '../volume';

const fields = groupDescriptor.fields;
type FieldName = keyof typeof fields;

/** More groups than any image file of today has: 128 TiB of blocks of 4 KiB. */
const mostGroups = 2 ** 20;

/** The group descriptors of a volume as they stand, as columns. */
export class GroupColumns {
  /** Groups that start within the image. */
  readonly count: number;
  readonly blockBitmap: Float64Array;
  readonly inodeBitmap: Float64Array;
  readonly inodeTable: Float64Array;
  readonly freeBlocks: Uint32Array;
  readonly freeInodes: Uint32Array;
  readonly directories: Uint32Array;
  readonly unusedInodes: Uint32Array;
  readonly flags: Uint16Array;
  readonly blockBitmapChecksum: Uint32Array;
  readonly inodeBitmapChecksum: Uint32Array;
  readonly checksum: Uint16Array;
  readonly rightChecksum: Uint16Array;

  /** @throws ImageError `unsupported` where there are more groups than can be held */
  constructor(private readonly volume: ExtVolume) {
    const { geometry, bytes } = volume;
    const present = Math.ceil(bytes.present / geometry.blockSize);
    const held = Math.ceil((present - geometry.firstDataBlock) / geometry.blocksPerGroup);
    this.count = Math.max(1, Math.min(geometry.groups, held));
    if (this.count > mostGroups) {
      const message = `The volume has ${this.count} groups, too many to be checked at once.`;
      throw new ImageError('unsupported', message);
    }
    const { count } = this;
    this.blockBitmap = new Float64Array(count);
    this.inodeBitmap = new Float64Array(count);
    this.inodeTable = new Float64Array(count);
    this.freeBlocks = new Uint32Array(count);
    this.freeInodes = new Uint32Array(count);
    this.directories = new Uint32Array(count);
    this.unusedInodes = new Uint32Array(count);
    this.flags = new Uint16Array(count);
    this.blockBitmapChecksum = new Uint32Array(count);
    this.inodeBitmapChecksum = new Uint32Array(count);
    this.checksum = new Uint16Array(count);
    this.rightChecksum = new Uint16Array(count);
    for (let group = 0; group < count; group++) this.read(group);
  }

  /** No inode of the group was ever used. */
  isWithoutInodes(group: number): boolean {
    return this.believesFlags && (this.flags[group] & groupFlags.inodesUninitialised) !== 0;
  }

  /** The block bitmap of the group was never written. */
  isWithoutBitmap(group: number): boolean {
    return this.believesFlags && (this.flags[group] & groupFlags.blocksUninitialised) !== 0;
  }

  /** Inodes at the start of the table that may be in use. */
  usableInodes(group: number): number {
    const { inodesPerGroup } = this.volume.geometry;
    if (!this.believesFlags) return inodesPerGroup;
    if (this.isWithoutInodes(group)) return 0;
    return Math.max(0, inodesPerGroup - this.unusedInodes[group]);
  }

  /** What a descriptor says of an inode of its group, whether or not that is believed. */
  saysUnused(group: number, index: number): boolean {
    if ((this.flags[group] & groupFlags.inodesUninitialised) !== 0) return true;
    // As e2fsck: a number of 32 bits, which goes round where more are unused than there are.
    const { inodesPerGroup } = this.volume.geometry;
    const first = (group + 1) * inodesPerGroup + 1 - this.unusedInodes[group];
    return group * inodesPerGroup + index + 1 >= first >>> 0;
  }

  /** Where a field of a descriptor lies in the image, and its name for findings. */
  field(group: number, name: FieldName): { offset: number; length: number; field: string } {
    const { offset, length } = fields[name];
    const { place } = this.volume.groups.place(group);
    return { offset: place + offset, length, field: `group ${group}.${name}` };
  }

  private get believesFlags(): boolean {
    return this.volume.geometry.features.describesUninitialised;
  }

  private read(group: number): void {
    const { geometry, bytes, groups } = this.volume;
    const offset = groups.place(group).place - bytes.offset;
    const raw = readBytes(bytes, offset, geometry.descriptorSize);
    const view = new DataView(raw.buffer);
    const wide = geometry.descriptorSize >= groupDescriptor.size;
    const number = (low: FieldName, high: FieldName) => {
      const lower = fields[low].read(view, fields[low].offset) as number;
      if (!wide) return lower;
      return (
        lower +
        (fields[high].read(view, fields[high].offset) as number) * 2 ** (8 * fields[low].length)
      );
    };
    this.blockBitmap[group] = number('bg_block_bitmap_lo', 'bg_block_bitmap_hi');
    this.inodeBitmap[group] = number('bg_inode_bitmap_lo', 'bg_inode_bitmap_hi');
    this.inodeTable[group] = number('bg_inode_table_lo', 'bg_inode_table_hi');
    this.freeBlocks[group] = number('bg_free_blocks_count_lo', 'bg_free_blocks_count_hi');
    this.freeInodes[group] = number('bg_free_inodes_count_lo', 'bg_free_inodes_count_hi');
    this.directories[group] = number('bg_used_dirs_count_lo', 'bg_used_dirs_count_hi');
    this.unusedInodes[group] = number('bg_itable_unused_lo', 'bg_itable_unused_hi');
    this.flags[group] = view.getUint16(fields.bg_flags.offset, true);
    this.blockBitmapChecksum[group] = number('bg_block_bitmap_csum_lo', 'bg_block_bitmap_csum_hi');
    this.inodeBitmapChecksum[group] = number('bg_inode_bitmap_csum_lo', 'bg_inode_bitmap_csum_hi');
    this.checksum[group] = view.getUint16(fields.bg_checksum.offset, true);
    if (this.believesFlags) this.rightChecksum[group] = descriptorChecksum(geometry, group, raw);
  }

  /** First block of a group. */
  start(group: number): number {
    return groupStart(this.volume.geometry, group);
  }
}
