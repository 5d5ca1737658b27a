import type { Problem } from '../../filesystem/check';

/** A row of the table without its code, which is its key. */
export type ProblemRow = Omit<Problem, 'code'>;

/** What e2fsck asks to repair, and counts as an error until that is done. */
export function error(title: string, explanation: string): ProblemRow {
  return { severity: 'error', title, explanation, fixable: true };
}

/** What is legal, or what e2fsck tells of and does not count. */
export function warning(title: string, explanation: string): ProblemRow {
  return { severity: 'warning', title, explanation, fixable: true };
}

export function note(title: string, explanation: string): ProblemRow {
  return { severity: 'note', title, explanation, fixable: true };
}

/** What nobody repairs without being told how. */
export function beyondRepair(row: ProblemRow): ProblemRow {
  return { ...row, fixable: false };
}

/** What makes it dangerous to take or to free further blocks and inodes. */
export function endangering(row: ProblemRow): ProblemRow {
  return { ...row, endangers: true };
}
