import { crc32c, inodeSeed } from '../checksums';
import { inodeFlags, inodeStructure } from '../inode';
import { decodeRecordLength } from '../records';
import type { CheckContext } from './context';
import { DirectoryBlocks, inlineRooms, type BlockVisitor } from './directory-blocks';
import type { DirectoryFacts } from './directory-list';
import { IndexCheck } from './index-check';
import type { ProblemCode } from './problem-table';
import { RecordCheck } from './record-check';
import type { RecordRoom } from './record-room';
import type { InodeTableReader } from './table-reader';

const headerLength = 8;
const shortestRecord = 12;
const tailType = 0xde;

/** The second pass: reads every directory, and learns which names lead where. */
export class DirectoryPass implements BlockVisitor {
  private readonly records: RecordCheck;
  private readonly blocks: DirectoryBlocks;
  private readonly hasChecksums: boolean;
  private readonly blockSize: number;
  /** Of the directory that is read; null where it has none. */
  private index: IndexCheck | null = null;

  constructor(
    private readonly context: CheckContext,
    private readonly tables: InodeTableReader,
  ) {
    const { features, blockSize } = context.volume.geometry;
    this.records = new RecordCheck(context, tables);
    this.blocks = new DirectoryBlocks(context);
    this.hasChecksums = features.has('metadata_csum');
    this.blockSize = blockSize;
  }

  run(): void {
    const { directories, progress } = this.context;
    directories.all.forEach((directory, i) => {
      if (i % 256 === 0) progress.report(i, directories.all.length);
      this.check(directory);
    });
  }

  block(directory: DirectoryFacts, room: RecordRoom): void {
    this.index?.start(room);
    if (this.hasChecksums) this.verify(directory, room);
    this.checkRecords(directory, room, this.endOf(room));
    this.index?.finish(room);
  }

  hole(directory: DirectoryFacts, logical: number): void {
    const message = `Directory inode ${directory.number} has a hole at block ${logical}.`;
    this.add('ext-directory-hole', directory, message, directory.place, inodeStructure.size);
  }

  private check(directory: DirectoryFacts): void {
    const isInline = (directory.flags & inodeFlags.inlineData) !== 0;
    this.index = null;
    if (isInline && this.context.volume.geometry.features.has('inline_data')) {
      this.checkInline(directory);
      return;
    }
    const isIndexed = (directory.flags & inodeFlags.indexedDirectory) !== 0;
    if (isIndexed) this.index = new IndexCheck(this.context, directory);
    this.blocks.visit(directory, this);
    this.index?.conclude();
  }

  /** The parent's number comes before the records, in place of `.` and `..`. */
  private checkInline(directory: DirectoryFacts): void {
    const inode = this.tables.cursor(directory.number);
    if (!inode) return;
    const { inodes } = this.context;
    const parent = inode.pointer(0);
    inodes.addName(directory.number, 0);
    directory.dotDot = parent;
    if (this.records.mayBeEntry(parent)) inodes.addName(parent, 0);
    else {
      const message = `The '..' of directory inode ${directory.number} is inode ${parent}.`;
      this.add('ext-directory-entry-inode', directory, message, inode.blockPlace, 4);
    }
    for (const room of inlineRooms(inode)) this.checkRecords(directory, room, room.bytes.length);
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

  private verify(directory: DirectoryFacts, room: RecordRoom): void {
    if (!room.isLeaf) {
      this.index?.verify(room);
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

  private checkRecords(directory: DirectoryFacts, room: RecordRoom, end: number): void {
    const { bytes, view } = room;
    this.records.start(directory, room);
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
      this.records.check(at, length, nameLength, count, this.index);
      at += length;
    }
  }

  private recordLength(view: DataView, at: number): number {
    return decodeRecordLength(view.getUint16(at + 4, true), this.blockSize);
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
