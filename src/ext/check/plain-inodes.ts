import { isLittleEndian } from '../../image/memory';
import {
  entriesInInode,
  extentHeader,
  extentLeaf,
  extentMagic,
  longestWritten,
} from '../extent-node';
import { inodeFlags, inodeStructure } from '../inode';
import type { BlockClaims } from './block-claims';
import type { CheckContext } from './context';
import { InodeChecksums } from './inode-checksums';
import { inodeFacts, type InodeColumns } from './inode-columns';
import { modeTypes, recordTypes, typeMask } from './inode-cursor';
import type { ReservedInodes } from './reserved-inodes';

const wordSize = 4;
const { fields } = inodeStructure;
const wordOf = (field: keyof typeof fields) => fields[field].offset / wordSize;

// Which word of an inode holds what; half of one where nothing else is said.
const modeWord = wordOf('i_mode'); // low half
const linksWord = Math.floor(wordOf('i_links_count')); // high half
const sizeWord = wordOf('i_size_lo');
const blocksWord = wordOf('i_blocks_lo');
const flagsWord = wordOf('i_flags');
const rootWord = wordOf('i_block');
const extraSizeWord = wordOf('i_extra_isize'); // low half
/** Words that are zero in a plain inode; that of `i_blocks_high` holds `i_file_acl_high` too. */
const deletedWord = wordOf('i_dtime');
const sizeHighWord = wordOf('i_size_high');
const attributesWord = wordOf('i_file_acl_lo');
const fragmentWord = wordOf('i_obso_faddr');
const highWord = wordOf('i_blocks_high');
/** Words without the highest bit: seconds before 2038, and less than 2 GiB. */
const accessedWord = wordOf('i_atime');
const changedWord = wordOf('i_ctime');
const modifiedWord = wordOf('i_mtime');
const createdWord = wordOf('i_crtime');

const usualExtraSize = inodeStructure.size - 128;
/** Where attributes would start. */
const afterFieldsWord = inodeStructure.size / wordSize;
const firstEntryWord = rootWord + extentHeader.size / wordSize;
const entryWords = extentLeaf.size / wordSize;
const regularRecord = recordTypes[modeTypes.regular >>> 12];

/**
 * Passes over what most inodes of a volume are: never written, or a regular file of at most four
 * extents with nothing unusual. One look at them replaces the many of `InodePass`, which finds
 * nothing in them; of anything else it says so, and learns nothing. It is never laxer than the
 * pass: what it is not certain of is not plain.
 */
export class PlainInodes {
  private readonly checksums: InodeChecksums | null;
  private readonly inodes: InodeColumns;
  private readonly claims: BlockClaims;
  private readonly firstBlock: number;
  private readonly blocks: number;
  private readonly blockSize: number;
  private readonly inodeWords: number;
  /** Inodes up to this one may have a role of their own. */
  private readonly lastReserved: number;

  private constructor(context: CheckContext, reserved: ReservedInodes) {
    const { geometry } = context.volume;
    this.checksums = InodeChecksums.of(geometry);
    this.inodes = context.inodes;
    this.claims = context.claims;
    this.firstBlock = geometry.firstDataBlock;
    this.blocks = geometry.blocks;
    this.blockSize = geometry.blockSize;
    this.inodeWords = geometry.inodeSize / wordSize;
    this.lastReserved = reserved.last;
  }

  /** Null for volumes on which nothing is that plain. */
  static of(context: CheckContext, reserved: ReservedInodes): PlainInodes | null {
    const { features, clusterBlocks, creator, inodeSize } = context.volume.geometry;
    const isUsual =
      isLittleEndian &&
      features.has('extent') &&
      clusterBlocks === 1 &&
      creator !== 'hurd' &&
      inodeSize > inodeStructure.size;
    return isUsual && !reserved.hasBadBlocks ? new PlainInodes(context, reserved) : null;
  }

  /**
   * @param words of the piece of a table that the inode lies in
   * @param at the first word of the inode
   * @returns whether the inode is plain; then its facts and blocks are noted
   */
  accept(words: Uint32Array, at: number, number: number): boolean {
    if (number <= this.lastReserved) return false;
    const links = words[at + linksWord] >>> 16;
    if (links === 0) return words[at + modeWord] === 0 && this.isZero(words, at);
    if (!isPlain(words, at) || !this.hasPlainContent(words, at)) return false;
    if (this.checksums?.match(words, at, number) === false) return false;
    this.inodes.enter(number, inodeFacts.used | inodeFacts.regular, regularRecord, links);
    const end = lastEntry(words, at);
    for (let entry = at + firstEntryWord; entry < end; entry += entryWords) {
      this.claims.claim(physicalBlock(words, entry), words[entry + 1] & 0xffff);
    }
    return true;
  }

  private isZero(words: Uint32Array, at: number): boolean {
    for (let i = 0; i < this.inodeWords; i++) if (words[at + i] !== 0) return false;
    return true;
  }

  /** Whether the extents lie in the volume and in order, and the size and block count follow. */
  private hasPlainContent(words: Uint32Array, at: number): boolean {
    let blocks = 0;
    let next = 0;
    const end = lastEntry(words, at);
    for (let entry = at + firstEntryWord; entry < end; entry += entryWords) {
      const logical = words[entry];
      const length = words[entry + 1] & 0xffff;
      const physical = physicalBlock(words, entry);
      if (logical < next || length === 0 || length > longestWritten) return false;
      if (physical < this.firstBlock || physical + length > this.blocks) return false;
      next = logical + length;
      blocks += length;
    }
    if (words[at + blocksWord] !== blocks * (this.blockSize / 512)) return false;
    return words[at + sizeWord] >= (next - 1) * this.blockSize;
  }
}

/** Whether the fields of an inode, its extents apart, are those of a plain file. */
function isPlain(words: Uint32Array, at: number): boolean {
  const isRegular = (words[at + modeWord] & typeMask) === modeTypes.regular;
  if (!isRegular || words[at + flagsWord] !== inodeFlags.extents) return false;
  const zero =
    words[at + deletedWord] |
    words[at + sizeHighWord] |
    words[at + attributesWord] |
    words[at + fragmentWord] |
    words[at + highWord] |
    words[at + afterFieldsWord];
  const positive =
    words[at + accessedWord] |
    words[at + changedWord] |
    words[at + modifiedWord] |
    words[at + createdWord] |
    words[at + sizeWord];
  if (zero !== 0 || positive < 0) return false;
  if ((words[at + extraSizeWord] & 0xffff) !== usualExtraSize) return false;
  const header = words[at + rootWord];
  const isRoot = (header & 0xffff) === extentMagic && header >>> 16 <= entriesInInode;
  return isRoot && words[at + rootWord + 1] === entriesInInode; // room for as many, and depth 0
}

/** The word behind the last extent in the root of a tree. */
function lastEntry(words: Uint32Array, at: number): number {
  return at + firstEntryWord + (words[at + rootWord] >>> 16) * entryWords;
}

function physicalBlock(words: Uint32Array, entry: number): number {
  return (words[entry + 1] >>> 16) * 2 ** 32 + words[entry + 2];
}
