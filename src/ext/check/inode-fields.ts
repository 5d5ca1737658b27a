import { inodeFlags, inodeStructure } from '../inode';
import type { CheckContext } from './context';
import { isExtentNode } from './extent-walk';
import { inodeFacts } from './inode-columns';
import { modeTypes, type InodeCursor, type InodeField } from './inode-cursor';
import type { ProblemCode } from './problem-table';

const rootBytes = 60;
const { fields } = inodeStructure;
const fragmentAt = fields.i_obso_faddr.offset;
const attributesHighAt = fields.i_file_acl_high.offset;
const blocksHighAt = fields.i_blocks_high.offset;
const extraSizeAt = fields.i_extra_isize.offset;
/** Seconds, and where the epoch bits that prolong them lie. */
const timePairs = [
  [fields.i_atime.offset, fields.i_atime_extra.offset],
  [fields.i_ctime.offset, fields.i_ctime_extra.offset],
  [fields.i_mtime.offset, fields.i_mtime_extra.offset],
  [fields.i_crtime.offset, fields.i_crtime_extra.offset],
] as const;

/** Checks single fields of inodes against the features of the volume. */
export class InodeFields {
  private readonly firstInode: number;
  private readonly inodeSize: number;
  private readonly isHurd: boolean;
  private readonly isWide: boolean;
  private readonly isHuge: boolean;
  private readonly isLarge: boolean;
  private readonly hasExtents: boolean;
  private readonly hasInlineData: boolean;
  private readonly hasCasefold: boolean;

  constructor(private readonly context: CheckContext) {
    const { features, creator, firstInode, inodeSize } = context.volume.geometry;
    this.firstInode = firstInode;
    this.inodeSize = inodeSize;
    this.isHurd = creator === 'hurd';
    this.isWide = features.has('64bit');
    this.isHuge = features.has('huge_file');
    this.isLarge = features.has('large_dir');
    this.hasExtents = features.has('extent');
    this.hasInlineData = features.has('inline_data');
    this.hasCasefold = features.has('casefold');
  }

  /** Flags that contradict the features of the volume or each other. */
  checkFlags(inode: InodeCursor): void {
    if (inode.has(inodeFlags.casefolded)) {
      if (!this.hasCasefold || !inode.is(modeTypes.directory)) {
        this.report(
          inode,
          'ext-inode-flag',
          'ignores the case of names, which it cannot',
          'i_flags',
        );
      }
    }
    const isInline = inode.has(inodeFlags.inlineData);
    const hasTree = inode.has(inodeFlags.extents);
    if (isInline && hasTree && (this.hasExtents || this.hasInlineData)) {
      this.report(
        inode,
        'ext-inode-flag',
        'has both an extent tree and content in itself',
        'i_flags',
      );
    }
    if (isInline && !this.hasInlineData && inode.number >= this.firstInode) {
      this.report(
        inode,
        'ext-inode-flag',
        'keeps content in itself, which the volume has not',
        'i_flags',
      );
    }
    if (hasTree && !this.hasExtents && inode.links > 0) {
      this.report(
        inode,
        'ext-inode-flag',
        'has an extent tree, which the volume has not',
        'i_flags',
      );
    }
    const mayHaveTree = inode.is(modeTypes.regular) || inode.is(modeTypes.directory);
    if (this.hasExtents && !hasTree && !isInline && mayHaveTree) {
      const at = inode.at + inode.blockPlace - inode.place;
      if (isExtentNode(inode.view, at, rootBytes)) {
        this.report(inode, 'ext-inode-flag', 'has an extent tree, but does not say so', 'i_flags');
      }
    }
  }

  /** Fields that have to be zero on this volume. */
  checkUnused(inode: InodeCursor): void {
    if (inode.u32(fragmentAt) !== 0) this.unused(inode, 'i_obso_faddr', 'a fragment');
    if (this.isHurd) return;
    if (!this.isLarge && inode.size >= 2 ** 32 && inode.is(modeTypes.directory)) {
      this.unused(inode, 'i_size_high', 'a high half of its size');
    }
    if (!this.isWide && inode.u16(attributesHighAt) !== 0) {
      this.unused(inode, 'i_file_acl_high', 'a high half of its attribute block');
    }
    if (!this.isHuge && inode.u16(blocksHighAt) !== 0) {
      this.unused(inode, 'i_blocks_high', 'a high half of its block count');
    }
  }

  /** Times before 1970 with both epoch bits set, as Linux wrote them for some years. */
  hasMisencodedTime(inode: InodeCursor): boolean {
    // No room for attributes behind the fields: then e2fsck looks no further.
    if (128 + inode.u16(extraSizeAt) >= this.inodeSize - 4) return false;
    for (const [seconds, epoch] of timePairs) {
      if (inode.u32(seconds) >= 2 ** 31 && (inode.u32(epoch) & 3) === 3) return true;
    }
    return false;
  }

  private unused(inode: InodeCursor, field: InodeField, what: string): void {
    this.report(inode, 'ext-inode-field', `has ${what} where the volume has none`, field);
    this.context.inodes.set(inode.number, inodeFacts.bad);
  }

  private report(inode: InodeCursor, code: ProblemCode, what: string, field: InodeField): void {
    this.context.report.add(code, `Inode ${inode.number} ${what}.`, inode.field(field));
  }
}
