import type { Finding } from '../filesystem/finding';
import type { Journal, JournalSummary, JournalTransaction } from '../filesystem/journal';
import type { Progress } from '../filesystem/progress';
import { formatUuid } from '../filesystem/structure';
import { formatTimestamp } from '../filesystem/timestamp';
import { VolumeBytes } from '../image/bytes';
import { ImageError } from '../image/errors';
import { countFastCommits } from './fast-commits';
import { openJournalFile, type JournalFile } from './journal-file';
import { readLog, type JournalLog, type Transaction } from './journal-log';
import { ReplayedBytes } from './journal-replay';
import { primaryOffset } from './superblock';
import { imageOffset, type ExtVolume } from './volume';

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
    return new VolumeBytes(replayed, bytes.offset, bytes.size);
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
    const next = log.transactions.filter(({ committed }) => committed).at(-1)?.sequence;
    const expected = next === undefined ? file.superblock.s_sequence : next + 1;
    const operations = file.hasFastCommits ? countFastCommits(file, expected >>> 0) : 0;
    if (operations > 0) {
      const message = `The fast commits behind the log, ${operations} operations, are not replayed.`;
      notes.push(this.finding('warning', 'journal-fast-commits', message));
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
