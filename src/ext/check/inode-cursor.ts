import { inodeFlags, inodeStructure } from '../inode';
import { imageOffset, type ExtVolume } from '../volume';

const fields = inodeStructure.fields;
// Numbers of their own: these are read for every inode.
const linksAt = fields.i_links_count.offset;
const flagsAt = fields.i_flags.offset;
const sizeLowAt = fields.i_size_lo.offset;
const sizeHighAt = fields.i_size_high.offset;
const blocksAt = fields.i_blocks_lo.offset;
const blocksHighAt = fields.i_blocks_high.offset;
const attributesAt = fields.i_file_acl_lo.offset;
const attributesHighAt = fields.i_file_acl_high.offset;
const blockAt = fields.i_block.offset;
const deletedAt = fields.i_dtime.offset;

/** Permission bits apart, what `i_mode` says. */
export const modeTypes = {
  fifo: 0x1000,
  characterDevice: 0x2000,
  directory: 0x4000,
  blockDevice: 0x6000,
  regular: 0x8000,
  symlink: 0xa000,
  socket: 0xc000,
} as const;
export const typeMask = 0xf000;

/** The types of directory records, by `i_mode >>> 12`. */
export const recordTypes = [0, 5, 3, 0, 2, 0, 4, 0, 1, 0, 7, 0, 6, 0, 0, 0] as const;

/** The name of a field of inodes. */
export type InodeField = keyof typeof fields;

/**
 * One inode of a table that is read in pieces; moved from one to the next, for a volume has
 * millions. Fields are read where they are asked for.
 */
export class InodeCursor {
  number = 0;
  /** Where the inode starts in the image, in bytes. */
  place = 0;
  view: DataView = new DataView(new ArrayBuffer(0));
  /** The view as words, in the order of bytes that the host has. */
  words: Uint32Array = new Uint32Array(0);
  /** Where it starts in the view, in bytes. */
  at = 0;
  mode = 0;
  links = 0;
  flags = 0;
  size = 0;

  private readonly isHuge: boolean;
  private readonly isWide: boolean;
  private readonly inodeSize: number;

  constructor(private readonly volume: ExtVolume) {
    const { features, inodeSize } = volume.geometry;
    this.isHuge = features.has('huge_file');
    this.isWide = features.has('64bit');
    this.inodeSize = inodeSize;
  }

  move(number: number, view: DataView, at: number, place: number): void {
    this.number = number;
    if (view !== this.view) {
      this.view = view;
      this.words = new Uint32Array(view.buffer, view.byteOffset, view.byteLength >>> 2);
    }
    this.at = at;
    this.place = place;
    this.mode = view.getUint16(at, true);
    this.links = view.getUint16(at + linksAt, true);
    this.flags = view.getUint32(at + flagsAt, true);
    this.size = this.u32(sizeLowAt) + this.u32(sizeHighAt) * 2 ** 32;
  }

  u16(offset: number): number {
    return this.view.getUint16(this.at + offset, true);
  }

  u32(offset: number): number {
    return this.view.getUint32(this.at + offset, true);
  }

  /** One of the 15 words of `i_block`. */
  pointer(index: number): number {
    return this.u32(blockAt + 4 * index);
  }

  has(flag: number): boolean {
    return (this.flags & flag) !== 0;
  }

  is(type: number): boolean {
    return (this.mode & typeMask) === type;
  }

  get deletionTime(): number {
    return this.u32(deletedAt);
  }

  get generation(): number {
    return this.u32(fields.i_generation.offset);
  }

  /** `i_blocks` as it stands, in its own unit. */
  get blocks(): number {
    const low = this.u32(blocksAt);
    return this.isHuge ? low + this.u16(blocksHighAt) * 2 ** 32 : low;
  }

  get attributeBlock(): number {
    const low = this.u32(attributesAt);
    return this.isWide ? low + this.u16(attributesHighAt) * 2 ** 32 : low;
  }

  /** Whether `i_block` holds a tree or pointers at all (`ext2fs_inode_has_valid_blocks2`). */
  get hasMapping(): boolean {
    if (this.has(inodeFlags.inlineData)) return false;
    if (this.is(modeTypes.regular) || this.is(modeTypes.directory)) return true;
    if (!this.is(modeTypes.symlink)) return false;
    if (this.attributeBlock === 0) return this.blocks !== 0;
    return this.size >= fields.i_block.length || (this.size > 4 && this.pointer(1) === 0);
  }

  /** The inode's bytes; a view, to be made where something is wrong. */
  get raw(): Uint8Array {
    return new Uint8Array(this.view.buffer, this.view.byteOffset + this.at, this.inodeSize);
  }

  /** Where a field lies in the image, with its length, and its name for findings. */
  field(name: InodeField): {
    readonly offset: number;
    readonly length: number;
    readonly inode: number;
    readonly field: string;
  } {
    const { offset, length } = fields[name];
    return { offset: this.place + offset, length, inode: this.number, field: `inode.${name}` };
  }

  /** Where a field starts in the inode, in bytes. */
  fieldOffset(name: InodeField): number {
    return fields[name].offset;
  }

  /** Where `i_block` starts in the image, in bytes. */
  get blockPlace(): number {
    return this.place + blockAt;
  }

  imageOffset(block: number): number {
    return imageOffset(this.volume, block);
  }
}
