import { crc32c } from '../../../src/ext/checksums';
import { commitBlock, journalSuperblock, revokeHeader } from '../../../src/ext/journal-structures';
import type { HandMade } from './hand-made';
import { extentLeaves, extentsFlag } from './hand-made';

const magic = 0xc03b3998;
const journalInode = 8;

export interface HandTag {
  /** Block of the volume. */
  readonly block: number;
  readonly content: Uint8Array;
}

/** A journal without checksums in blocks side by side, written by hand from its start. */
export class HandMadeJournal {
  /** First block of the journal on the volume. */
  readonly start: number;
  private index = 1;
  private sequence = 7;

  constructor(
    readonly image: HandMade,
    readonly length = 32,
  ) {
    this.start = image.next;
    image.next += length;
    image.usedUpTo(image.next);
    image.setSuperblock({
      s_feature_compat: 0x4,
      s_feature_incompat: 0x2 | 0x4 | 0x40,
      s_journal_inum: journalInode,
    });
    image.setInode(journalInode, {
      i_mode: 0o100600,
      i_links_count: 1,
      i_flags: extentsFlag,
      i_size_lo: length * image.blockSize,
      i_block: extentLeaves([{ logical: 0, physical: this.start, length }]),
    });
    this.set({
      h_magic: magic,
      h_blocktype: 4,
      s_blocksize: image.blockSize,
      s_maxlen: length,
      s_first: 1,
      s_sequence: this.sequence,
      s_start: 1,
      s_feature_incompat: 1,
    });
  }

  set(fields: Record<string, number>): void {
    const view = new DataView(this.image.bytes.buffer);
    for (const [name, value] of Object.entries(fields)) {
      const field = name as keyof typeof journalSuperblock.fields;
      journalSuperblock.set(view, field, value as never, this.start * this.image.blockSize);
    }
  }

  /** Where a block of the journal starts in the image, in bytes. */
  placeOf(index: number): number {
    return (this.start + index) * this.image.blockSize;
  }

  /** A descriptor block, and the new content behind it. @returns index of the descriptor */
  log(tags: readonly HandTag[]): number {
    const index = this.head(1);
    let at = this.placeOf(index) + 12;
    const { view, blockSize, bytes } = this.image;
    tags.forEach(({ block, content }, i) => {
      const escaped = new DataView(content.buffer).getUint32(0) === magic;
      const flags = (escaped ? 1 : 0) | (i > 0 ? 2 : 0) | (i === tags.length - 1 ? 8 : 0);
      view.setUint32(at, block);
      view.setUint16(at + 6, flags);
      at += i > 0 ? 8 : 8 + 16;
      const place = this.placeOf(this.next());
      bytes.set(content.subarray(0, blockSize), place);
      if (escaped) bytes.fill(0, place, place + 4);
    });
    return index;
  }

  revoke(blocks: readonly number[]): number {
    const index = this.head(5);
    const { view } = this.image;
    const at = this.placeOf(index);
    revokeHeader.set(view, 'r_count', 16 + 4 * blocks.length, at);
    blocks.forEach((block, i) => view.setUint32(at + 16 + 4 * i, block));
    return index;
  }

  /** Ends the transaction. @param seconds when, since 1970 */
  commit(seconds: number): number {
    const index = this.head(2);
    commitBlock.set(this.image.view, 'h_commit_sec', seconds, this.placeOf(index));
    this.sequence += 1;
    return index;
  }

  /**
   * Keeps the last blocks for fast commits, and writes one there: entries of [kind, value], then
   * a tail that makes them count.
   */
  fastCommit(blocks: number, entries: readonly (readonly [number, Uint8Array])[]): void {
    this.set({ s_feature_incompat: 0x21, s_num_fc_blks: blocks });
    const start = this.placeOf(this.length - blocks + 1);
    let at = start;
    let checksum = 0;
    const put = (tag: number, value: Uint8Array, checked = value.length) => {
      this.image.view.setUint16(at, tag, true);
      this.image.view.setUint16(at + 2, value.length, true);
      this.image.bytes.set(value, at + 4);
      checksum = crc32c(checksum, this.image.bytes.subarray(at, at + 4 + checked));
      at += 4 + value.length;
    };
    put(9, words(0, this.sequence));
    for (const [tag, value] of entries) put(tag, value);
    put(8, words(this.sequence, 0), 4);
    this.image.view.setUint32(at - 4, checksum, true);
  }

  /** Goes on at another block, as a log does that has gone round. */
  goOnAt(index: number): void {
    this.index = index;
  }

  private head(type: number): number {
    const index = this.next();
    const at = this.placeOf(index);
    this.image.view.setUint32(at, magic);
    this.image.view.setUint32(at + 4, type);
    this.image.view.setUint32(at + 8, this.sequence);
    return index;
  }

  private next(): number {
    const index = this.index;
    this.index = index + 1 < this.length ? index + 1 : 1;
    return index;
  }
}

/** Little-endian numbers of 32 bits. */
export function words(...values: number[]): Uint8Array {
  const bytes = new Uint8Array(4 * values.length);
  values.forEach((value, i) => new DataView(bytes.buffer).setUint32(4 * i, value, true));
  return bytes;
}
