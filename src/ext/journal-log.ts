import type { Finding } from '../filesystem/finding';
import { noProgress, type Progress } from '../filesystem/progress';
import { checksumStart, crc32c } from './checksums';
import type { JournalFile } from './journal-file';
import {
  commitBlock,
  journalBlockTypes,
  journalHeader,
  journalMagic,
  revokeHeader,
  tagFlags,
} from './journal-structures';

/** A block of the volume that a transaction rewrites. */
export interface LoggedBlock {
  /** Block of the volume. */
  readonly block: number;
  /** Block of the journal that holds the new content. */
  readonly index: number;
  /** The content starts with the journal's magic number, which was taken out of it. */
  readonly escaped: boolean;
  /** False where the content does not match its checksum: it is not written. */
  readonly sound: boolean;
}

export interface Transaction {
  readonly sequence: number;
  /** First block in the journal. */
  readonly start: number;
  readonly logged: readonly LoggedBlock[];
  /** Blocks of the volume that earlier transactions must not rewrite. */
  readonly revoked: readonly number[];
  readonly committed: boolean;
  /** Seconds and nanoseconds since 1970; null where it was not committed. */
  readonly time: { readonly seconds: number; readonly nanoseconds: number } | null;
  /** The blocks of the journal that hold no content: descriptors, revokes, commit. */
  readonly controls: readonly number[];
}

export interface JournalLog {
  /** In the order of the log; the last one may not be committed. */
  readonly transactions: readonly Transaction[];
  /** False where the log is damaged before its end: then nothing of it is replayed. */
  readonly replayable: boolean;
  readonly problems: readonly Finding[];
}

/** Reads the log from where the journal's superblock says that it starts. */
export function readLog(journal: JournalFile, progress: Progress = noProgress): JournalLog {
  return new LogReader(journal, progress).read();
}

const headerSize = 12;
const identitySize = 16;
const blocksPerReport = 1024;
/** Far above what a journal of 1 GiB, the largest that mke2fs makes by itself, can hold. */
const loggedLimit = 2 ** 20;

/** Follows the steps of `do_one_pass` in fs/jbd2/recovery.c of Linux. */
class LogReader {
  private readonly transactions: Transaction[] = [];
  private readonly problems: Finding[] = [];
  private index: number;
  private left: number;
  private loggedCount = 0;
  private replayable = true;
  private lastCommit = 0;

  private start = 0;
  private logged: LoggedBlock[] = [];
  private revoked: number[] = [];
  private controls: number[] = [];
  private checksum = checksumStart;
  /** A block without a valid checksum: stale, or the sign of damage when a commit follows. */
  private doubtful: string | null = null;

  constructor(
    private readonly journal: JournalFile,
    private readonly progress: Progress,
  ) {
    this.index = journal.superblock.s_start;
    this.left = journal.end - journal.first;
  }

  read(): JournalLog {
    const { first, end, superblock } = this.journal;
    if (this.index >= first && this.index < end) {
      for (let sequence = superblock.s_sequence; ; sequence = (sequence + 1) >>> 0) {
        if (!this.readTransaction(sequence)) break;
      }
    } else if (this.index !== 0) {
      this.replayable = false;
      this.report('journal-start', `The log is said to start in block ${this.index}.`, 0, 28, 4);
    }
    return {
      transactions: this.transactions,
      replayable: this.replayable,
      problems: this.problems,
    };
  }

  /** @returns whether another transaction may follow */
  private readTransaction(sequence: number): boolean {
    this.start = this.index;
    this.logged = [];
    this.revoked = [];
    this.controls = [];
    for (;;) {
      const at = this.index;
      const view = this.next();
      if (!view) return this.abandon(sequence);
      const header = journalHeader.read(view);
      if (header.h_magic !== journalMagic || header.h_sequence !== sequence) {
        return this.abandon(sequence);
      }
      this.controls.push(at);
      switch (header.h_blocktype) {
        case journalBlockTypes.descriptor:
          this.readDescriptor(view, at, sequence);
          break;
        case journalBlockTypes.revoke:
          this.readRevokes(view, at);
          break;
        case journalBlockTypes.commit:
          return this.commit(view, at, sequence);
        default:
          return this.abandon(sequence);
      }
    }
  }

  /** A transaction without a commit is one that was interrupted; it does not count. */
  private abandon(sequence: number): false {
    if (this.controls.length > 0) this.add(sequence, null);
    return false;
  }

  private add(sequence: number, time: Transaction['time']): void {
    const { start, logged, revoked, controls } = this;
    const committed = time !== null;
    this.transactions.push({ sequence, start, logged, revoked, committed, time, controls });
  }

  /** The next block of the log; null where the log has gone round once. */
  private next(): DataView | null {
    if (this.left === 0) return null;
    if (this.left % blocksPerReport === 0) {
      const total = this.journal.end - this.journal.first;
      this.progress.report(total - this.left, total);
    }
    this.left -= 1;
    const view = this.journal.read(this.index);
    this.index += 1;
    if (this.index >= this.journal.end) this.index = this.journal.first;
    return view;
  }

  private readDescriptor(view: DataView, at: number, sequence: number): void {
    const { journal } = this;
    if (!this.blockIsSound(view)) this.doubtful ??= `the descriptor in block ${at}`;
    if (journal.checksum1) this.checksum = crc32(this.checksum, bytesOf(view));
    const tail = journal.hasBlockChecksums ? 4 : 0;
    const size = tagSize(journal);
    for (let place = headerSize; place + size <= view.byteLength - tail;) {
      const tag = readTag(journal, view, place);
      const index = this.index;
      const content = this.next();
      if (!content) return;
      if (journal.checksum1) this.checksum = crc32(this.checksum, bytesOf(content));
      const sound = this.contentIsSound(content, tag.checksum, sequence);
      const escaped = (tag.flags & tagFlags.escaped) !== 0;
      if (!this.hasRoom(at)) return;
      this.logged.push({ block: tag.block, index, escaped, sound });
      if (!sound) {
        const message = `The log's content of block ${tag.block} does not match its checksum.`;
        this.report('journal-checksum', message, index, 0, view.byteLength);
      }
      if ((tag.flags & tagFlags.last) !== 0) return;
      place += size + ((tag.flags & tagFlags.sameIdentity) !== 0 ? 0 : identitySize);
    }
  }

  private hasRoom(at: number): boolean {
    this.loggedCount += 1;
    if (this.loggedCount <= loggedLimit) return true;
    this.replayable = false;
    this.left = 0;
    const message = `The log has more than ${loggedLimit} entries; what follows is left out.`;
    this.report('journal-too-long', message, at, 0, journalHeader.size);
    return false;
  }

  private readRevokes(view: DataView, at: number): void {
    const { journal } = this;
    if (!this.blockIsSound(view)) this.doubtful ??= `the revoke block ${at}`;
    const count = revokeHeader.read(view).r_count;
    if (count > view.byteLength - (journal.hasBlockChecksums ? 4 : 0)) {
      this.replayable = false;
      const message = `Revoke block ${at} of the journal claims ${count} bytes.`;
      this.report('journal-revoke', message, at, 12, 4);
      return;
    }
    const size = journal.isWide ? 8 : 4;
    for (let place = revokeHeader.size; place + size <= count; place += size) {
      if (!this.hasRoom(at)) return;
      this.revoked.push(journal.isWide ? Number(view.getBigUint64(place)) : view.getUint32(place));
    }
  }

  private commit(view: DataView, at: number, sequence: number): boolean {
    const { h_commit_sec, h_commit_nsec, ...values } = commitBlock.read(view);
    const isStale = h_commit_sec < this.lastCommit;
    const doubtful = this.doubtful ?? this.commitDoubt(view, values);
    if (doubtful !== null && isStale) return this.abandon(sequence); // of an older journal
    // Linux gives up on the whole log when a block before the commit is damaged.
    if (this.doubtful !== null) this.replayable = false;
    if (doubtful !== null) {
      const message =
        `Transaction ${sequence} of the journal is not replayed: ` +
        `the checksum of ${doubtful} does not match.`;
      this.report('journal-checksum', message, at, 0, commitBlock.size);
      return this.abandon(sequence);
    }
    this.checksum = checksumStart;
    this.lastCommit = h_commit_sec;
    this.add(sequence, { seconds: h_commit_sec, nanoseconds: h_commit_nsec });
    return true;
  }

  /** What has a checksum that does not match, null where all is well. */
  private commitDoubt(
    view: DataView,
    commit: { h_chksum_type: number; h_chksum_size: number; h_chksum: number },
  ): string | null {
    if (this.journal.hasBlockChecksums) {
      const blank = bytesOf(view).slice();
      blank.fill(0, 16, 20);
      return crc32c(this.journal.seed, blank) === commit.h_chksum ? null : 'its commit block';
    }
    if (!this.journal.checksum1) return null;
    const { h_chksum_type, h_chksum_size, h_chksum } = commit;
    const isAbsent = h_chksum_type === 0 && h_chksum_size === 0 && h_chksum === 0;
    const matches = h_chksum_type === 1 && h_chksum_size === 4 && h_chksum === this.checksum;
    return isAbsent || matches ? null : 'its blocks';
  }

  /** The checksum of descriptors and revoke blocks stands in their last four bytes. */
  private blockIsSound(view: DataView): boolean {
    if (!this.journal.hasBlockChecksums) return true;
    const blank = bytesOf(view).slice();
    const at = view.byteLength - 4;
    blank.fill(0, at);
    return crc32c(this.journal.seed, blank) === view.getUint32(at);
  }

  private contentIsSound(content: DataView, checksum: number, sequence: number): boolean {
    const { journal } = this;
    if (!journal.hasBlockChecksums) return true;
    const number = Uint8Array.of(sequence >>> 24, sequence >>> 16, sequence >>> 8, sequence);
    const expected = crc32c(crc32c(journal.seed, number), bytesOf(content));
    return checksum === (journal.checksum3 ? expected : expected & 0xffff);
  }

  private report(code: string, message: string, index: number, at: number, length: number): void {
    const offset = this.journal.placeOf(index) + at;
    this.problems.push({ code, severity: 'error', message, offset, length, fixable: true });
  }
}

interface Tag {
  readonly block: number;
  readonly flags: number;
  readonly checksum: number;
}

/** As `journal_tag_bytes` of Linux, two bytes of which checksums v2 never use. */
export function tagSize(journal: JournalFile): number {
  if (journal.checksum3) return 16;
  return 8 + (journal.checksum2 ? 2 : 0) + (journal.isWide ? 4 : 0);
}

export function readTag(journal: JournalFile, view: DataView, at: number): Tag {
  const low = view.getUint32(at);
  const high = journal.isWide ? view.getUint32(at + 8) : 0;
  return journal.checksum3
    ? {
        block: low + high * 2 ** 32,
        flags: view.getUint32(at + 4),
        checksum: view.getUint32(at + 12),
      }
    : {
        block: low + high * 2 ** 32,
        flags: view.getUint16(at + 6),
        checksum: view.getUint16(at + 4),
      };
}

function bytesOf(view: DataView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

const crc32Table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit++) value = value < 0 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value;
});

/** Continues a CRC-32 that takes the high bit first (`crc32_be` of Linux). */
export function crc32(checksum: number, bytes: Uint8Array): number {
  let value = checksum;
  for (const byte of bytes) value = (value << 8) ^ crc32Table[(value >>> 24) ^ byte];
  return value >>> 0;
}
