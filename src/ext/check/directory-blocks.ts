import { attributeMagic, isInlineDataEntry } from '../attributes';
import type { CheckContext } from './context';
import type { DirectoryFacts } from './directory-list';
import type { InodeCursor } from './inode-cursor';
import type { RecordRoom } from './record-room';

const blocksAtOnce = 64;

/** Who is shown the blocks of a directory. */
export interface BlockVisitor {
  /** The room is used again afterwards: nothing of it is to be kept. */
  block(directory: DirectoryFacts, room: RecordRoom): void;
  /** @param logical the block of the directory that is not there */
  hole(directory: DirectoryFacts, logical: number): void;
}

/** Reads directories block by block, neighbours together, and always into the same memory. */
export class DirectoryBlocks {
  private readonly piece: Uint8Array;
  private readonly rooms: RecordRoom[];

  constructor(private readonly context: CheckContext) {
    const { blockSize } = context.volume.geometry;
    const piece = new Uint8Array(blocksAtOnce * blockSize);
    this.piece = piece;
    this.rooms = Array.from({ length: blocksAtOnce }, (_, block) => {
      const bytes = piece.subarray(block * blockSize, (block + 1) * blockSize);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      return { bytes, view, place: 0, logical: 0, isLeaf: true };
    });
  }

  visit(directory: DirectoryFacts, visitor: BlockVisitor): void {
    const { directories } = this.context;
    for (let i = directory.firstRun; i < directory.endRun; i++) {
      const { logical, physical, length } = directories.run(i);
      if (physical === 0) visitor.hole(directory, logical);
      else this.visitRun(directory, logical, physical, length, visitor);
    }
  }

  private visitRun(
    directory: DirectoryFacts,
    logical: number,
    physical: number,
    length: number,
    visitor: BlockVisitor,
  ): void {
    const { volume, progress } = this.context;
    const { blockSize } = volume.geometry;
    for (let done = 0; done < length; done += blocksAtOnce) {
      if (done > 0) progress.stay();
      const count = Math.min(blocksAtOnce, length - done);
      const offset = (physical + done) * blockSize;
      volume.bytes.read(offset, this.piece.subarray(0, count * blockSize));
      for (let block = 0; block < count; block++) {
        const room = this.rooms[block];
        room.place = volume.bytes.offset + offset + block * blockSize;
        room.logical = logical + done + block;
        room.isLeaf = true;
        visitor.block(directory, room);
      }
    }
  }
}

/**
 * The two runs of records that an inode keeps. Neither has records for `.` and `..`, so both are
 * like later blocks.
 */
export function inlineRooms(inode: InodeCursor): RecordRoom[] {
  const { raw } = inode;
  const start = inode.blockPlace - inode.place;
  const rest = inlineRest(raw);
  const parts = [{ at: start + 4, length: 56 }, ...(rest ? [rest] : [])];
  return parts.map(({ at, length }, i) => {
    const bytes = raw.subarray(at, at + length);
    const view = new DataView(bytes.buffer, bytes.byteOffset, length);
    return { bytes, view, place: inode.place + at, logical: i + 1, isLeaf: true };
  });
}

/** Where the value of `system.data` lies in an inode. */
function inlineRest(raw: Uint8Array): { at: number; length: number } | null {
  const view = new DataView(raw.buffer, raw.byteOffset, raw.length);
  if (raw.length <= 128) return null;
  const start = 128 + view.getUint16(128, true);
  if (start + 4 > raw.length || view.getUint32(start, true) !== attributeMagic) return null;
  const first = start + 4;
  for (let at = first; at + 16 <= raw.length && view.getUint32(at, true) !== 0;) {
    const nameLength = raw[at];
    const offset = view.getUint16(at + 2, true);
    const length = view.getUint32(at + 8, true);
    if (isInlineDataEntry(view, at) && first + offset + length <= raw.length) {
      return length > 0 ? { at: first + offset, length } : null;
    }
    at += (16 + nameLength + 3) & ~3;
  }
  return null;
}
