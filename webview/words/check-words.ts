/** How checks and their findings are called. */
import type { CheckFinding, Severity, VolumeSummary } from '../../src/protocol/requests';
import type { CheckProgress } from '../checks/volume-checks';
import { formatAmount, formatCount, formatShare } from './formats';
import { visibleText } from './names';

export const severityLooks: Readonly<
  Record<Severity, { readonly icon: string; readonly one: string; readonly many: string }>
> = {
  error: { icon: 'error', one: 'error', many: 'Errors' },
  warning: { icon: 'warning', one: 'warning', many: 'Warnings' },
  note: { icon: 'info', one: 'note', many: 'Notes' },
};

/** What a finding belongs to; empty where that is the volume as a whole. */
export function whereOf({ path, inode, cluster }: CheckFinding): string {
  if (path !== undefined) return visibleText(path);
  if (inode !== undefined) return `inode ${formatCount(inode)}`;
  return cluster === undefined ? '' : `cluster ${formatCount(cluster)}`;
}

/** `Checking… 42 %` */
export function progressOf({ done, total }: CheckProgress): string {
  return total > 0 ? `Checking… ${formatShare(done, total)}` : 'Checking…';
}

/** What a check of a volume goes through. */
export function checkedParts({ inodes }: VolumeSummary): string {
  return inodes === null
    ? 'the boot sector and its copy, every copy of the FAT, the chain of every file, every directory with its long and short names, and what no file owns'
    : 'the superblock and its copies, the group descriptors and bitmaps, every inode with its blocks, attributes and checksums, every directory with its links, the journal, and what nothing leads to';
}

/** `141 kinds of problems` */
export function kindsOf(count: number): string {
  return formatAmount(count, 'kind of problem', 'kinds of problems');
}
