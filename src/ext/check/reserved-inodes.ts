import { directBlocks } from '../block-map';
import { inodeTableBlocks } from '../groups';
import { badBlocksInode, rootInode } from '../inode';
import { holdsBlocks } from '../superblock';
import { readBlock } from '../volume';
import type { CheckContext } from './context';
import { modeTypes, type InodeCursor, type InodeField } from './inode-cursor';
import { inodeFacts } from './inode-columns';
import type { ProblemCode } from './problem-table';
import type { InodeTableReader } from './table-reader';

const numbers = {
  badBlocks: badBlocksInode,
  root: rootInode,
  userQuota: 3,
  groupQuota: 4,
  bootLoader: 5,
  resize: 7,
  journal: 8,
} as const;
const pointerSize = 4;

/** How the rest of a reserved inode is looked at. */
export type ReservedRole = 'ordinary' | 'map only' /** Nothing is left to be checked. */ | 'done';

/** Checks the inodes below the first ordinary one, each of which has its own purpose. */
export class ReservedInodes {
  private readonly badBlocks = new Set<number>();
  private readonly quotas: ReadonlySet<number>;
  private readonly quotasInUse: ReadonlySet<number>;
  /** Named as the file of orphans, though the volume has none; 0 otherwise. */
  private readonly orphanFile: number;

  constructor(
    private readonly context: CheckContext,
    private readonly tables: InodeTableReader,
  ) {
    const { values, features } = context.volume.geometry;
    const project = values.s_prj_quota_inum;
    this.quotas = new Set([numbers.userQuota, numbers.groupQuota, ...(project ? [project] : [])]);
    const inUse = [values.s_usr_quota_inum, values.s_grp_quota_inum, project];
    this.quotasInUse = new Set(features.has('quota') ? inUse : []);
    this.orphanFile = features.has('orphan_file') ? 0 : values.s_orphan_file_inum;
  }

  /** The highest number of an inode that is not like any other. */
  get last(): number {
    const { firstInode } = this.context.volume.geometry;
    return Math.max(firstInode - 1, numbers.journal, this.orphanFile, ...this.quotas);
  }

  get hasBadBlocks(): boolean {
    return this.badBlocks.size > 0;
  }

  isQuota(number: number): boolean {
    return this.quotas.has(number);
  }

  /** Learns which blocks are listed as bad, before inodes on them are looked at. */
  readBadBlocks(): void {
    const inode = this.tables.cursor(numbers.badBlocks);
    if (!inode || inode.pointer(0) === 0) return;
    for (let i = 0; i < directBlocks; i++) this.badBlocks.add(inode.pointer(i));
    const indirect = inode.pointer(directBlocks);
    const { blocks } = this.context.volume.geometry;
    if (indirect !== 0 && indirect < blocks) {
      const view = readBlock(this.context.volume, indirect);
      for (let at = 0; at < view.byteLength; at += pointerSize) {
        this.badBlocks.add(view.getUint32(at, true));
      }
    }
    this.badBlocks.delete(0);
  }

  /** Whether the inode lies on a block that is listed as bad. */
  isOnBadBlock(inode: InodeCursor): boolean {
    if (!this.hasBadBlocks) return false;
    const { blockSize } = this.context.volume.geometry;
    return this.badBlocks.has(
      Math.floor((inode.place - this.context.volume.bytes.offset) / blockSize),
    );
  }

  check(inode: InodeCursor): ReservedRole {
    const { geometry } = this.context.volume;
    const { number } = inode;
    const isUsed = inode.links > 0 || inode.blocks > 0 || inode.pointer(0) !== 0;
    if (number === numbers.badBlocks) return this.checkBadBlocks(inode);
    if (number === numbers.root) return this.checkRoot(inode);
    if (number === numbers.journal) {
      this.context.inodes.set(number, inodeFacts.used);
      if (geometry.values.s_journal_inum === number) {
        return this.mustBeFile(inode, 'ext-journal-inode', 'is the journal');
      }
      if (isUsed)
        this.fail(inode, 'ext-reserved-inode', 'is kept for a journal, but in use', 'i_block');
      return 'ordinary';
    }
    if (this.isQuota(number)) {
      this.context.inodes.set(number, inodeFacts.used);
      if (this.quotasInUse.has(number))
        return this.mustBeFile(inode, 'ext-quota-inode', 'holds quotas');
      if (isUsed) this.fail(inode, 'ext-quota-inode', 'is kept for quotas, but in use', 'i_block');
      return 'ordinary';
    }
    if (number === this.orphanFile && isUsed) {
      const what = 'is kept for orphans, which the volume does not keep in a file, but in use';
      this.fail(inode, 'ext-orphan-file', what, 'i_block');
    }
    if (number >= geometry.firstInode) return 'ordinary';
    this.checkMode(inode);
    return 'map only';
  }

  private checkMode(inode: InodeCursor): void {
    const { number, mode } = inode;
    const isWrong =
      number === numbers.bootLoader
        ? inode.is(modeTypes.directory)
        : number === numbers.resize
          ? mode !== 0 && !inode.is(modeTypes.regular)
          : mode !== 0;
    if (!isWrong) return;
    this.fail(
      inode,
      'ext-reserved-inode',
      `is reserved, but has mode ${mode.toString(8)}`,
      'i_mode',
    );
  }

  private mustBeFile(inode: InodeCursor, code: ProblemCode, what: string): ReservedRole {
    if (!inode.is(modeTypes.regular)) {
      this.fail(inode, code, `${what}, but is no regular file`, 'i_mode');
    }
    return 'map only';
  }

  private checkRoot(inode: InodeCursor): ReservedRole {
    if (!inode.is(modeTypes.directory)) {
      this.fail(inode, 'ext-root-not-directory', 'is the root, but no directory', 'i_mode');
    }
    return 'ordinary';
  }

  private checkBadBlocks(inode: InodeCursor): ReservedRole {
    this.context.inodes.set(inode.number, inodeFacts.used);
    const isClean =
      inode.mode === 0 &&
      inode.links === 0 &&
      inode.u16(inode.fieldOffset('i_uid')) === 0 &&
      inode.u16(inode.fieldOffset('i_gid')) === 0 &&
      inode.attributeBlock === 0;
    if (!isClean) {
      this.fail(inode, 'ext-reserved-inode', 'lists bad blocks, but is more than a list', 'i_mode');
    }
    const { claims, volume } = this.context;
    for (const block of this.badBlocks) {
      if (!holdsBlocks(volume.geometry, block)) {
        this.fail(inode, 'ext-bad-block-out-of-range', `lists block ${block} as bad`, 'i_block');
      } else if (!claims.claimed.has(block)) {
        claims.claim(block, 1);
      } else if (claims.metadata.has(block) && !this.isInTable(block)) {
        this.fail(
          inode,
          'ext-bad-block-in-metadata',
          `lists block ${block} of the volume's own structures as bad`,
          'i_block',
        );
      }
    }
    const indirect = inode.pointer(directBlocks);
    if (indirect !== 0 && indirect < volume.geometry.blocks) {
      if (claims.claimed.has(indirect)) {
        this.fail(
          inode,
          'ext-bad-block-in-metadata',
          `keeps its list in block ${indirect}, which is in use`,
          'i_block',
        );
      } else {
        claims.claim(indirect, 1);
      }
    }
    return 'done';
  }

  /** Inode tables may have bad blocks: nobody uses the inodes on them. */
  private isInTable(block: number): boolean {
    const { groups, volume } = this.context;
    const length = inodeTableBlocks(volume.geometry);
    return groups.inodeTable.some((start) => block >= start && block < start + length);
  }

  private fail(inode: InodeCursor, code: ProblemCode, what: string, field: InodeField): void {
    this.context.report.add(code, `Inode ${inode.number} ${what}.`, inode.field(field));
  }
}
