import { inodeFlags, rootInode } from '../inode';
import { recordMinimum } from '../records';
import type { CheckContext } from './context';
import type { DirectoryFacts } from './directory-list';
import type { IndexCheck } from './index-check';
import { inodeFacts } from './inode-columns';
import { recordTypes } from './inode-cursor';
import { NameTable } from './name-table';
import type { ProblemCode } from './problem-table';
import type { RecordRoom } from './record-room';
import type { InodeTableReader } from './table-reader';

const headerLength = 8;
const shortestRecord = 12;
const dot = 0x2e;
const slash = 0x2f;
const shortestEncryptedName = 16; // a block of the cipher
const ordinary = 2; // position of records other than `.` and `..`

/** The record that is looked at; moved on, for a volume has millions. */
class CurrentRecord {
  directory!: DirectoryFacts;
  room!: RecordRoom;
  at = 0;
  length = 0;
  nameLength = 0;
  inode = 0;

  move(at: number, length: number, nameLength: number): void {
    this.at = at;
    this.length = length;
    this.nameLength = nameLength;
    this.inode = this.room.view.getUint32(at, true);
  }
}

/** Checks records one after the other: their names, and what they lead to. */
export class RecordCheck {
  private readonly names: NameTable;
  private readonly hasTypes: boolean;
  private readonly firstInode: number;
  private readonly lastInode: number;
  private readonly inodesPerGroup: number;
  /** Inodes that the superblock keeps for itself, and no name leads to. */
  private readonly hidden: readonly number[];
  private readonly record = new CurrentRecord();

  constructor(
    private readonly context: CheckContext,
    private readonly tables: InodeTableReader,
  ) {
    const { features, blockSize, firstInode, inodes, inodesPerGroup } = context.volume.geometry;
    this.firstInode = firstInode;
    this.lastInode = inodes;
    this.inodesPerGroup = inodesPerGroup;
    this.names = new NameTable(blockSize);
    this.hasTypes = features.has('filetype');
    const { values } = context.volume.geometry;
    const { s_usr_quota_inum, s_grp_quota_inum, s_prj_quota_inum, s_orphan_file_inum } = values;
    this.hidden = [s_usr_quota_inum, s_grp_quota_inum, s_prj_quota_inum, s_orphan_file_inum];
  }

  /** The records of another room follow. */
  start(directory: DirectoryFacts, room: RecordRoom): void {
    this.names.clear();
    this.record.directory = directory;
    this.record.room = room;
  }

  /**
   * @param at where the record starts in its room, in bytes, which hold all of it
   * @param count records before it in the room
   */
  check(
    at: number,
    length: number,
    nameLength: number,
    count: number,
    index: IndexCheck | null,
  ): void {
    const { record } = this;
    record.move(at, length, nameLength);
    const position = record.room.logical === 0 ? Math.min(count, ordinary) : ordinary;
    this.checkRecord(record, position, index);
  }

  /** @param position 0 for the first record of a directory, 1 for the second, 2 for all others */
  private checkRecord(record: CurrentRecord, position: number, index: IndexCheck | null): void {
    const { inode, directory } = record;
    if (position === 0) this.checkDot(record);
    else if (position === 1) this.checkDotDot(record);
    if (inode === 0) return;
    if (!this.mayBeEntry(inode)) {
      const what = `leads to inode ${inode}, which no name may lead to`;
      this.fail('ext-directory-entry-inode', what);
      return;
    }
    if (position === ordinary) this.checkTarget(record);
    const { inodes, directories } = this.context;
    const facts = inodes.flags(inode);
    this.checkUse(record, facts);
    this.checkName(record);
    index?.addName(record.room, record.at, record.nameLength);
    this.checkType(record, facts);
    if (position === ordinary && (facts & inodeFacts.directory) !== 0) {
      const target = directories.find(inode);
      if (target && target.parent !== 0) {
        const what = `leads to directory ${inode}, which directory ${target.parent} holds too`;
        this.fail('ext-directory-linked', what);
      } else if (target) {
        target.parent = directory.number;
      }
    }
    inodes.addName(inode, position === ordinary ? directory.number : 0);
  }

  /** Whether a record may lead to the inode at all. */
  mayBeEntry(inode: number): boolean {
    if (this.hidden.includes(inode)) return false;
    if (inode === rootInode) return true;
    return inode >= this.firstInode && inode <= this.lastInode;
  }

  private checkDot({ inode, directory, length, nameLength, room, at }: CurrentRecord): void {
    const { bytes } = room;
    if (inode === 0) this.fail('ext-directory-dot', "should be '.', but is unused");
    else if (nameLength !== 1 || bytes[at + 8] !== dot) {
      this.fail('ext-directory-dot', "should be '.', but is not");
    } else if (bytes[at + 9] !== 0) {
      this.fail('ext-directory-dot', "has something behind the name '.'");
    }
    if (inode !== directory.number) {
      const what = `should lead to its own directory, but leads to inode ${inode}`;
      this.fail('ext-directory-dot', what);
    }
    if (length > 2 * shortestRecord) this.fail('ext-directory-dot-long', `takes ${length} bytes`);
  }

  private checkDotDot({ inode, directory, nameLength, room, at }: CurrentRecord): void {
    const { bytes } = room;
    if (inode === 0) this.fail('ext-directory-dot', "should be '..', but is unused");
    else if (nameLength !== 2 || bytes[at + 8] !== dot || bytes[at + 9] !== dot) {
      this.fail('ext-directory-dot', "should be '..', but is not");
    } else if (bytes[at + 10] !== 0) {
      this.fail('ext-directory-dot', "has something behind the name '..'");
    } else directory.dotDot = inode;
  }

  /** What a name other than the first two must not be or lead to. */
  private checkTarget({ inode, directory, nameLength, room, at }: CurrentRecord): void {
    const first = room.bytes[at + headerLength];
    const isDot = nameLength === 1 && first === dot;
    const isDotDot = nameLength === 2 && first === dot && room.bytes[at + 9] === dot;
    if (inode === directory.number)
      this.fail('ext-directory-entry-loop', 'leads to its own directory');
    else if (isDot || isDotDot) {
      this.fail('ext-directory-dot-again', `is a further '${isDot ? '.' : '..'}'`);
    } else if (inode === rootInode) this.fail('ext-directory-entry-loop', 'leads to the root');
    else if (nameLength === 0) this.fail('ext-directory-name', 'has no name');
  }

  /** Whether what the name leads to is in use, and may be named. */
  private checkUse({ inode, directory }: CurrentRecord, facts: number): void {
    const { groups } = this.context;
    const group = Math.floor((inode - 1) / this.inodesPerGroup);
    const index = (inode - 1) % this.inodesPerGroup;
    const isUsed = (facts & inodeFacts.used) !== 0;
    const isNew = group < groups.count && groups.saysUnused(group, index);
    if (isNew || !isUsed) {
      const why = isNew ? 'which its group says was never used' : 'which is not in use';
      this.fail('ext-directory-entry-unused', `leads to inode ${inode}, ${why}`);
    }
    if (!isUsed) return;
    if ((facts & inodeFacts.onBadBlock) !== 0) {
      const what = `leads to inode ${inode}, which lies on a bad block`;
      this.fail('ext-directory-entry-bad-block', what);
    }
    if ((facts & inodeFacts.attributeValue) !== 0) {
      const what = `leads to inode ${inode}, which holds the value of an attribute`;
      this.fail('ext-directory-entry-value', what);
    }
    const mayBeEncrypted = (facts & (inodeFacts.directory | inodeFacts.regular)) !== 0;
    const isPlain = mayBeEncrypted && (facts & inodeFacts.encrypted) === 0;
    const isEncrypted = (directory.flags & inodeFlags.encrypted) !== 0;
    if (isEncrypted && isPlain && inode !== directory.dotDot) {
      const what = `leads to inode ${inode}, which is not encrypted as its directory is`;
      this.fail('ext-directory-entry-encryption', what);
    }
  }

  private checkName({ room, at, nameLength, directory }: CurrentRecord): void {
    const { bytes } = room;
    const start = at + headerLength;
    if ((directory.flags & inodeFlags.encrypted) !== 0) {
      const isDots = nameLength > 0 && nameLength <= 2 && bytes[start] === dot;
      if (nameLength < shortestEncryptedName && !isDots) {
        this.fail('ext-directory-name', 'has a name too short to be encrypted');
      }
    } else {
      for (let i = start; i < start + nameLength; i++) {
        if (bytes[i] !== 0 && bytes[i] !== slash) continue;
        this.fail(
          'ext-directory-name',
          `has a name with a ${bytes[i] === 0 ? 'zero' : 'slash'} in it`,
        );
        break;
      }
    }
    if (this.names.add(bytes, start, nameLength)) {
      this.fail('ext-directory-name-twice', 'has a name that is there already');
    }
  }

  private checkType({ room, at, inode }: CurrentRecord, facts: number): void {
    const type = room.bytes[at + 7];
    const isKnown = (facts & (inodeFacts.directory | inodeFacts.regular)) !== 0;
    const isBad = (facts & inodeFacts.bad) !== 0 && !isKnown;
    const expected = !this.hasTypes || isBad ? 0 : this.typeOf(inode);
    if (type === expected) return;
    const code = type === 0 ? 'ext-directory-entry-untyped' : 'ext-directory-entry-type';
    this.fail(code, `says type ${type} of inode ${inode}, not ${expected}`);
  }

  /** Of an inode that is not in use, what its mode says. */
  private typeOf(inode: number): number {
    const known = this.context.inodes.type(inode);
    if (known !== 0) return known;
    const cursor = this.tables.cursor(inode);
    return cursor ? recordTypes[cursor.mode >>> 12] : 0;
  }

  /** Something is wrong with the current record. */
  private fail(code: ProblemCode, what: string): void {
    const { directory, room, at, length, nameLength } = this.record;
    const start = at + headerLength;
    const name = printable(room.bytes.subarray(start, start + nameLength));
    const message = `The record '${name}' of directory inode ${directory.number} ${what}.`;
    this.context.report.add(code, message, {
      offset: room.place + at,
      length: Math.min(length, recordMinimum(nameLength)),
      inode: directory.number,
      field: 'directory record',
    });
  }
}

/** A name for a sentence: what is no text, or would break the line, is left out. */
function printable(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd');
}
