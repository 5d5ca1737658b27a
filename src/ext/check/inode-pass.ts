import { inodeFlags } from '../inode';
import { holdsBlocks } from '../superblock';
import { AttributeCheck, noCosts, type AttributeCost } from './attribute-check';
import type { CheckContext } from './context';
import { modeTypes, recordTypes, type InodeCursor, type InodeField } from './inode-cursor';
import { InodeFields } from './inode-fields';
import { InodeChecksums } from './inode-checksums';
import { inodeFacts } from './inode-columns';
import type { MappingSink } from './mapping-tally';
import { MappingWalk } from './mapping-walk';
import { PlainInodes } from './plain-inodes';
import type { ProblemCode } from './problem-table';
import { ReservedInodes } from './reserved-inodes';
import { SizeCheck } from './size-check';
import { SpecialFiles } from './special-files';
import type { InodeTableReader } from './table-reader';

const magicInode = 0x2000; // EXT2_IMAGIC_FL

/**
 * The first pass: reads every inode that may be in use, checks its fields, follows its mapping,
 * and learns which blocks are claimed and which inodes there are.
 */
export class InodePass {
  private readonly attributes: AttributeCheck;
  private readonly fields: InodeFields;
  private readonly reserved: ReservedInodes;
  private readonly special: SpecialFiles;
  private readonly sizes: SizeCheck;
  private readonly checksDeletion: boolean;
  private readonly checksums: InodeChecksums | null;
  private readonly hasInlineData: boolean;
  private readonly hasAttributes: boolean;
  /** The inode that the sink gets its blocks from. */
  private current = 0;
  private currentIsDirectory = false;
  private readonly mapping: MappingWalk;

  /** @param passesOver whether plain inodes are taken together, as nothing is found in them */
  constructor(
    private readonly context: CheckContext,
    private readonly tables: InodeTableReader,
    private readonly passesOver = true,
  ) {
    const { geometry } = context.volume;
    this.attributes = new AttributeCheck(context, tables);
    this.fields = new InodeFields(context);
    this.reserved = new ReservedInodes(context, tables);
    this.special = new SpecialFiles(context);
    this.sizes = new SizeCheck(context);
    const { features } = geometry;
    this.checksums = InodeChecksums.of(geometry);
    this.hasInlineData = features.has('inline_data');
    this.hasAttributes = features.has('ext_attr');
    this.mapping = new MappingWalk(context.volume, this.makeSink());
    // Where the clock is that far off, deletion times cannot be told from inode numbers.
    const { s_wtime, s_mtime, s_mkfs_time, s_inodes_count } = geometry.values;
    this.checksDeletion = [s_wtime, s_mtime, s_mkfs_time].every(
      (time) => time === 0 || time >= s_inodes_count,
    );
  }

  run(): void {
    const { groups, progress } = this.context;
    this.reserved.readBadBlocks();
    const plain = this.passesOver ? PlainInodes.of(this.context, this.reserved) : null;
    for (let group = 0; group < groups.count; group++) {
      if (group % 16 === 0) progress.report(group, groups.count);
      let visited = 0;
      this.tables.visit(
        group,
        (inode) => this.check(inode),
        (words, at, number) => {
          if ((visited++ & 0xfff) === 0) progress.report(group, groups.count);
          return plain !== null && plain.accept(words, at, number);
        },
      );
    }
    this.attributes.finish();
  }

  private check(inode: InodeCursor): void {
    const { geometry } = this.context.volume;
    if (this.reserved.isOnBadBlock(inode)) {
      this.context.inodes.set(inode.number, inodeFacts.used | inodeFacts.onBadBlock);
      return;
    }
    this.verify(inode);
    const { deletionTime, number } = inode;
    const isOrdinary = number >= geometry.firstInode && !this.reserved.isQuota(number);
    if (
      deletionTime !== 0 &&
      this.checksDeletion &&
      deletionTime < geometry.values.s_inodes_count
    ) {
      this.report(
        inode,
        'ext-inode-orphan',
        `was to be deleted or cut, and then ${deletionTime}`,
        'i_dtime',
      );
    }
    if (inode.links === 0 && isOrdinary) {
      if (deletionTime === 0 && inode.mode !== 0) {
        this.report(
          inode,
          'ext-inode-deletion-time',
          'is deleted, but has no time of it',
          'i_dtime',
        );
      }
      return;
    }
    this.context.inodes.setLinks(number, inode.links);
    this.fields.checkFlags(inode);
    const role = this.reserved.check(inode);
    if (role === 'map only') {
      this.context.inodes.set(number, inodeFacts.used);
      this.checkContent(inode, noCosts, false);
    }
    if (role !== 'ordinary' || inode.links === 0) return;
    this.checkOrdinary(inode);
  }

  private checkOrdinary(inode: InodeCursor): void {
    const { inodes, volume } = this.context;
    const { geometry } = volume;
    if (inode.deletionTime !== 0) {
      this.report(inode, 'ext-inode-deleted-in-use', 'has names and a time of deletion', 'i_dtime');
    }
    inodes.set(inode.number, inodeFacts.used);
    inodes.setType(inode.number, recordTypes[inode.mode >>> 12]);
    this.fields.checkUnused(inode);
    if (inode.has(magicInode)) {
      if (geometry.features.has('imagic_inodes')) inodes.set(inode.number, inodeFacts.unnamed);
      else
        this.report(
          inode,
          'ext-inode-flag',
          'has a flag of AFS, which the volume has not',
          'i_flags',
        );
    }
    if (inode.has(inodeFlags.largeAttribute)) inodes.set(inode.number, inodeFacts.attributeValue);
    const costs = this.checkExtra(inode);
    if (this.special.isReallyDirectory(inode)) {
      this.report(
        inode,
        'ext-inode-is-directory',
        'looks like a directory, but says otherwise',
        'i_mode',
      );
    }
    if (inode.has(inodeFlags.encrypted)) inodes.set(inode.number, inodeFacts.encrypted);
    if (inode.has(inodeFlags.inlineData) && this.hasInlineData) {
      if (costs.inlineLength < 0) {
        this.report(
          inode,
          'ext-inline-data-missing',
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
    this.checkContent(inode, costs, true);
  }

  /** What follows the first 128 bytes: its length, attributes, and old forms of dates. */
  private checkExtra(inode: InodeCursor): AttributeCost {
    const { inodeSize } = this.context.volume.geometry;
    if (inodeSize <= 128) return noCosts;
    const extra = inode.u16(inode.fieldOffset('i_extra_isize'));
    const most = inodeSize - 128;
    if (extra !== 0 && (extra < 4 || extra > most || (extra & 3) !== 0)) {
      this.report(
        inode,
        'ext-inode-extra-size',
        `claims ${extra} bytes past the first 128`,
        'i_extra_isize',
      );
      return noCosts;
    }
    const costs = this.attributes.inInode(inode);
    if (this.fields.hasMisencodedTime(inode)) {
      this.report(
        inode,
        'ext-inode-old-time',
        'has times that read as after 2310',
        'i_mtime_extra',
      );
    }
    return costs;
  }

  /**
   * The attribute block, the mapping, and the numbers that follow from both.
   * @param isOrdinary nobody asks for attributes of inodes that the volume keeps for itself
   */
  private checkContent(inode: InodeCursor, costs: AttributeCost, isOrdinary: boolean): void {
    const { directories, inodes } = this.context;
    this.current = inode.number;
    this.currentIsDirectory = inodes.has(inode.number, inodeFacts.directory);
    if (this.currentIsDirectory) directories.start(inode);
    const inBlock = this.checkAttributeBlock(inode, isOrdinary);
    if (inodes.has(inode.number, inodeFacts.encrypted) && !costs.hasPolicy && !inBlock.hasPolicy) {
      const what = 'is encrypted, but no attribute says how';
      this.report(inode, 'ext-encryption-policy', what, 'i_flags');
    }
    const tally = this.mapping.walk(inode, costs.clusters + inBlock.clusters);
    this.sizes.check(inode, tally, costs.inlineLength);
  }

  private checkAttributeBlock(inode: InodeCursor, isOrdinary: boolean): AttributeCost {
    const { geometry } = this.context.volume;
    const block = inode.attributeBlock;
    if (block === 0) return noCosts;
    const isLegal = this.hasAttributes && holdsBlocks(geometry, block);
    if (!isLegal && !isOrdinary) return noCosts;
    if (!this.hasAttributes) {
      this.report(
        inode,
        'ext-inode-field',
        'has attributes where the volume has none',
        'i_file_acl_lo',
      );
      this.context.inodes.set(inode.number, inodeFacts.bad);
      return noCosts;
    }
    if (!isLegal) {
      const what = `keeps attributes in block ${block}, outside of the volume`;
      this.report(inode, 'ext-attribute-block-out-of-range', what, 'i_file_acl_lo');
      this.context.inodes.set(inode.number, inodeFacts.bad);
      return noCosts;
    }
    return this.attributes.inBlock(inode, block);
  }

  /** One for all inodes, for there are millions: it speaks of the current one. */
  private makeSink(): MappingSink {
    const { claims, directories, report } = this.context;
    return {
      claim: (start, length) => claims.claim(start, length),
      mayEnter: this.context.enterOnce(),
      run: (logical, physical, length) => {
        if (this.currentIsDirectory) directories.addRun(logical, physical, length);
      },
      report: (code, message, offset, length) => {
        const inode = this.current;
        report.add(code, message, { offset, length, inode, field: 'inode.i_block' });
      },
    };
  }

  private verify(inode: InodeCursor): void {
    if (this.checksums?.match(inode.words, inode.at / 4, inode.number) !== false) return;
    this.report(inode, 'ext-inode-checksum', 'has a checksum that does not match', 'i_checksum_lo');
  }

  private report(inode: InodeCursor, code: ProblemCode, what: string, field: InodeField): void {
    this.context.report.add(code, `Inode ${inode.number} ${what}.`, inode.field(field));
  }
}
