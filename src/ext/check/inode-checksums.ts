import { checksumSeed, crc32c } from '../checksums';
import { inodeStructure } from '../inode';
import type { Geometry } from '../superblock';

const { i_generation, i_checksum_lo, i_checksum_hi, i_extra_isize } = inodeStructure.fields;
const goodOldSize = 128;
const prefix = 8; // number and generation, which come before the inode
const prefixWords = prefix / 4;
const lowAt = prefix + i_checksum_lo.offset;
const highAt = prefix + i_checksum_hi.offset;
const leastForHigh = i_checksum_hi.offset + i_checksum_hi.length - goodOldSize;

/** Verifies the checksums of inodes one after the other, without making anything for each. */
export class InodeChecksums {
  private readonly seed: number;
  private readonly bytes: Uint8Array;
  private readonly words: Uint32Array;
  private readonly view: DataView;

  private constructor(geometry: Geometry) {
    this.seed = checksumSeed(geometry);
    this.bytes = new Uint8Array(prefix + geometry.inodeSize);
    this.words = new Uint32Array(this.bytes.buffer);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Null where inodes have no checksums: only Linux writes them. */
  static of(geometry: Geometry): InodeChecksums | null {
    const hasChecksums = geometry.features.has('metadata_csum') && geometry.creator === 'linux';
    return hasChecksums ? new InodeChecksums(geometry) : null;
  }

  /**
   * Also true for an inode of zeros, which was never written.
   * @param words of the piece of a table that the inode lies in
   * @param at the first word of the inode
   */
  match(words: Uint32Array, at: number, number: number): boolean {
    const { view } = this;
    // Word by word: a view of each inode would cost more than its checksum.
    const own = this.words;
    let ones = 0;
    for (let i = prefixWords; i < own.length; i++) {
      const word = words[at + i - prefixWords];
      own[i] = word;
      ones |= word;
    }
    if (ones === 0) return true;
    view.setUint32(0, number, true);
    view.setUint32(4, view.getUint32(prefix + i_generation.offset, true), true);
    const low = view.getUint16(lowAt, true);
    view.setUint16(lowAt, 0);
    const isLong = own.length > prefixWords + goodOldSize / 4;
    const extra = isLong ? view.getUint16(prefix + i_extra_isize.offset, true) : 0;
    if (extra < leastForHigh) return (crc32c(this.seed, this.bytes) & 0xffff) === low;
    const high = view.getUint16(highAt, true);
    view.setUint16(highAt, 0);
    return crc32c(this.seed, this.bytes) === high * 2 ** 16 + low;
  }
}
