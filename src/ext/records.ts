import type { NodeType } from '../filesystem/node';
import type { RecordState } from '../filesystem/raw-directory';
import { structure, u16, u32, u8 } from '../filesystem/structure';

/** What every directory record starts with; the name follows it. */
export const directoryRecord = structure('directory record', 8, {
  inode: u32(0, 'inode the name leads to, 0 for none'),
  rec_len: u16(4, 'bytes to the next record'),
  name_len: u8(6, 'length of the name'),
  file_type: u8(
    7,
    '1 file, 2 directory, 3 character and 4 block device, 5 fifo, 6 socket, 7 symlink',
  ),
});

/** As before the feature `filetype`, when names were thought to grow. */
export const plainDirectoryRecord = structure('directory record', 8, {
  inode: u32(0, 'inode the name leads to, 0 for none'),
  rec_len: u16(4, 'bytes to the next record'),
  name_len: u16(6, 'length of the name'),
});

const headerLength = 8;
const shortestRecord = 12;
const longestName = 255;
const tailLength = 12;
const tailType = 0xde;
const wideBlock = 65536;

/** A directory record as it lies in its block, live or not. */
export interface BlockRecord {
  /** Where it starts in its block, in bytes. */
  readonly offset: number;
  readonly inode: number;
  /** Bytes to the next record, decoded. */
  readonly recLen: number;
  /** Bytes it covers: `recLen`, or where that cannot be a length, what its name needs. */
  readonly length: number;
  readonly nameLen: number;
  /** 0 where records have no type. */
  readonly fileType: number;
  /** As many bytes of it as lie in the block, and in its record where that is too short. */
  readonly name: Uint8Array;
  /** What the record needs for its name, in bytes. */
  readonly minimum: number;
  /** What it has beyond that. */
  readonly slack: number;
  readonly state: RecordState;
  /** The rule it violates, as a clause. */
  readonly problem?: string;
  /** Offset of the record in whose slack it lies. */
  readonly within?: number;
}

/** What the records of a directory look like, by the volume and the directory. */
export interface RecordRules {
  readonly blockSize: number;
  /** Names have at most 255 bytes and are followed by a type (feature `filetype`). */
  readonly hasFileType: boolean;
  /** Inode numbers go up to this one. */
  readonly inodes: number;
  /** A hash follows each name: directories both encrypted and casefolded. */
  readonly hasHash: boolean;
}

/**
 * `linear`: records only. `htree-root`: two records, then the index. `htree-node`: the index
 * behind a record that covers the block.
 */
export type BlockRole = 'linear' | 'htree-root' | 'htree-node';

/** What `rec_len` means: blocks of 64 KiB keep bits 16 and 17 in the two low ones. */
export function decodeRecordLength(raw: number, blockSize: number): number {
  if (blockSize < wideBlock) return raw;
  if (raw === 0 || raw === wideBlock - 1) return wideBlock;
  return (raw & 0xfffc) | ((raw & 3) << 16);
}

/** How `rec_len` says a length; the opposite of `decodeRecordLength`. */
export function encodeRecordLength(length: number, blockSize: number): number {
  if (blockSize < wideBlock) return length;
  return length === wideBlock ? wideBlock - 1 : (length & 0xfffc) | ((length >>> 16) & 3);
}

/** The bytes a record needs for a name of this length. */
export function recordMinimum(nameLength: number): number {
  return (headerLength + nameLength + 3) & ~3;
}

/** Whether a name is `.` or `..`. */
export function isDots(name: Uint8Array): boolean {
  return name[0] === 0x2e && (name.length === 1 || (name.length === 2 && name[1] === 0x2e));
}

/**
 * Walks the records of one block, or of what an inode keeps of a directory. A record that
 * breaks the chain is the last one of it.
 * @param leftovers also report what no driver sees: records that survive in the slack of
 *   others, and what lies behind a break
 */
export function walkRecords(
  block: Uint8Array,
  rules: RecordRules,
  role: BlockRole,
  leftovers: boolean,
): BlockRecord[] {
  return new RecordWalk(block, rules, role, leftovers).walk();
}

class RecordWalk {
  private readonly view: DataView;
  private readonly records: BlockRecord[] = [];
  private chainEnds = false;

  constructor(
    private readonly block: Uint8Array,
    private readonly rules: RecordRules,
    private readonly role: BlockRole,
    private readonly leftovers: boolean,
  ) {
    this.view = new DataView(block.buffer, block.byteOffset, block.length);
  }

  walk(): BlockRecord[] {
    let at = 0;
    for (let count = 1; at < this.block.length && !this.chainEnds; count++) {
      const record = this.record(at);
      this.records.push(record);
      at += record.length;
      if (this.role === 'htree-root' && count === 2) {
        this.addIndex(record);
      } else if (this.leftovers && record.state !== 'tail' && record.state !== 'htree') {
        if (this.chainEnds) this.addUnreachable(record);
        else this.addSurvivors(record);
      }
    }
    return this.records;
  }

  private record(at: number): BlockRecord {
    const left = this.block.length - at;
    if (left < headerLength) return this.stub(at, left);
    const inode = this.view.getUint32(at, true);
    const recLen = decodeRecordLength(this.view.getUint16(at + 4, true), this.rules.blockSize);
    const nameLen = this.nameLength(at);
    const fileType = this.rules.hasFileType ? this.block[at + 7] : 0;
    if (this.isTail(at, inode, recLen)) {
      return this.make(at, inode, recLen, nameLen, fileType, 'tail');
    }
    const problem = this.chainProblem(recLen, this.minimum(at, nameLen), left, nameLen);
    if (problem) {
      this.chainEnds = true;
      const record = this.make(at, inode, recLen, nameLen, fileType, 'broken');
      const isLength = recLen >= shortestRecord && recLen % 4 === 0 && recLen <= left;
      // Where rec_len can be a length, name_len is what is wrong: the next record lies at its end.
      const wanted = isLength ? recLen : Math.max(record.minimum, shortestRecord);
      const length = Math.min(wanted, left);
      return { ...record, length, name: record.name.subarray(0, length - headerLength), problem };
    }
    if (inode > this.rules.inodes) {
      const problem = `inode ${inode} is above the inode count ${this.rules.inodes}`;
      return { ...this.make(at, inode, recLen, nameLen, fileType, 'broken'), problem };
    }
    return this.make(at, inode, recLen, nameLen, fileType, this.state(at, inode, recLen, nameLen));
  }

  /** Fewer bytes than a record starts with: the chain does not end where its block does. */
  private stub(at: number, left: number): BlockRecord {
    this.chainEnds = true;
    const problem = `only ${left} bytes are left, too few for a record`;
    return { ...this.bare(at, left, 'broken'), problem };
  }

  /** A record whose fields mean nothing. */
  private bare(at: number, length: number, state: RecordState): BlockRecord {
    return {
      offset: at,
      inode: 0,
      recLen: length,
      length,
      nameLen: 0,
      fileType: 0,
      name: this.block.subarray(at, at),
      minimum: length,
      slack: 0,
      state,
    };
  }

  private make(
    at: number,
    inode: number,
    recLen: number,
    nameLen: number,
    fileType: number,
    state: RecordState,
  ): BlockRecord {
    const isNamed = state !== 'empty' && state !== 'tail';
    const minimum = isNamed ? this.minimum(at, nameLen) : shortestRecord;
    const start = at + headerLength;
    return {
      offset: at,
      inode,
      recLen,
      length: recLen,
      nameLen,
      fileType,
      name: this.block.subarray(start, start + nameLen),
      minimum,
      slack: Math.max(0, recLen - minimum),
      state,
    };
  }

  private nameLength(at: number): number {
    return this.rules.hasFileType ? this.block[at + 6] : this.view.getUint16(at + 6, true);
  }

  private minimum(at: number, nameLength: number): number {
    const first = this.block[at + headerLength];
    const isDots =
      first === 0x2e &&
      (nameLength === 1 || (nameLength === 2 && this.block[at + headerLength + 1] === 0x2e));
    return recordMinimum(nameLength + (this.rules.hasHash && !isDots ? 8 : 0));
  }

  private isTail(at: number, inode: number, recLen: number): boolean {
    return (
      inode === 0 &&
      recLen === tailLength &&
      at + tailLength === this.block.length &&
      this.block[at + 6] === 0 &&
      this.block[at + 7] === tailType
    );
  }

  /** The rules in the order in which the Linux driver tests them. */
  private chainProblem(
    recLen: number,
    minimum: number,
    left: number,
    nameLength: number,
  ): string | null {
    if (recLen < shortestRecord) return `rec_len ${recLen} is below ${shortestRecord}`;
    if (recLen % 4 !== 0) return `rec_len ${recLen} is no multiple of 4`;
    if (recLen < minimum) return `rec_len ${recLen} is too short for a name of ${nameLength} bytes`;
    if (recLen > left) return `rec_len ${recLen} crosses the end of the block`;
    return null;
  }

  private state(at: number, inode: number, recLen: number, nameLength: number): RecordState {
    if (inode !== 0) return 'live';
    if (this.role === 'htree-node' && at === 0) return 'htree';
    // Removing the first name of a block only zeroes its inode.
    return this.isPlausible(at, at + recLen, nameLength, recLen, true) ? 'deleted' : 'empty';
  }

  /** The index in the root lies in the slack of its second record, `..`. */
  private addIndex(dotDot: BlockRecord): void {
    const at = dotDot.offset + shortestRecord;
    const length = Math.min(dotDot.recLen - shortestRecord, this.block.length - at);
    if (dotDot.state !== 'live' || length <= 0) return;
    this.records.push({ ...this.bare(at, length, 'htree'), within: dotDot.offset });
  }

  /**
   * A removed record gives its `rec_len` to the one before it, and the bytes stay. So every
   * place in the slack that reads like a record within it is one that was removed.
   */
  private addSurvivors(cover: BlockRecord): void {
    const end = cover.offset + cover.length;
    for (let at = cover.offset + cover.minimum; at + shortestRecord <= end;) {
      const found = this.plausible(at, end, 'deleted');
      if (found) this.records.push({ ...found, within: cover.offset });
      at += found ? found.minimum : 4;
    }
  }

  /**
   * Behind a break: what reads like records, with what survives in their slack, and the stretches
   * that do not. One too short for a record belongs to none, except to a broken one before it
   * whose length is a guess.
   */
  private addUnreachable(broken: BlockRecord): void {
    const from = broken.offset + broken.length;
    const end = this.block.length;
    let gap = from;
    const closeGap = (to: number) => {
      if (to - gap >= shortestRecord) this.records.push(this.bare(gap, to - gap, 'unreachable'));
      else if (gap === from && broken.length !== broken.recLen) {
        this.records[this.records.length - 1] = { ...broken, length: to - broken.offset };
      }
    };
    for (let at = (from + 3) & ~3; at + shortestRecord <= end;) {
      const found = this.plausible(at, end, 'unreachable');
      if (found) {
        closeGap(at);
        this.records.push(found);
        this.addSurvivors(found);
        gap = at + found.length;
      }
      at += found ? found.length : 4;
    }
    closeGap(end);
  }

  private plausible(at: number, end: number, state: RecordState): BlockRecord | null {
    const nameLength = this.nameLength(at);
    const recLen = decodeRecordLength(this.view.getUint16(at + 4, true), this.rules.blockSize);
    if (!this.isPlausible(at, end, nameLength, recLen, false)) return null;
    const fileType = this.rules.hasFileType ? this.block[at + 7] : 0;
    return this.make(at, this.view.getUint32(at, true), recLen, nameLength, fileType, state);
  }

  private isPlausible(
    at: number,
    end: number,
    nameLength: number,
    recLen: number,
    withoutInode: boolean,
  ): boolean {
    const inode = this.view.getUint32(at, true);
    if ((inode === 0) !== withoutInode || inode > this.rules.inodes) return false;
    if (nameLength === 0 || nameLength > longestName) return false;
    const minimum = this.minimum(at, nameLength);
    if (recLen < minimum || recLen % 4 !== 0 || at + recLen > end) return false;
    if (this.rules.hasFileType && this.block[at + 7] >= nodeTypesByRecord.length) return false;
    for (let i = at + headerLength; i < at + headerLength + nameLength; i++) {
      if (this.block[i] === 0 || this.block[i] === 0x2f) return false;
    }
    return true;
  }
}

/** What the type byte of a record stands for. */
export const nodeTypesByRecord: readonly NodeType[] = [
  'unknown',
  'file',
  'directory',
  'chardev',
  'blockdev',
  'fifo',
  'socket',
  'symlink',
];
