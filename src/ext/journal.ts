import type { Finding } from '../filesystem/finding';
import type { Journal, JournalSummary, JournalTransaction } from '../filesystem/journal';
import type { Progress } from '../filesystem/progress';
import { formatUuid } from '../filesystem/structure';
import { formatTimestamp } from '../filesystem/timestamp';
import { VolumeBytes } from '../image/bytes';
import { ImageError } from '../image/errors';
import { FastCommitReplay } from './fast-commit-replay';
import { readFastCommits, type FastOperation } from './fast-commits';
import { openJournalFile, type JournalFile } from './journal-file';
import { readLog, type JournalLog, type Transaction } from './journal-log';
import { ReplayedBytes } from './journal-replay';
import { openVolume } from './open';
import { primaryOffset } from './superblock';
import { imageOffset, type ExtVolume } from './volume';
import { VolumeWriter } from './volume-writer';

const listedLimit = 10_000; // block numbers in a summary

/** The journal of a volume, as the features of its superblock promise one. */
export class ExtJournal implements Journal {
  constructor(private readonly volume: ExtVolume) {}

  summary(progress?: Progress): JournalSummary {
    const { geometry } = this.volume;
    const needsRecovery = geometry.features.has('needs_recovery');
    try {
      const file = openJournalFile(this.volume);
      const log = readLog(file, progress);
      const { transactions, cut } = summarise(log);
      return {
        needsRecovery,
        place: file.place,
        blocks: file.length,
        blockSize: file.blockSize,
        transactions,
        problems: [...file.problems, ...log.problems, ...this.notes(file, log, cut)],
      };
    } catch (error) {
      if (!(error instanceof ImageError)) throw error;
      return {
        needsRecovery,
        place: this.place,
        blocks: 0,
        blockSize: geometry.blockSize,
        transactions: [],
        problems: [this.finding('error', 'journal-missing', error.message)],
      };
    }
  }

  replayed(progress?: Progress): VolumeBytes {
    const { bytes, geometry } = this.volume;
    if (!geometry.features.has('needs_recovery')) return bytes;
    const file = openJournalFile(this.volume);
    const log = readLog(file, progress);
    if (!file.isSound || !log.replayable) return bytes;
    const replayed = new ReplayedBytes(this.volume, file, log.transactions);
    const result = new VolumeBytes(replayed, bytes.offset, bytes.size);
    const operations = fastCommitsAfter(file, log);
    if (operations.length > 0) {
      const { opened } = openVolume(result);
      new FastCommitReplay(new VolumeWriter(opened, replayed), operations).run();
    }
    return result;
  }

  private get place(): string {
    const { s_journal_inum, s_journal_uuid } = this.volume.geometry.values;
    if (s_journal_inum !== 0) return `inode ${s_journal_inum}`;
    return `device ${formatUuid(s_journal_uuid)}`;
  }

  private notes(file: JournalFile, log: JournalLog, cut: boolean): Finding[] {
    const notes: Finding[] = [];
    const note = (code: string, message: string) => notes.push(this.finding('note', code, message));
    if (!file.isSound || !log.replayable)
      note('journal-not-replayed', 'Nothing of the log is replayed.');
    const operations = fastCommitsAfter(file, log).length;
    if (operations > 0) {
      const message = `The log is followed by fast commits, ${operations} operations in all.`;
      note('journal-fast-commits', message);
    }
    if (cut) note('journal-cut', 'Not all block numbers of the log are listed.');
    return notes;
  }

  private finding(severity: Finding['severity'], code: string, message: string): Finding {
    const { geometry } = this.volume;
    const offset = imageOffset(this.volume, 0) + (geometry.offset || primaryOffset);
    return { code, severity, message, offset, length: 1024, fixable: false };
  }
}

/** Fast commits belong to the transaction after the last one of the log. */
function fastCommitsAfter(file: JournalFile, log: JournalLog): FastOperation[] {
  if (!file.hasFastCommits) return [];
  const last = log.transactions.filter(({ committed }) => committed).at(-1);
  const next = last ? last.sequence + 1 : file.superblock.s_sequence;
  return readFastCommits(file, next >>> 0);
}

function summarise(log: JournalLog): { transactions: JournalTransaction[]; cut: boolean } {
  let left = listedLimit;
  let cut = false;
  const take = (numbers: readonly number[]) => {
    const taken = numbers.slice(0, left);
    left -= taken.length;
    cut ||= taken.length < numbers.length;
    return taken;
  };
  const transactions = log.transactions.map((transaction: Transaction) => ({
    sequence: transaction.sequence,
    start: transaction.start,
    blocks: take(transaction.logged.map(({ block }) => block)),
    revoked: take(transaction.revoked),
    committed: transaction.committed,
    time: transaction.time && formatted(transaction.time),
  }));
  return { transactions, cut };
}

const latestDate = 8.64e12; // seconds, the limit of Date

function formatted(time: { seconds: number; nanoseconds: number }): string | null {
  if (time.seconds === 0 || time.seconds > latestDate) return null;
  const nanoseconds = time.nanoseconds < 1e9 ? time.nanoseconds : 0;
  return formatTimestamp({ seconds: time.seconds, nanoseconds });
}
