/**
 * A file of ranges of an image: the journal of a save, and the backup of what is not saved. All
 * numbers are little-endian. Every part ends in a checksum that goes on from the one before, so
 * that a file that was cut short, or mixed from two, is known as such:
 *
 *     start    "FSIMGRG1", kind u32, path length u32, image size u64, modified u64, path, checksum
 *     records  "RNGE", content u8, old u8, u16 0, offset u64, length u64,
 *              checksums of the old sectors, new bytes, checksum
 *     end      "DONE", u32 0, number of records u64, 0 u64, checksum
 */
import { crc32 } from 'node:zlib';
import { isLittleEndian } from './memory';
import { ImageError } from './errors';
import type { HostFile } from './host';

/** What the ranges belong to. */
export interface RangeFileOrigin {
  readonly kind: 'journal' | 'backup';
  /** The image's length in bytes. */
  readonly size: number;
  /** When the image was last changed, in nanoseconds since 1970; 0 where it is no file. */
  readonly modified: bigint;
  /** The image's file, for a person; empty where it is none. */
  readonly path: string;
}

/** A range with what it is to hold. */
export interface RangeRecord {
  /** In the image, in bytes. */
  readonly offset: number;
  readonly length: number;
  /** What it is to hold: these bytes, or zeros, or a hole. */
  readonly content: Uint8Array | 'zeros' | 'hole';
  /** What it held: checksums of its sectors, or zeros alone; null where that is not recorded. */
  readonly old: Uint32Array | 'zeros' | null;
}

/** What a power cut leaves whole; sectors are counted from the start of the image. */
const sectorSize = 512;
/** The length of a record that has bytes, or checksums of old bytes, at most. */
export const recordLimit = 1024 * 1024;

const startMagic = 'FSIMGRG1';
const recordMagic = 0x45474e52; // "RNGE"
const endMagic = 0x454e4f44; // "DONE"
const kinds: readonly RangeFileOrigin['kind'][] = ['journal', 'backup'];
const startLength = 32;
const headLength = 24;
const pathLimit = 65536;
const bufferSize = 2 * recordLimit;

const contents = ['bytes', 'zeros', 'hole'] as const;
const olds = ['unknown', 'zeros', 'checksums'] as const;

export class RangeFileWriter {
  private readonly buffer = Buffer.alloc(bufferSize);
  private used = 0;
  private written = 0;
  private sum = 0;
  private records = 0;

  constructor(
    private readonly file: HostFile,
    origin: RangeFileOrigin,
  ) {
    const path = Buffer.from(origin.path);
    const start = Buffer.alloc(startLength);
    start.write(startMagic, 'latin1');
    start.writeUInt32LE(kinds.indexOf(origin.kind), 8);
    start.writeUInt32LE(path.length, 12);
    start.writeBigUInt64LE(BigInt(origin.size), 16);
    start.writeBigUInt64LE(origin.modified, 24);
    this.put(start);
    this.put(path);
    this.putSum();
  }

  add({ offset, length, content, old }: RangeRecord): void {
    const kind = typeof content === 'string' ? content : 'bytes';
    const oldKind = old === null ? 'unknown' : old === 'zeros' ? 'zeros' : 'checksums';
    this.putHead(recordMagic, contents.indexOf(kind), olds.indexOf(oldKind), offset, length);
    if (old instanceof Uint32Array) this.put(toLittleEndian(old));
    if (typeof content !== 'string') this.put(content);
    this.putSum();
    this.records++;
  }

  /** Writes the end, without which the file counts as cut short. */
  finish(): void {
    this.putHead(endMagic, 0, 0, this.records, 0);
    this.putSum();
    this.flush();
  }

  private putHead(magic: number, content: number, old: number, a: number, b: number): void {
    const head = Buffer.alloc(headLength);
    head.writeUInt32LE(magic, 0);
    head.writeUInt8(content, 4);
    head.writeUInt8(old, 5);
    head.writeBigUInt64LE(BigInt(a), 8);
    head.writeBigUInt64LE(BigInt(b), 16);
    this.put(head);
  }

  private putSum(): void {
    const sum = Buffer.alloc(4);
    sum.writeUInt32LE(this.sum);
    this.put(sum);
  }

  private put(bytes: Uint8Array): void {
    this.sum = crc32(bytes, this.sum);
    if (this.used + bytes.length > bufferSize) this.flush();
    this.buffer.set(bytes, this.used);
    this.used += bytes.length;
  }

  private flush(): void {
    this.file.write(this.written, this.buffer.subarray(0, this.used));
    this.written += this.used;
    this.used = 0;
  }
}

/**
 * Reads a file of ranges from start to end.
 * @param begin called first, before any range
 * @throws ImageError `corrupt` when it is no such file, or not a whole one; what was visited before
 *   that is then not to be believed
 */
export function readRangeFile(
  file: HostFile,
  begin: (origin: RangeFileOrigin) => void,
  visitor: (record: RangeRecord) => void,
): void {
  const reader = new Reader(file);
  const origin = reader.start();
  begin(origin);
  let previousEnd = 0;
  for (let records = 0; ; records++) {
    const record = reader.next(records);
    if (!record) return;
    const { offset, length } = record;
    if (offset < previousEnd || offset + length > origin.size) throw torn(file);
    previousEnd = offset + length;
    visitor(record);
  }
}

class Reader {
  private readonly buffer = Buffer.alloc(bufferSize);
  private bufferStart = 0;
  private bufferLength = 0;
  private at = 0;
  private sum = 0;

  constructor(private readonly file: HostFile) {}

  start(): RangeFileOrigin {
    const start = this.take(startLength);
    const kind = kinds[start.readUInt32LE(8)];
    const pathLength = start.readUInt32LE(12);
    const size = Number(start.readBigUInt64LE(16));
    const modified = start.readBigUInt64LE(24);
    const isKnown = start.toString('latin1', 0, 8) === startMagic && kind !== undefined;
    if (!isKnown || pathLength > pathLimit) throw torn(this.file);
    const path = this.take(pathLength).toString();
    this.checkSum();
    return { kind, size, modified, path };
  }

  /** @returns null at the end */
  next(recordsBefore: number): RangeRecord | null {
    const head = this.take(headLength);
    const magic = head.readUInt32LE(0);
    const kind = contents[head.readUInt8(4)];
    const oldKind = olds[head.readUInt8(5)];
    const offset = Number(head.readBigUInt64LE(8));
    const length = Number(head.readBigUInt64LE(16));
    if (magic === endMagic && offset === recordsBefore) {
      this.checkSum();
      return null;
    }
    const isLimited = kind === 'bytes' || oldKind !== 'unknown';
    if (magic !== recordMagic || !kind || !oldKind) throw torn(this.file);
    if (length === 0 || (isLimited && length > recordLimit)) throw torn(this.file);
    const old =
      oldKind === 'checksums'
        ? fromLittleEndian(this.take(4 * sectorsOf(offset, length)))
        : oldKind === 'zeros'
          ? oldKind
          : null;
    const content = kind === 'bytes' ? Uint8Array.from(this.take(length)) : kind;
    this.checkSum();
    return { offset, length, content, old };
  }

  private checkSum(): void {
    const expected = this.sum;
    if (this.take(4).readUInt32LE() !== expected) throw torn(this.file);
  }

  /** The next bytes; they stand until the next call. */
  private take(length: number): Buffer {
    if (this.at + length > this.bufferStart + this.bufferLength) {
      this.bufferStart = this.at;
      this.bufferLength = this.file.read(this.at, this.buffer);
      if (length > this.bufferLength) throw torn(this.file);
    }
    const from = this.at - this.bufferStart;
    const bytes = this.buffer.subarray(from, from + length);
    this.sum = crc32(bytes, this.sum);
    this.at += length;
    return bytes;
  }
}

/** How many sectors a range lies in. */
const sectorsOf = (offset: number, length: number) =>
  Math.ceil((offset + length) / sectorSize) - Math.floor(offset / sectorSize);

/** Calls for the parts of a range that lie in one sector each, with places in the range. */
export function visitSectors(
  offset: number,
  length: number,
  visitor: (index: number, from: number, to: number) => void,
): void {
  let from = 0;
  for (let index = 0; from < length; index++) {
    const to = Math.min(length, from + sectorSize - ((offset + from) % sectorSize));
    visitor(index, from, to);
    from = to;
  }
}

/** Checksums of the sectors of a range. @param bytes what the range holds */
export function sectorSums(offset: number, bytes: Uint8Array): Uint32Array {
  const sums = new Uint32Array(sectorsOf(offset, bytes.length));
  visitSectors(offset, bytes.length, (index, from, to) => {
    sums[index] = crc32(bytes.subarray(from, to));
  });
  return sums;
}

function toLittleEndian(numbers: Uint32Array): Uint8Array {
  const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  return isLittleEndian ? bytes : Buffer.from(bytes).swap32();
}

function fromLittleEndian(bytes: Buffer): Uint32Array {
  const numbers = new Uint32Array(bytes.length / 4);
  const target = Buffer.from(numbers.buffer);
  target.set(bytes);
  if (!isLittleEndian) target.swap32();
  return numbers;
}

function torn(file: HostFile): ImageError {
  return new ImageError('corrupt', `${file.path} is damaged, or was not written to its end.`);
}
