import { readView } from '../../image/bytes';
import { inodeTableBlocks } from '../groups';
import { holdsBlocks } from '../superblock';
import type { ExtVolume } from '../volume';
import type { GroupColumns } from './group-columns';
import { InodeCursor } from './inode-cursor';

/** Read at a time, in bytes. */
const pieceSize = 256 * 1024;

const never = () => false;

/** Reads inode tables group by group, and single inodes. */
export class InodeTableReader {
  private readonly piece = new Uint8Array(pieceSize);
  private readonly words = new Uint32Array(this.piece.buffer);
  private readonly view = new DataView(this.piece.buffer);

  constructor(
    private readonly volume: ExtVolume,
    private readonly groups: GroupColumns,
  ) {}

  /** Whether the table of a group lies within the volume. */
  hasTable(group: number): boolean {
    const { geometry } = this.volume;
    const start = this.groups.inodeTable[group];
    return start > 0 && holdsBlocks(geometry, start, inodeTableBlocks(geometry));
  }

  /**
   * Visits the inodes of a group that may be in use. The cursor is moved on afterwards, over the
   * same memory: nothing of it is to be kept, and no other visit starts meanwhile.
   * @param passOver is shown the words of the inode first, and says whether that is all
   */
  visit(
    group: number,
    visit: (inode: InodeCursor) => void,
    passOver: (words: Uint32Array, at: number, number: number) => boolean = never,
  ): void {
    if (!this.hasTable(group)) return;
    const { bytes, geometry } = this.volume;
    const { blockSize, inodeSize, inodesPerGroup } = geometry;
    const end = Math.min(this.groups.usableInodes(group), geometry.inodes - group * inodesPerGroup);
    const table = this.groups.inodeTable[group] * blockSize;
    const cursor = new InodeCursor(this.volume);
    const perPiece = pieceSize / inodeSize;
    for (let first = 0; first < end; first += perPiece) {
      const count = Math.min(perPiece, end - first);
      const offset = table + first * inodeSize;
      if (offset >= bytes.present) return;
      bytes.read(offset, this.piece.subarray(0, count * inodeSize));
      const number = group * inodesPerGroup + first + 1;
      const place = bytes.offset + offset;
      for (let i = 0; i < count; i++) {
        if (passOver(this.words, (i * inodeSize) / 4, number + i)) continue;
        cursor.move(number + i, this.view, i * inodeSize, place + i * inodeSize);
        visit(cursor);
      }
    }
  }

  /** Where an inode starts in the volume, in bytes; null where its table is not in it. */
  offset(number: number): number | null {
    const { geometry } = this.volume;
    const group = Math.floor((number - 1) / geometry.inodesPerGroup);
    if (number < 1 || group >= this.groups.count || !this.hasTable(group)) return null;
    const index = (number - 1) % geometry.inodesPerGroup;
    return this.groups.inodeTable[group] * geometry.blockSize + index * geometry.inodeSize;
  }

  /** The bytes of one inode; null where its table is not in the volume. */
  inode(number: number): DataView | null {
    const offset = this.offset(number);
    if (offset === null) return null;
    return readView(this.volume.bytes, offset, this.volume.geometry.inodeSize);
  }

  /** A cursor of its own on one inode; null where its table is not in the volume. */
  cursor(number: number): InodeCursor | null {
    const offset = this.offset(number);
    const view = this.inode(number);
    if (offset === null || view === null) return null;
    const cursor = new InodeCursor(this.volume);
    cursor.move(number, view, 0, this.volume.bytes.offset + offset);
    return cursor;
  }
}
