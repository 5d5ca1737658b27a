import { inodeChecksumMatches } from '../checksums';
import { inodeFlags } from '../inode';
import { holdsBlocks } from '../superblock';
import { AttributeCheck } from './attribute-check';
import type { CheckContext } from './context';
import { ExtentWalk, isExtentNode } from './extent-walk';
import { modeTypes, recordTypes, type InodeCursor } from './inode-cursor';
import { inodeFacts } from './inode-columns';
import { MappingTally, type MappingSink } from './mapping-tally';
import { PointerWalk } from './pointer-walk';
import type { ProblemCode } from './problem-table';
import { ReservedInodes } from './reserved-inodes';
import { SizeCheck } from './size-check';
import { SpecialFiles } from './special-files';
import type { InodeTableReader } from './table-reader';

const rootBytes = 60;
const magicInode = 0x2000; // EXT2_IMAGIC_FL
const attributeValue = 0x200000;

/** What an inode takes beside its content. */
interface Costs {
  readonly clusters: number;
  readonly inlineLength: number;
}

/**
 * The first pass: reads every inode that may be in use, checks its fields, follows its mapping,
 * and learns which blocks are claimed and which inodes there are.
 */
export class InodePass {
  private readonly attributes: AttributeCheck;
  private readonly reserved: ReservedInodes;
  private readonly special: SpecialFiles;
  private readonly sizes: SizeCheck;
  /** Blocks of pointers and extents that were looked into. */
  private readonly entered = new Set<number>();
  private readonly checksDeletion: boolean;
  private readonly hasChecksums: boolean;

  constructor(
    private readonly context: CheckContext,
    private readonly tables: InodeTableReader,
  ) {
    const { geometry } = context.volume;
    this.attributes = new AttributeCheck(context, tables);
    this.reserved = new ReservedInodes(context, tables);
    this.special = new SpecialFiles(context);
    this.sizes = new SizeCheck(context);
    this.hasChecksums = geometry.features.has('metadata_csum') && geometry.creator === 'linux';
    // Where the clock is that far off, deletion times cannot be told from inode numbers.
    const { s_wtime, s_mtime, s_mkfs_time, s_inodes_count } = geometry.values;
    this.checksDeletion = [s_wtime, s_mtime, s_mkfs_time].every(
      (time) => time === 0 || time >= s_inodes_count,
    );
  }

  run(): void {
    const { groups, progress } = this.context;
    this.reserved.readBadBlocks();
    for (let group = 0; group < groups.count; group++) {
      if (group % 16 === 0) progress.report(group, groups.count);
      let visited = 0;
      this.tables.visit(group, (inode) => {
        if ((visited++ & 0xfff) === 0) progress.report(group, groups.count);
        this.check(inode);
      });
    }
    this.attributes.finish();
  }

  private check(inode: InodeCursor): void {
    const { geometry } = this.context.volume;
    if (this.reserved.isOnBadBlock(inode)) {
      this.context.inodes.set(inode.number, inodeFacts.used | inodeFacts.onBadBlock);
      return;
    }
    if (this.hasChecksums) this.verify(inode);
    const { deletionTime, number } = inode;
    const isOrdinary = number >= geometry.firstInode && !this.reserved.isQuota(number);
    if (
      deletionTime !== 0 &&
      this.checksDeletion &&
      deletionTime < geometry.values.s_inodes_count
    ) {
      this.report(
        inode,
        'inode-orphan',
        `was to be deleted or cut, and then ${deletionTime}`,
        'i_dtime',
      );
    }
    if (inode.links === 0 && isOrdinary) {
      if (deletionTime === 0 && inode.mode !== 0) {
        this.report(inode, 'inode-deletion-time', 'is deleted, but has no time of it', 'i_dtime');
      }
      return;
    }
    this.context.inodes.setLinks(number, inode.links);
    this.checkFlags(inode);
    const role = this.reserved.check(inode);
    if (role === 'map only') {
      this.context.inodes.set(number, inodeFacts.used);
      this.checkContent(inode, this.noCosts);
    }
    if (role !== 'ordinary' || inode.links === 0) return;
    this.checkOrdinary(inode);
  }

  private readonly noCosts: Costs = { clusters: 0, inlineLength: -1 };

  private checkOrdinary(inode: InodeCursor): void {
    const { inodes, volume } = this.context;
    const { geometry } = volume;
    if (inode.deletionTime !== 0) {
      this.report(inode, 'inode-deleted-in-use', 'has names and a time of deletion', 'i_dtime');
    }
    inodes.set(inode.number, inodeFacts.used);
    inodes.setType(inode.number, recordTypes[inode.mode >>> 12]);
    this.checkUnusedFields(inode);
    if (inode.has(magicInode)) {
      if (geometry.features.has('imagic_inodes')) inodes.set(inode.number, inodeFacts.unnamed);
      else
        this.report(inode, 'inode-flag', 'has a flag of AFS, which the volume has not', 'i_flags');
    }
    if (inode.has(attributeValue)) inodes.set(inode.number, inodeFacts.attributeValue);
    const costs = this.checkExtra(inode);
    if (this.special.isReallyDirectory(inode)) {
      this.report(
        inode,
        'inode-is-directory',
        'looks like a directory, but says otherwise',
        'i_mode',
      );
    }
    if (inode.has(inodeFlags.encrypted)) inodes.set(inode.number, inodeFacts.encrypted);
    if (inode.has(inodeFlags.inlineData) && geometry.features.has('inline_data')) {
      if (costs.inlineLength < 0) {
        this.report(
          inode,
          'inline-data-missing',
          'keeps content in itself, but has no room for it',
          'i_flags',
        );
      }
    }
    if (inode.is(modeTypes.directory)) inodes.set(inode.number, inodeFacts.directory);
    else if (inode.is(modeTypes.regular)) inodes.set(inode.number, inodeFacts.regular);
    else if (!this.special.check(inode, costs.inlineLength)) {
      inodes.set(inode.number, inodeFacts.bad);
    }
    this.checkContent(inode, costs);
  }

  /** Flags that contradict the features of the volume or each other. */
  private checkFlags(inode: InodeCursor): void {
    const { features, firstInode } = this.context.volume.geometry;
    if (inode.has(inodeFlags.casefolded)) {
      if (!features.has('casefold') || !inode.is(modeTypes.directory)) {
        this.report(inode, 'inode-flag', 'ignores the case of names, which it cannot', 'i_flags');
      }
    }
    const isInline = inode.has(inodeFlags.inlineData);
    const hasTree = inode.has(inodeFlags.extents);
    if (isInline && hasTree && (features.has('extent') || features.has('inline_data'))) {
      this.report(inode, 'inode-flag', 'has both an extent tree and content in itself', 'i_flags');
    }
    if (isInline && !features.has('inline_data') && inode.number >= firstInode) {
      this.report(
        inode,
        'inode-flag',
        'keeps content in itself, which the volume has not',
        'i_flags',
      );
    }
    if (hasTree && !features.has('extent') && inode.links > 0) {
      this.report(inode, 'inode-flag', 'has an extent tree, which the volume has not', 'i_flags');
    }
    const mayHaveTree = inode.is(modeTypes.regular) || inode.is(modeTypes.directory);
    if (features.has('extent') && !hasTree && !isInline && mayHaveTree) {
      const at = inode.at + inode.blockPlace - inode.place;
      if (isExtentNode(inode.view, at, rootBytes)) {
        this.report(inode, 'inode-flag', 'has an extent tree, but does not say so', 'i_flags');
      }
    }
  }

  /** Fields that have to be zero on this volume. */
  private checkUnusedFields(inode: InodeCursor): void {
    const { features, creator } = this.context.volume.geometry;
    const fail = (field: Parameters<InodeCursor['field']>[0], what: string) => {
      this.report(inode, 'inode-field', `has ${what} where the volume has none`, field);
      this.context.inodes.set(inode.number, inodeFacts.bad);
    };
    if (inode.u32(inode.fieldOffset('i_obso_faddr')) !== 0) fail('i_obso_faddr', 'a fragment');
    if (creator === 'hurd') return;
    const isLongDirectory = inode.is(modeTypes.directory) && inode.size >= 2 ** 32;
    if (isLongDirectory && !features.has('large_dir'))
      fail('i_size_high', 'a high half of its size');
    if (!features.has('64bit') && inode.u16(inode.fieldOffset('i_file_acl_high')) !== 0) {
      fail('i_file_acl_high', 'a high half of its attribute block');
    }
    if (!features.has('huge_file') && inode.u16(inode.fieldOffset('i_blocks_high')) !== 0) {
      fail('i_blocks_high', 'a high half of its block count');
    }
  }

  /** What follows the first 128 bytes: its length, attributes, and old forms of dates. */
  private checkExtra(inode: InodeCursor): Costs {
    const { inodeSize } = this.context.volume.geometry;
    if (inodeSize <= 128) return this.noCosts;
    const extra = inode.u16(inode.fieldOffset('i_extra_isize'));
    const most = inodeSize - 128;
    if (extra !== 0 && (extra < 4 || extra > most || (extra & 3) !== 0)) {
      this.report(
        inode,
        'inode-extra-size',
        `claims ${extra} bytes past the first 128`,
        'i_extra_isize',
      );
      return this.noCosts;
    }
    const costs = this.attributes.inInode(inode);
    if (this.hasMisencodedTime(inode, extra)) {
      this.report(inode, 'inode-old-time', 'has times that read as after 2310', 'i_mtime_extra');
    }
    return costs;
  }

  /** Times before 1970 with both epoch bits set, as Linux wrote them for some years. */
  private hasMisencodedTime(inode: InodeCursor, extra: number): boolean {
    const pairs = [
      ['i_atime', 'i_atime_extra'],
      ['i_ctime', 'i_ctime_extra'],
      ['i_mtime', 'i_mtime_extra'],
      ['i_crtime', 'i_crtime_extra'],
    ] as const;
    if (128 + extra >= this.context.volume.geometry.inodeSize - 4) return false;
    return pairs.some(
      ([seconds, epoch]) =>
        (inode.u32(inode.fieldOffset(seconds)) & 0x80000000) !== 0 &&
        (inode.u32(inode.fieldOffset(epoch)) & 3) === 3,
    );
  }

  /** The attribute block, the mapping, and the numbers that follow from both. */
  private checkContent(inode: InodeCursor, costs: Costs): void {
    const { volume, directories } = this.context;
    const { features } = volume.geometry;
    const isDirectory = inode.is(modeTypes.directory);
    if (isDirectory && this.context.inodes.has(inode.number, inodeFacts.directory)) {
      const { number, flags, generation, size, place } = inode;
      directories.start({ number, flags, generation, size, place });
    }
    const tally = new MappingTally(volume.geometry, this.sinkOf(inode));
    tally.clusters = costs.clusters + this.checkAttributeBlock(inode);
    if (inode.hasMapping) {
      const hasTree = features.has('extent') && inode.has(inodeFlags.extents);
      const Walk = hasTree ? ExtentWalk : PointerWalk;
      new Walk(volume, inode, tally, this.sinkOf(inode)).walk();
    }
    this.sizes.check(inode, tally, costs.inlineLength);
  }

  private checkAttributeBlock(inode: InodeCursor): number {
    const { geometry } = this.context.volume;
    const block = inode.attributeBlock;
    if (block === 0) return 0;
    if (!geometry.features.has('ext_attr')) {
      this.report(
        inode,
        'inode-field',
        'has attributes where the volume has none',
        'i_file_acl_lo',
      );
      this.context.inodes.set(inode.number, inodeFacts.bad);
      return 0;
    }
    if (!holdsBlocks(geometry, block)) {
      const what = `keeps attributes in block ${block}, outside of the volume`;
      this.report(inode, 'attribute-block-out-of-range', what, 'i_file_acl_lo');
      this.context.inodes.set(inode.number, inodeFacts.bad);
      return 0;
    }
    return this.attributes.inBlock(inode, block);
  }

  private sinkOf(inode: InodeCursor): MappingSink {
    const { claims, directories, inodes, report } = this.context;
    const isDirectory = inodes.has(inode.number, inodeFacts.directory);
    return {
      claim: (start, length) => claims.claim(start, length),
      mayEnter: (block) => {
        if (this.entered.has(block)) return false;
        this.entered.add(block);
        return true;
      },
      run: (logical, physical, length) => {
        if (isDirectory) directories.addRun(logical, physical, length);
      },
      report: (code, message, offset, length) => {
        report.add(code, message, { offset, length, inode: inode.number, field: 'inode.i_block' });
      },
    };
  }

  private verify(inode: InodeCursor): void {
    const { geometry } = this.context.volume;
    const { raw } = inode;
    if (inodeChecksumMatches(geometry, inode.number, raw)) return;
    if (raw.every((byte) => byte === 0)) return;
    this.report(inode, 'inode-checksum', 'has a checksum that does not match', 'i_checksum_lo');
  }

  private report(
    inode: InodeCursor,
    code: ProblemCode,
    what: string,
    field: Parameters<InodeCursor['field']>[0],
  ): void {
    this.context.report.add(code, `Inode ${inode.number} ${what}.`, inode.field(field));
  }
}
