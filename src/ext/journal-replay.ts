import type { ImageBytes } from '../image/bytes';
import { checksumStart, crc32c, superblockChecksum } from './checksums';
import type { JournalFile } from './journal-file';
import type { Transaction } from './journal-log';
import { journalMagic, journalSuperblock } from './journal-structures';
import { holdsBlocks, superblock } from './superblock';
import type { ExtVolume } from './volume';
import type { BlockStore } from './volume-writer';

const needsRecovery = 0x4;

/**
 * The image with the journal of one of its volumes replayed. Only where blocks are is held in
 * memory, and what is changed further; their content is read when it is asked for.
 */
export class ReplayedBytes implements ImageBytes, BlockStore {
  readonly size: number;
  /** Where the content of a block lies in the volume instead, in bytes. */
  private readonly moved = new Map<number, number>();
  /** Moved blocks whose first four bytes are the journal's magic number. */
  private readonly escaped = new Set<number>();
  /** Blocks with content of their own. */
  private readonly rewritten = new Map<number, Uint8Array>();

  /** @param transactions the log's transactions; those that are not committed do not count */
  constructor(
    private readonly volume: ExtVolume,
    journal: JournalFile,
    transactions: readonly Transaction[],
  ) {
    this.size = volume.bytes.offset + volume.bytes.present;
    const committed = transactions.filter((transaction) => transaction.committed);
    const revokes = lastRevokes(committed);
    committed.forEach((transaction, order) => this.apply(journal, transaction, order, revokes));
    this.markRecovered();
    this.markEmpty(journal, committed.at(-1));
  }

  read(offset: number, target: Uint8Array): number {
    const { bytes, geometry } = this.volume;
    const start = offset - bytes.offset;
    for (let done = 0; done < target.length;) {
      const inBlock = (start + done) % geometry.blockSize;
      const block = (start + done - inBlock) / geometry.blockSize;
      const length = Math.min(geometry.blockSize - inBlock, target.length - done);
      this.readPart(block, inBlock, target.subarray(done, done + length));
      done += length;
    }
    return Math.max(0, Math.min(target.length, bytes.present - start));
  }

  private readPart(block: number, inBlock: number, target: Uint8Array): void {
    const own = this.rewritten.get(block);
    if (own) {
      target.set(own.subarray(inBlock, inBlock + target.length));
      return;
    }
    const place = this.moved.get(block) ?? block * this.volume.geometry.blockSize;
    this.volume.bytes.read(place + inBlock, target);
    if (inBlock >= 4 || !this.escaped.has(block)) return;
    for (let i = 0; i < Math.min(4 - inBlock, target.length); i++) {
      target[i] = journalMagic >>> (8 * (3 - inBlock - i));
    }
  }

  private apply(
    journal: JournalFile,
    transaction: Transaction,
    order: number,
    revokes: ReadonlyMap<number, number>,
  ): void {
    const { geometry } = this.volume;
    for (const { block, index, escaped, sound } of transaction.logged) {
      const source = journal.blockOf(index);
      if (!sound || source === null || !isPlace(this.volume, block)) continue;
      if ((revokes.get(block) ?? -1) >= order) continue;
      this.moved.set(block, source * geometry.blockSize);
      if (escaped) this.escaped.add(block);
      else this.escaped.delete(block);
    }
  }

  /** What Linux does once the log is replayed: the superblock needs no recovery any more. */
  private markRecovered(): void {
    const { geometry } = this.volume;
    const { view, at } = this.rewrite(geometry.offset);
    const field = superblock.fields.s_feature_incompat;
    const features = field.read(view, at + field.offset);
    superblock.set(view, 's_feature_incompat', features & ~needsRecovery, at);
    if (geometry.features.has('metadata_csum')) {
      const raw = new Uint8Array(view.buffer, at, superblock.size);
      superblock.set(view, 's_checksum', superblockChecksum(raw), at);
    }
  }

  /** And the log is empty; a number is left out, so that nothing in it is taken for its start. */
  private markEmpty(journal: JournalFile, last: Transaction | undefined): void {
    const block = journal.blockOf(0);
    if (block === null) return;
    const { view, at } = this.rewrite(block * this.volume.geometry.blockSize);
    journalSuperblock.set(view, 's_start', 0, at);
    const next = last ? last.sequence + 1 : journal.superblock.s_sequence;
    journalSuperblock.set(view, 's_sequence', (next + 1) >>> 0, at);
    if (!journal.hasBlockChecksums) return;
    journalSuperblock.set(view, 's_checksum', 0, at);
    const raw = new Uint8Array(view.buffer, at, journalSuperblock.size);
    journalSuperblock.set(view, 's_checksum', crc32c(checksumStart, raw), at);
  }

  edit(block: number): DataView {
    let content = this.rewritten.get(block);
    if (!content) {
      content = new Uint8Array(this.volume.geometry.blockSize);
      this.readPart(block, 0, content);
      this.rewritten.set(block, content);
    }
    return new DataView(content.buffer);
  }

  /** The block that holds a byte of the volume, to be changed, and where in it that byte is. */
  private rewrite(offset: number): { view: DataView; at: number } {
    const { blockSize } = this.volume.geometry;
    const at = offset % blockSize;
    return { view: this.edit((offset - at) / blockSize), at };
  }
}

/** Block 0 belongs to no group where blocks are 1 KiB, but a log may hold it. */
function isPlace(volume: ExtVolume, block: number): boolean {
  return block === 0 || holdsBlocks(volume.geometry, block);
}

/** For each revoked block the last transaction, by its order, that revokes it. */
function lastRevokes(transactions: readonly Transaction[]): Map<number, number> {
  const revokes = new Map<number, number>();
  transactions.forEach(({ revoked }, order) => {
    for (const block of revoked) revokes.set(block, order);
  });
  return revokes;
}
