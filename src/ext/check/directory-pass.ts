import { attributeMagic } from '../attributes';
import { crc32c, inodeSeed } from '../checksums';
import { inodeFlags, inodeStructure } from '../inode';
import { decodeRecordLength, recordMinimum } from '../records';
import type { CheckContext } from './context';
import type { DirectoryFacts } from './directory-list';
import { IndexCheck } from './index-check';
import { inodeFacts } from './inode-columns';
import { recordTypes } from './inode-cursor';
import { NameTable } from './name-table';
import type { ProblemCode } from './problem-table';
import type { RecordRoom } from './record-room';
import type { InodeTableReader } from './table-reader';

const headerLength = 8;
const shortestRecord = 12;
const tailType = 0xde;
const rootInode = 2;
const dot = 0x2e;
const slash = 0x2f;
const shortestEncryptedName = 16; // a block of the cipher
const blocksAtOnce = 64;
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

/** The second pass: reads every directory, and learns which names lead where. */
export class DirectoryPass {
  private readonly names: NameTable;
  private readonly hasChecksums: boolean;
  private readonly hasTypes: boolean;
  private readonly blockSize: number;
  private readonly firstInode: number;
  private readonly lastInode: number;
  private readonly inodesPerGroup: number;
  private readonly record = new CurrentRecord();
  private readonly piece: Uint8Array;

  constructor(
    private readonly context: CheckContext,
    private readonly tables: InodeTableReader,
  ) {
    const { features, blockSize, firstInode, inodes, inodesPerGroup } = context.volume.geometry;
    this.firstInode = firstInode;
    this.lastInode = inodes;
    this.inodesPerGroup = inodesPerGroup;
    this.names = new NameTable(blockSize);
    this.hasChecksums = features.has('metadata_csum');
    this.hasTypes = features.has('filetype');
    this.blockSize = blockSize;
    this.piece = new Uint8Array(blocksAtOnce * blockSize);
  }

  run(): void {
    const { directories, progress } = this.context;
    directories.all.forEach((directory, i) => {
      if (i % 256 === 0) progress.report(i, directories.all.length);
      this.check(directory);
    });
  }

  private check(directory: DirectoryFacts): void {
    const isInline = (directory.flags & inodeFlags.inlineData) !== 0;
    if (isInline && this.context.volume.geometry.features.has('inline_data')) {
      this.checkInline(directory);
      return;
    }
    const isIndexed = (directory.flags & inodeFlags.indexedDirectory) !== 0;
    const index = isIndexed ? new IndexCheck(this.context, directory) : null;
    for (const room of this.blocks(directory)) {
      index?.start(room);
      if (this.hasChecksums) this.verify(directory, room, index);
      this.records(directory, room, index, this.endOf(room));
      index?.finish(room);
    }
    index?.conclude();
  }

  /** Every block of a directory, each over the same memory; neighbours are read together. */
  private *blocks(directory: DirectoryFacts): Generator<RecordRoom> {
    const { volume, directories, progress } = this.context;
    const { blockSize } = this;
    for (let i = directory.firstRun; i < directory.endRun; i++) {
      const { logical, physical, length } = directories.run(i);
      if (physical === 0) {
        const message = `Directory inode ${directory.number} has a hole at block ${logical}.`;
        this.add('ext-directory-hole', directory, message, directory.place, inodeStructure.size);
        continue;
      }
      for (let done = 0; done < length; done += blocksAtOnce) {
        if (done > 0) progress.report(i, directories.all.length);
        const count = Math.min(blocksAtOnce, length - done);
        const offset = (physical + done) * blockSize;
        const { piece } = this;
        volume.bytes.read(offset, piece.subarray(0, count * blockSize));
        for (let block = 0; block < count; block++) {
          const bytes = piece.subarray(block * blockSize, (block + 1) * blockSize);
          yield {
            bytes,
            view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
            place: volume.bytes.offset + offset + block * blockSize,
            logical: logical + done + block,
            isLeaf: true,
          };
        }
      }
    }
  }

  /** Two runs of records in the inode; `.` and `..` are a number before the first. */
  private checkInline(directory: DirectoryFacts): void {
    const inode = this.tables.cursor(directory.number);
    if (!inode) return;
    const { inodes } = this.context;
    const start = inode.blockPlace - inode.place;
    const raw = inode.raw;
    const parent = inode.pointer(0);
    inodes.addName(directory.number, 0);
    directory.dotDot = parent;
    if (this.mayBeEntry(parent)) inodes.addName(parent, 0);
    else {
      const message = `The '..' of directory inode ${directory.number} is inode ${parent}.`;
      this.add('ext-directory-entry-inode', directory, message, inode.blockPlace, 4);
    }
    const rest = this.inlineRest(raw);
    const parts = [{ at: start + 4, length: 56 }, ...(rest ? [rest] : [])];
    parts.forEach(({ at, length }, i) => {
      const bytes = raw.subarray(at, at + length);
      const view = new DataView(bytes.buffer, bytes.byteOffset, length);
      const place = inode.place + at;
      // Neither run has records for `.` and `..`, so both are like later blocks.
      const room = { bytes, view, place, logical: i + 1, isLeaf: true };
      this.records(directory, room, null, length);
    });
  }

  private inlineRest(raw: Uint8Array): { at: number; length: number } | null {
    const view = new DataView(raw.buffer, raw.byteOffset, raw.length);
    if (raw.length <= 128) return null;
    const start = 128 + view.getUint16(128, true);
    if (start + 4 > raw.length || view.getUint32(start, true) !== attributeMagic) return null;
    const first = start + 4;
    for (let at = first; at + 16 <= raw.length && view.getUint32(at, true) !== 0;) {
      const nameLength = raw[at];
      const isData = raw[at + 1] === 7 && nameLength === 4 && raw[at + 16] === 0x64;
      const offset = view.getUint16(at + 2, true);
      const length = view.getUint32(at + 8, true);
      if (isData && first + offset + length <= raw.length) {
        return length > 0 ? { at: first + offset, length } : null;
      }
      at += (16 + nameLength + 3) & ~3;
    }
    return null;
  }

  private endOf(room: RecordRoom): number {
    const hasTail = this.hasChecksums && room.isLeaf && this.hasTail(room);
    return hasTail ? this.blockSize - shortestRecord : this.blockSize;
  }

  private hasTail({ bytes, view }: RecordRoom): boolean {
    const at = bytes.length - shortestRecord;
    return (
      view.getUint32(at, true) === 0 &&
      view.getUint16(at + 4, true) === shortestRecord &&
      bytes[at + 6] === 0 &&
      bytes[at + 7] === tailType
    );
  }

  private verify(directory: DirectoryFacts, room: RecordRoom, index: IndexCheck | null): void {
    if (!room.isLeaf) {
      index?.verify(room);
      return;
    }
    const at = room.bytes.length - shortestRecord;
    if (!this.hasTail(room)) {
      const message = `Block ${room.logical} of directory inode ${directory.number} has no room for a checksum.`;
      this.add('ext-directory-tail', directory, message, room.place + at, shortestRecord);
      return;
    }
    const { geometry } = this.context.volume;
    const seed = inodeSeed(geometry, directory.number, directory.generation);
    if (crc32c(seed, room.bytes.subarray(0, at)) === room.view.getUint32(at + headerLength, true))
      return;
    const message = `The checksum of block ${room.logical} of directory inode ${directory.number} does not match.`;
    this.add('ext-directory-checksum', directory, message, room.place + at, shortestRecord);
  }

  private records(
    directory: DirectoryFacts,
    room: RecordRoom,
    index: IndexCheck | null,
    end: number,
  ): void {
    const { bytes, view } = room;
    this.names.clear();
    this.record.directory = directory;
    this.record.room = room;
    let at = 0;
    for (let count = 0; at < end; count++) {
      const hasHeader = at + headerLength <= end;
      const length = hasHeader ? this.recordLength(view, at) : 0;
      const nameLength = hasHeader ? bytes[at + 6] : 0;
      const isBroken =
        length < shortestRecord || length % 4 !== 0 || headerLength + nameLength > length;
      if (isBroken || at + length > end) {
        const what = isBroken ? `claims ${length} bytes` : 'goes beyond its block';
        const message = `A record of directory inode ${directory.number} ${what}.`;
        const shown = Math.min(shortestRecord, bytes.length - at);
        this.add('ext-directory-record', directory, message, room.place + at, shown);
        return;
      }
      this.record.move(at, length, nameLength);
      const position = room.logical === 0 ? Math.min(count, ordinary) : ordinary;
      this.checkRecord(this.record, position, index);
      at += length;
    }
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

  private mayBeEntry(inode: number): boolean {
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

  private recordLength(view: DataView, at: number): number {
    return decodeRecordLength(view.getUint16(at + 4, true), this.blockSize);
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

  private add(
    code: ProblemCode,
    directory: DirectoryFacts,
    message: string,
    offset: number,
    length: number,
  ): void {
    this.context.report.add(code, message, { offset, length, inode: directory.number });
  }
}

/** A name for a sentence: what is no text, or would break the line, is left out. */
function printable(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd');
}
