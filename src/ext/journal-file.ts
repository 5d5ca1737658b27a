import { findExtent, type Extent } from '../filesystem/extents';
import type { Finding } from '../filesystem/finding';
import type { ValuesOf } from '../filesystem/structure';
import { ImageError } from '../image/errors';
import { checksumStart, crc32c } from './checksums';
import { readMapping } from './content';
import { Inode, inodeStructure, readInode } from './inode';
import { journalBlockTypes, journalMagic, journalSuperblock } from './journal-structures';
import { Problems } from './problems';
import { imageOffset, readBlock, type ExtVolume } from './volume';

export type JournalSuperblock = ValuesOf<typeof journalSuperblock>;

const compatChecksum = 1;
const incompat = { wide: 2, asynchronous: 4, checksum2: 8, checksum3: 16, fastCommit: 32 };
const knownIncompatible = 0x3f;
const usualFastCommitBlocks = 256;

/** A journal inside the volume: its superblock, and where each of its blocks lies. */
export class JournalFile {
  /** The log goes round from block `first` to the one before `end`. */
  readonly first: number;
  readonly end: number;
  /** Blocks of the journal, those for fast commits included. */
  readonly length: number;
  /** Checksums of whole transactions, in their commit blocks. */
  readonly checksum1: boolean;
  readonly checksum2: boolean;
  readonly checksum3: boolean;
  readonly isWide: boolean;
  readonly isAsynchronous: boolean;
  /** What checksums of its blocks start with. */
  readonly seed: number;
  /** False where its superblock is damaged: then Linux replays nothing. */
  readonly isSound: boolean;

  /** @param place the name of what holds it */
  constructor(
    private readonly volume: ExtVolume,
    readonly place: string,
    readonly superblock: JournalSuperblock,
    private readonly extents: readonly Extent[],
    private readonly found: Problems,
  ) {
    const { s_feature_compat, s_feature_incompat, s_feature_ro_compat } = superblock;
    if ((s_feature_incompat & ~knownIncompatible) !== 0 || s_feature_ro_compat !== 0) {
      const unknown = (s_feature_incompat & ~knownIncompatible) >>> 0 || s_feature_ro_compat;
      const message = `The journal has features that are not known: ${unknown.toString(16)}.`;
      throw new ImageError('unsupported', message);
    }
    const has = (feature: number) => (s_feature_incompat & feature) !== 0;
    this.checksum3 = has(incompat.checksum3);
    this.checksum2 = has(incompat.checksum2) && !this.checksum3;
    this.checksum1 = (s_feature_compat & compatChecksum) !== 0;
    this.isWide = has(incompat.wide);
    this.isAsynchronous = has(incompat.asynchronous);
    this.seed = crc32c(checksumStart, superblock.s_uuid);
    const last = extents.at(-1);
    const there = last ? last.logical + last.length : 0;
    this.length = Math.min(superblock.s_maxlen, there);
    const fast = has(incompat.fastCommit) ? superblock.s_num_fc_blks || usualFastCommitBlocks : 0;
    this.first = superblock.s_first;
    this.end = Math.max(this.length - fast, 0);
    if (this.first === 0 || this.first >= this.end) {
      const message = `The log of the journal is said to go from block ${this.first} to ${this.end}.`;
      throw new ImageError('corrupt', message);
    }
    this.isSound = !this.hasBlockChecksums || this.superblockMatches();
    if (!this.isSound) {
      const message = 'The checksum of the journal superblock does not match.';
      found.error('journal-checksum', message, this.placeOf(0), journalSuperblock.size);
    }
  }

  get problems(): readonly Finding[] {
    return this.found.list;
  }

  get blockSize(): number {
    return this.volume.geometry.blockSize;
  }

  /** Whether its blocks end in checksums of their own. */
  get hasBlockChecksums(): boolean {
    return this.checksum2 || this.checksum3;
  }

  /** Whether the volume may hold fast commits, which are not replayed. */
  get hasFastCommits(): boolean {
    return this.end < this.length;
  }

  /** The block of the volume that holds a block of the journal; null where it has none. */
  blockOf(index: number): number | null {
    const extent = this.extents[findExtent(this.extents, index)];
    if (!extent || extent.logical > index) return null;
    return extent.physical + index - extent.logical;
  }

  /** The block of the journal that lies in a block of the volume; -1 where none does. */
  indexOf(block: number): number {
    const found = this.extents.find(
      ({ physical, length }) => block >= physical && block < physical + length,
    );
    return found ? found.logical + block - found.physical : -1;
  }

  /** A block of the journal; null where it has none. */
  read(index: number): DataView | null {
    const block = this.blockOf(index);
    return block === null ? null : readBlock(this.volume, block);
  }

  private superblockMatches(): boolean {
    const view = this.read(0);
    if (!view) return false;
    const raw = new Uint8Array(view.buffer, 0, journalSuperblock.size).slice();
    const { offset, length } = journalSuperblock.fields.s_checksum;
    raw.fill(0, offset, offset + length);
    return crc32c(checksumStart, raw) === this.superblock.s_checksum;
  }

  /** Where a block of the journal starts in the image, in bytes. */
  placeOf(index: number): number {
    return imageOffset(this.volume, this.blockOf(index) ?? 0);
  }
}

/**
 * Finds the journal inside a volume: in its inode, or where that is destroyed, by the copy of
 * its block pointers in the superblock.
 * @throws ImageError `unsupported` when it is on another device or has unknown features,
 *   `corrupt` when there is none where it should be
 */
export function openJournalFile(volume: ExtVolume): JournalFile {
  const { values } = volume.geometry;
  if (values.s_journal_inum === 0) {
    throw new ImageError('unsupported', 'The journal of this volume is on another device.');
  }
  const own = tryOpen(volume, `inode ${values.s_journal_inum}`, () =>
    readInode(volume, values.s_journal_inum),
  );
  if (own instanceof JournalFile) return own;
  const copy = tryOpen(volume, 'the copy of its inode in the superblock', () =>
    inodeFromSuperblock(volume),
  );
  if (copy instanceof JournalFile) return copy;
  throw own;
}

function tryOpen(volume: ExtVolume, place: string, read: () => Inode): JournalFile | ImageError {
  try {
    const inode = read();
    const problems = new Problems(inode.number);
    const { extents } = readMapping(volume, inode, problems);
    const [head] = extents;
    if (!head || head.logical !== 0) {
      return new ImageError('corrupt', `There is no journal in ${place}.`);
    }
    const superblock = journalSuperblock.read(readBlock(volume, head.physical));
    const complaint = complaintOf(volume, superblock);
    if (complaint)
      return new ImageError('corrupt', `There is no journal in ${place}: ${complaint}.`);
    return new JournalFile(volume, place, superblock, extents, problems);
  } catch (error) {
    if (error instanceof ImageError) return error;
    throw error;
  }
}

function complaintOf(volume: ExtVolume, superblock: JournalSuperblock): string | null {
  const { h_magic, h_blocktype, s_blocksize } = superblock;
  if (h_magic !== journalMagic) return 'its magic number is not C03B3998';
  const { superblock1, superblock2 } = journalBlockTypes;
  if (h_blocktype !== superblock1 && h_blocktype !== superblock2) {
    return `its first block is of type ${h_blocktype}`;
  }
  if (s_blocksize !== volume.geometry.blockSize) return `it has blocks of ${s_blocksize} bytes`;
  return null;
}

const backupOfInode = 1; // EXT3_JNL_BACKUP_BLOCKS
const pointersInBackup = 15;

/** `s_jnl_blocks` holds the block pointers, then the high and the low half of the size. */
function inodeFromSuperblock(volume: ExtVolume): Inode {
  const { values, inodeSize } = volume.geometry;
  if (values.s_jnl_backup_type !== backupOfInode) {
    throw new ImageError('corrupt', 'The superblock has no copy of the journal inode.');
  }
  const raw = new Uint8Array(inodeSize);
  const view = new DataView(raw.buffer);
  const { i_block, i_size_high, i_size_lo, i_flags, i_mode } = inodeStructure.fields;
  for (let i = 0; i < pointersInBackup; i++) {
    view.setUint32(i_block.offset + 4 * i, values.s_jnl_blocks[i], true);
  }
  i_size_high.write(view, i_size_high.offset, values.s_jnl_blocks[pointersInBackup]);
  i_size_lo.write(view, i_size_lo.offset, values.s_jnl_blocks[pointersInBackup + 1]);
  i_mode.write(view, i_mode.offset, 0o100600);
  const isTree = view.getUint16(i_block.offset, true) === 0xf30a;
  i_flags.write(view, i_flags.offset, isTree ? 0x80000 : 0);
  return new Inode(
    volume,
    values.s_journal_inum,
    volume.bytes.offset + volume.geometry.offset,
    raw,
  );
}
