import type { Timestamp } from '../../filesystem/timestamp';
import { readBytes } from '../../image/bytes';
import { ImageError } from '../../image/errors';
import { visitZeroRuns } from '../bitmaps';
import type { GroupCounts } from '../groups';
import { entriesInInode, startNode } from '../extent-node';
import { iBlockOf, inodeFlags, inodeStructure, readInode } from '../inode';
import { superblock } from '../superblock';
import { bytesOf, type VolumeWriter } from '../volume-writer';
import { setInodeTime, stampInode } from './inode-times';

/** What a new inode begins with. */
export interface NewInode {
  /** Type and permission bits, as in `stat(2)`. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly links: number;
  /** Its content is to lie in extents. */
  readonly hasExtents?: boolean;
  /** When its content last changed; now where it is left out. */
  readonly modified?: Timestamp;
}

const { fields } = inodeStructure;
const goodOldSize = 128;
/** Bytes that Linux uses past the first 128: the size of its `struct ext4_inode` tells. */
const extraSize = 32;
/** Linux mounts no volume that says that fewer inodes are reserved (`EXT2_GOOD_OLD_FIRST_INO`). */
const leastFirstInode = 11;
const typeMask = 0xf000;
const directoryType = 0x4000;
const fileType = 0x8000;

/** Flags that a new inode takes over from its directory: `EXT2_FL_INHERITED` and masks of Linux. */
const inherited = {
  directory: 0x1 | 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x200 | 0x400 | 0x4000 | 0x8000 | 0x10000,
  file: 0x1 | 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x200 | 0x400 | 0x4000 | 0x8000,
  other: 0x40 | 0x80,
} as const;

/** Takes inodes for new nodes and gives them back. */
export class InodeAllocator {
  /** @param sound is told of inodes that have no wrong pointer, for they have none */
  constructor(
    private readonly writer: VolumeWriter,
    private readonly now: Timestamp,
    private readonly sound: Set<number>,
  ) {}

  /**
   * Makes an inode, without content.
   * @param parent the directory that it is made in
   * @returns its number
   * @throws ImageError `full` when there is none left
   */
  create(parent: number, details: NewInode): number {
    const isDirectory = (details.mode & typeMask) === directoryType;
    const number = this.find(parent, isDirectory);
    this.writer.markInode(number, true, isDirectory);
    const inheritedFlags = this.flagsFrom(parent, details.mode & typeMask);
    this.writer.editInode(number, (raw) => {
      const generation = fields.i_generation.read(raw, fields.i_generation.offset);
      bytesOf(raw).fill(0);
      // Whoever knows the file that had the number before must not take this one for it.
      inodeStructure.set(raw, 'i_generation', (generation + 1) >>> 0);
      inodeStructure.set(raw, 'i_mode', details.mode);
      inodeStructure.set(raw, 'i_links_count', details.links);
      inodeStructure.set(raw, 'i_flags', inheritedFlags);
      if (details.hasExtents) {
        inodeStructure.set(raw, 'i_flags', inheritedFlags | inodeFlags.extents);
        startNode(iBlockOf(raw), 0, entriesInInode);
      }
      setOwner(raw, details.uid, details.gid);
      if (raw.byteLength > goodOldSize) inodeStructure.set(raw, 'i_extra_isize', extraSize);
      stampInode(raw, this.now, ['i_atime', 'i_ctime', 'i_mtime', 'i_crtime']);
      if (details.modified) setInodeTime(raw, 'i_mtime', details.modified);
    });
    this.sound.add(number);
    return number;
  }

  /** Gives an inode back that has no content any more, and stamps it with its deletion. */
  free(number: number): void {
    const { type } = readInode(this.writer.volume, number);
    this.writer.editInode(number, (raw) => {
      inodeStructure.set(raw, 'i_links_count', 0);
      inodeStructure.set(raw, 'i_dtime', this.now.seconds >>> 0);
      stampInode(raw, this.now, ['i_ctime']);
    });
    this.writer.markInode(number, false, type === 'directory');
  }

  private flagsFrom(parent: number, type: number): number {
    const { flags } = readInode(this.writer.volume, parent);
    if (type === directoryType) return flags & inherited.directory;
    return flags & (type === fileType ? inherited.file : inherited.other);
  }

  private find(parent: number, isDirectory: boolean): number {
    const { geometry } = this.writer.volume;
    const own = Math.floor((parent - 1) / geometry.inodesPerGroup);
    const hasRoom = (counts: GroupCounts) => counts.freeInodes > 0 && counts.freeBlocks > 0;
    const choices: ((counts: GroupCounts) => boolean)[] = [
      hasRoom,
      ({ freeInodes }) => freeInodes > 0,
    ];
    if (isDirectory) choices.unshift(this.suitsDirectory());
    for (const suits of choices) {
      for (let i = 0; i < geometry.groups; i++) {
        const group = (own + i) % geometry.groups;
        if (!suits(this.writer.volume.groups.counts(group))) continue;
        const number = this.firstFree(group);
        if (number !== null) return number;
      }
    }
    throw new ImageError(
      'full',
      `The volume is full: none of its ${geometry.inodes} inodes is free.`,
    );
  }

  /**
   * Directories are spread: the nearest group is taken that has not less room than most, and not
   * more directories; much as `find_group_orlov` of Linux does it.
   */
  private suitsDirectory(): (counts: GroupCounts) => boolean {
    const { geometry, groups } = this.writer.volume;
    const raw = readBytes(this.writer.volume.bytes, geometry.offset, superblock.size);
    const { s_free_inodes_count, s_free_blocks_count_lo } = superblock.read(
      new DataView(raw.buffer),
    );
    let directories = 0;
    for (let group = 0; group < geometry.groups; group++) {
      directories += groups.counts(group).directories;
    }
    const most = directories / geometry.groups + geometry.inodesPerGroup / 16;
    const inodes = s_free_inodes_count / geometry.groups - geometry.inodesPerGroup / 4;
    const blocks = s_free_blocks_count_lo / geometry.groups - geometry.blocksPerGroup / 4;
    return (counts) =>
      counts.directories < most &&
      counts.freeInodes >= Math.max(1, inodes) &&
      counts.freeBlocks >= Math.max(1, blocks);
  }

  /** One that is free in the bitmap, is not reserved, and does not itself say that it is in use. */
  private firstFree(group: number): number | null {
    const { volume } = this.writer;
    const { inodesPerGroup, firstInode, inodes, blockSize } = volume.geometry;
    const { inodeBitmap, inodesUninitialised } = volume.groups.group(group);
    const { unusedInodes } = volume.groups.counts(group);
    const first = group * inodesPerGroup + 1;
    const firstUnused = inodesUninitialised ? first : first + inodesPerGroup - unusedInodes;
    const ordinary = Math.max(firstInode, leastFirstInode);
    const length = Math.ceil(inodesPerGroup / 8);
    const bitmap = inodesUninitialised
      ? new Uint8Array(length)
      : readBytes(volume.bytes, inodeBitmap * blockSize, length);
    let found: number | null = null;
    visitZeroRuns(bitmap, Math.min(inodesPerGroup, inodes + 1 - first), (bit, count) => {
      for (let number = first + bit; found === null && number < first + bit + count; number++) {
        if (number < ordinary) continue;
        if (number >= firstUnused || readInode(volume, number).links === 0) found = number;
      }
    });
    return found;
  }
}

/** Sets the owner, with the upper halves that Linux keeps elsewhere. */
export function setOwner(raw: DataView, uid: number, gid: number): void {
  inodeStructure.set(raw, 'i_uid', uid & 0xffff);
  inodeStructure.set(raw, 'i_uid_high', uid >>> 16);
  inodeStructure.set(raw, 'i_gid', gid & 0xffff);
  inodeStructure.set(raw, 'i_gid_high', gid >>> 16);
}
