import { readBytes } from '../../image/bytes';
import { attributeMagic } from '../attributes';
import { crc32c, inodeSeed } from '../checksums';
import { inodeFlags, inodeStructure } from '../inode';
import { decodeRecordLength, recordMinimum } from '../records';
import type { CheckContext } from './context';
import type { DirectoryFacts } from './directory-list';
import { IndexCheck } from './index-check';
import { inodeFacts } from './inode-columns';
import { NameTable } from './name-table';
import type { ProblemCode } from './problem-table';
import type { InodeTableReader } from './table-reader';

const headerLength = 8;
const shortestRecord = 12;
const tailType = 0xde;
const rootInode = 2;
const dot = 0x2e;
const slash = 0x2f;
const shortestEncryptedName = 16; // a block of the cipher
const blocksAtOnce = 64;

/** A run of records: a block, or what an inode keeps. */
export interface RecordRoom {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Where the room starts in the image, in bytes. */
  readonly place: number;
  /** Block of the directory. */
  readonly logical: number;
  /** Whether only names lie here: no index. */
  isLeaf: boolean;
}

/** The second pass: reads every directory, and learns which names lead where. */
export class DirectoryPass {
  private readonly names: NameTable;
  private readonly hasChecksums: boolean;
  private readonly hasTypes: boolean;
  private readonly blockSize: number;

  constructor(
    private readonly context: CheckContext,
    private readonly tables: InodeTableReader,
  ) {
    const { features, blockSize } = context.volume.geometry;
    this.names = new NameTable(blockSize);
    this.hasChecksums = features.has('metadata_csum');
    this.hasTypes = features.has('filetype');
    this.blockSize = blockSize;
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

  /** Every block of a directory; neighbours are read together. */
  private *blocks(directory: DirectoryFacts): Generator<RecordRoom> {
    const { volume, directories, progress } = this.context;
    const { blockSize } = this;
    for (let i = directory.firstRun; i < directory.endRun; i++) {
      const { logical, physical, length } = directories.run(i);
      if (physical === 0) {
        const message = `Directory inode ${directory.number} has a hole at block ${logical}.`;
        this.add('directory-hole', directory, message, directory.place, inodeStructure.size);
        continue;
      }
      for (let done = 0; done < length; done += blocksAtOnce) {
        if (done > 0) progress.report(i, directories.all.length);
        const count = Math.min(blocksAtOnce, length - done);
        const offset = (physical + done) * blockSize;
        const piece = readBytes(volume.bytes, offset, count * blockSize);
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
      this.add('directory-entry-inode', directory, message, inode.blockPlace, 4);
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
      this.add('directory-tail', directory, message, room.place + at, shortestRecord);
      return;
    }
    const { geometry } = this.context.volume;
    const seed = inodeSeed(geometry, directory.number, directory.generation);
    if (crc32c(seed, room.bytes.subarray(0, at)) === room.view.getUint32(at + headerLength, true))
      return;
    const message = `The checksum of block ${room.logical} of directory inode ${directory.number} does not match.`;
    this.add('directory-checksum', directory, message, room.place + at, shortestRecord);
  }

  private records(
    directory: DirectoryFacts,
    room: RecordRoom,
    index: IndexCheck | null,
    end: number,
  ): void {
    const { bytes, view } = room;
    this.names.clear();
    let at = 0;
    for (let count = 0; at < end; count++) {
      const length = at + headerLength <= end ? this.recordLength(view, at) : 0;
      const nameLength = at + headerLength <= end ? bytes[at + 6] : 0;
      const isBroken =
        length < shortestRecord || length % 4 !== 0 || headerLength + nameLength > length;
      if (isBroken || at + length > end) {
        // What a block without a tail needs is told once, by its checksum.
        const what = isBroken ? `claims ${length} bytes` : 'goes beyond its block';
        const message = `A record of directory inode ${directory.number} ${what}.`;
        this.add(
          'directory-record',
          directory,
          message,
          room.place + at,
          Math.min(shortestRecord, bytes.length - at),
        );
        return;
      }
      const dots = room.logical === 0 ? count : 2;
      this.record(directory, room, at, length, nameLength, Math.min(dots, 2), index);
      at += length;
    }
  }

  /** @param position 0 for the first record of a directory, 1 for the second, 2 for all others */
  private record(
    directory: DirectoryFacts,
    room: RecordRoom,
    at: number,
    length: number,
    nameLength: number,
    position: number,
    index: IndexCheck | null,
  ): void {
    const { view } = room;
    const inode = view.getUint32(at, true);
    const fail = (code: ProblemCode, what: string) =>
      this.recordProblem(directory, room, at, length, code, what);
    if (position === 0) this.checkDot(directory, room, at, length, nameLength);
    else if (position === 1) this.checkDotDot(directory, room, at, length, nameLength);
    if (inode === 0) return;
    if (!this.mayBeEntry(inode)) {
      fail('directory-entry-inode', `leads to inode ${inode}, which no name may lead to`);
      return;
    }
    if (position === 2) this.checkTarget(directory, room, at, length, nameLength);
    this.checkUse(directory, room, at, length, inode);
    this.checkName(directory, room, at, length, nameLength, index);
    this.checkType(room, at, inode, fail);
    const { inodes, directories } = this.context;
    if (position === 2 && inodes.has(inode, inodeFacts.directory)) {
      const target = directories.find(inode);
      if (target && target.parent !== 0) {
        fail(
          'directory-linked',
          `leads to directory ${inode}, which directory ${target.parent} holds too`,
        );
      } else if (target) {
        target.parent = directory.number;
      }
    }
    inodes.addName(inode, position === 2 ? directory.number : 0);
  }

  private mayBeEntry(inode: number): boolean {
    const { geometry } = this.context.volume;
    if (inode === rootInode) return true;
    return inode >= geometry.firstInode && inode <= geometry.inodes;
  }

  private checkDot(
    directory: DirectoryFacts,
    room: RecordRoom,
    at: number,
    length: number,
    nameLength: number,
  ): void {
    const { bytes, view } = room;
    const inode = view.getUint32(at, true);
    const fail = (code: ProblemCode, what: string) =>
      this.recordProblem(directory, room, at, length, code, what);
    if (inode === 0) fail('directory-dot', "should be '.', but is unused");
    else if (nameLength !== 1 || bytes[at + 8] !== dot)
      fail('directory-dot', "should be '.', but is not");
    else if (bytes[at + 9] !== 0) fail('directory-dot', "has something behind the name '.'");
    if (inode !== directory.number) {
      fail('directory-dot', `should lead to its own directory, but leads to inode ${inode}`);
    }
    if (length > 2 * shortestRecord) {
      fail('directory-dot-long', `of '.' takes ${length} bytes`);
    }
  }

  private checkDotDot(
    directory: DirectoryFacts,
    room: RecordRoom,
    at: number,
    length: number,
    nameLength: number,
  ): void {
    const { bytes, view } = room;
    const inode = view.getUint32(at, true);
    const fail = (what: string) =>
      this.recordProblem(directory, room, at, length, 'directory-dot', what);
    if (inode === 0) fail("should be '..', but is unused");
    else if (nameLength !== 2 || bytes[at + 8] !== dot || bytes[at + 9] !== dot) {
      fail("should be '..', but is not");
    } else if (bytes[at + 10] !== 0) fail("has something behind the name '..'");
    else directory.dotDot = inode;
  }

  /** What a name other than the first two must not be or lead to. */
  private checkTarget(
    directory: DirectoryFacts,
    room: RecordRoom,
    at: number,
    length: number,
    nameLength: number,
  ): void {
    const { bytes, view } = room;
    const inode = view.getUint32(at, true);
    const fail = (code: ProblemCode, what: string) =>
      this.recordProblem(directory, room, at, length, code, what);
    const isDot = nameLength === 1 && bytes[at + 8] === dot;
    const isDotDot = nameLength === 2 && bytes[at + 8] === dot && bytes[at + 9] === dot;
    if (inode === directory.number) fail('directory-entry-loop', 'leads to its own directory');
    else if (isDot || isDotDot) fail('directory-dot-again', `is a further '${isDot ? '.' : '..'}'`);
    else if (inode === rootInode) fail('directory-entry-loop', 'leads to the root');
    else if (nameLength === 0) fail('directory-name', 'has no name');
  }

  /** Whether what the name leads to is in use, and may be named. */
  private checkUse(
    directory: DirectoryFacts,
    room: RecordRoom,
    at: number,
    length: number,
    inode: number,
  ): void {
    const { inodes, groups, volume } = this.context;
    const { inodesPerGroup } = volume.geometry;
    const fail = (code: ProblemCode, what: string) =>
      this.recordProblem(directory, room, at, length, code, what);
    const group = Math.floor((inode - 1) / inodesPerGroup);
    const isUsed = inodes.has(inode, inodeFacts.used);
    if (group < groups.count && (inode - 1) % inodesPerGroup >= groups.usableInodes(group)) {
      fail(
        'directory-entry-unused',
        `leads to inode ${inode}, which its group says was never used`,
      );
    } else if (!isUsed) {
      fail('directory-entry-unused', `leads to inode ${inode}, which is not in use`);
    }
    if (inodes.has(inode, inodeFacts.onBadBlock)) {
      fail('directory-entry-bad-block', `leads to inode ${inode}, which lies on a bad block`);
    }
    if (inodes.has(inode, inodeFacts.attributeValue)) {
      fail(
        'directory-entry-value',
        `leads to inode ${inode}, which holds the value of an attribute`,
      );
    }
    const isEncrypted = (directory.flags & inodeFlags.encrypted) !== 0;
    const mayBeEncrypted = inodes.has(inode, inodeFacts.directory | inodeFacts.regular);
    if (isEncrypted && isUsed && mayBeEncrypted && !inodes.has(inode, inodeFacts.encrypted)) {
      if (inode !== directory.dotDot) {
        fail(
          'directory-entry-encryption',
          `leads to inode ${inode}, which is not encrypted as its directory is`,
        );
      }
    }
  }

  private checkName(
    directory: DirectoryFacts,
    room: RecordRoom,
    at: number,
    length: number,
    nameLength: number,
    index: IndexCheck | null,
  ): void {
    const { bytes } = room;
    const start = at + headerLength;
    const fail = (code: ProblemCode, what: string) =>
      this.recordProblem(directory, room, at, length, code, what);
    const isDots = nameLength > 0 && nameLength <= 2 && bytes[start] === dot;
    if ((directory.flags & inodeFlags.encrypted) !== 0) {
      if (nameLength < shortestEncryptedName && !isDots) {
        fail('directory-name', 'has a name too short to be encrypted');
      }
    } else {
      for (let i = start; i < start + nameLength; i++) {
        if (bytes[i] !== 0 && bytes[i] !== slash) continue;
        fail('directory-name', `has a name with a ${bytes[i] === 0 ? 'zero' : 'slash'} in it`);
        break;
      }
    }
    if (this.names.add(bytes, start, nameLength)) {
      fail('directory-name-twice', 'has a name that is there already');
    }
    index?.addName(room, at, nameLength);
  }

  private checkType(
    room: RecordRoom,
    at: number,
    inode: number,
    fail: (code: ProblemCode, what: string) => void,
  ): void {
    const type = room.bytes[at + 7];
    const { inodes } = this.context;
    const isBad =
      inodes.has(inode, inodeFacts.bad) &&
      !inodes.has(inode, inodeFacts.directory | inodeFacts.regular);
    const expected = !this.hasTypes || isBad ? 0 : this.typeOf(inode);
    if (type === expected) return;
    const code = type === 0 ? 'directory-entry-untyped' : 'directory-entry-type';
    fail(code, `says type ${type} of inode ${inode}, not ${expected}`);
  }

  private typeOf(inode: number): number {
    const known = this.context.inodes.type(inode);
    if (known !== 0) return known;
    const cursor = this.tables.cursor(inode);
    return cursor ? ([0, 5, 3, 0, 2, 0, 4, 0, 1, 0, 7, 0, 6][cursor.mode >>> 12] ?? 0) : 0;
  }

  private recordLength(view: DataView, at: number): number {
    return decodeRecordLength(view.getUint16(at + 4, true), this.blockSize);
  }

  private recordProblem(
    directory: DirectoryFacts,
    room: RecordRoom,
    at: number,
    length: number,
    code: ProblemCode,
    what: string,
  ): void {
    const name = printable(
      room.bytes.subarray(at + headerLength, at + headerLength + room.bytes[at + 6]),
    );
    const message = `The record '${name}' of directory inode ${directory.number} ${what}.`;
    const needed = Math.min(length, recordMinimum(room.bytes[at + 6]));
    this.context.report.add(code, message, {
      offset: room.place + at,
      length: needed,
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
