import { checksumSeed, crc32c } from '../checksums';
import { inodeStructure } from '../inode';
import type { Geometry } from '../superblock';
import type { InodeCursor } from './inode-cursor';

const { i_generation, i_checksum_lo, i_checksum_hi, i_extra_isize } = inodeStructure.fields;
const goodOldSize = 128;
const prefix = 8; // number and generation, which come before the inode

/** Verifies the checksums of inodes one after the other, without making anything for each. */
export class InodeChecksums {
  private readonly seed: number;
  private readonly bytes: Uint8Array;
  private readonly words: Uint32Array;
  private readonly view: DataView;

  constructor(geometry: Geometry) {
    this.seed = checksumSeed(geometry);
    this.bytes = new Uint8Array(prefix + geometry.inodeSize);
    this.words = new Uint32Array(this.bytes.buffer);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Also true for an inode of zeros, which was never written. */
  match(inode: InodeCursor): boolean {
    const { bytes, view } = this;
    const size = bytes.length - prefix;
    if (inode.mode === 0 && inode.links === 0 && isZero(inode, size)) return true;
    // Word by word: a view of each inode would cost more than its checksum.
    inode.copyWords(this.words, prefix / 4);
    view.setUint32(0, inode.number, true);
    view.setUint32(4, inode.u32(i_generation.offset), true);
    view.setUint16(prefix + i_checksum_lo.offset, 0);
    const extra = size > goodOldSize ? inode.u16(i_extra_isize.offset) : 0;
    const isWide = goodOldSize + extra >= i_checksum_hi.offset + i_checksum_hi.length;
    if (isWide) view.setUint16(prefix + i_checksum_hi.offset, 0);
    const checksum = crc32c(this.seed, bytes);
    if ((checksum & 0xffff) !== inode.u16(i_checksum_lo.offset)) return false;
    return !isWide || checksum >>> 16 === inode.u16(i_checksum_hi.offset);
  }
}

function isZero(inode: InodeCursor, size: number): boolean {
  for (let at = 0; at < size; at += 4) if (inode.u32(at) !== 0) return false;
  return true;
}
