import { crc32c, inodeSeed } from './checksums';
import type { DirectoryPart } from './directory';
import type { Inode } from './inode';
import { encodeRecordLength, recordMinimum, type BlockRecord, type RecordRules } from './records';
import type { Geometry } from './superblock';
import { bytesOf, type VolumeWriter } from './volume-writer';

const tailSize = 12;

/** A name that is to lead to an inode. */
export interface NewRecord {
  readonly inode: number;
  readonly name: Uint8Array;
  /** As records hold it; 0 where they hold none. */
  readonly fileType: number;
}

/** The longest record that a block has room for, in bytes. @param records all of the block */
export function roomIn(records: readonly BlockRecord[]): number {
  return records.reduce((room, record) => Math.max(room, roomOf(record)), 0);
}

function roomOf(record: BlockRecord): number {
  if (isUnused(record)) return record.recLen;
  return record.state === 'live' ? record.slack : 0;
}

function isUnused({ state }: BlockRecord): boolean {
  return state === 'empty' || state === 'deleted';
}

/**
 * Adds a name to a block where a record is unused and long enough, or leaves enough of its bytes.
 * @param records all of the block
 * @returns false where there is no room
 */
export function insertInto(
  view: DataView,
  records: readonly BlockRecord[],
  record: NewRecord,
  rules: RecordRules,
): boolean {
  const needed = recordMinimum(record.name.length + (rules.hasHash ? 8 : 0));
  const found = records.find((candidate) => roomOf(candidate) >= needed);
  if (!found) return false;
  const at = isUnused(found) ? found.offset : found.offset + found.minimum;
  if (at > found.offset) setLength(view, found.offset, found.minimum, rules);
  writeRecord(view, at, record, found.offset + found.recLen - at, rules);
  return true;
}

/**
 * Removes a record from its block: the one before it takes its bytes over, or where it is the
 * first, it loses its inode.
 */
export function removeFrom(
  view: DataView,
  record: BlockRecord,
  before: BlockRecord | undefined,
  rules: RecordRules,
): void {
  if (before) setLength(view, before.offset, before.recLen + record.recLen, rules);
  else view.setUint32(record.offset, 0, true);
}

/**
 * Writes the records of a block, the last of them up to its end, or a tail where blocks have
 * checksums; without any record, one that is unused.
 */
export function writeChain(
  view: DataView,
  geometry: Geometry,
  inode: Inode,
  records: readonly NewRecord[],
  rules: RecordRules,
): void {
  const hasTail = geometry.features.has('metadata_csum');
  const end = view.byteLength - (hasTail ? tailSize : 0);
  bytesOf(view).fill(0);
  let at = 0;
  const all = records.length > 0 ? records : [{ inode: 0, name: new Uint8Array(0), fileType: 0 }];
  all.forEach((record, i) => {
    const length = i + 1 < all.length ? recordMinimum(record.name.length) : end - at;
    writeRecord(view, at, record, length, rules);
    at += length;
  });
  if (!hasTail) return;
  view.setUint16(end + 4, tailSize, true);
  view.setUint8(end + 7, 0xde);
  sealBlock(view, geometry, inode);
}

/** Changes a part of a directory with what has to follow: the checksum at its end. */
export function editPart(
  writer: VolumeWriter,
  inode: Inode,
  part: DirectoryPart,
  change: (view: DataView) => void,
): void {
  const { geometry } = writer.volume;
  if (part.block === null) {
    writer.editInode(inode.number, (raw) => {
      const at = part.place - inode.place;
      change(new DataView(raw.buffer, raw.byteOffset + at, part.length));
    });
    return;
  }
  const view = writer.block(part.block);
  change(view);
  if (geometry.features.has('metadata_csum')) sealBlock(view, geometry, inode);
}

/** The last record of a block with checksums holds that of all before it. */
function sealBlock(view: DataView, geometry: Geometry, inode: Inode): void {
  const tailAt = view.byteLength - tailSize;
  if (view.getUint16(tailAt + 4, true) !== tailSize || view.getUint8(tailAt + 7) !== 0xde) return;
  const seed = inodeSeed(geometry, inode.number, inode.generation);
  view.setUint32(tailAt + 8, crc32c(seed, bytesOf(view).subarray(0, tailAt)), true);
}

function writeRecord(
  view: DataView,
  at: number,
  { inode, name, fileType }: NewRecord,
  length: number,
  rules: RecordRules,
): void {
  view.setUint32(at, inode, true);
  setLength(view, at, length, rules);
  if (rules.hasFileType) {
    view.setUint8(at + 6, name.length);
    view.setUint8(at + 7, fileType);
  } else {
    view.setUint16(at + 6, name.length, true);
  }
  bytesOf(view).set(name, at + 8);
}

function setLength(view: DataView, at: number, length: number, rules: RecordRules): void {
  view.setUint16(at + 4, encodeRecordLength(length, rules.blockSize), true);
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
