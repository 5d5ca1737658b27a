import type { Problem } from '../../filesystem/check';
import { directoryProblems } from './directory-problems';
import { inodeProblems } from './inode-problems';
import type { ProblemRow } from './problem-row';
import { volumeProblems } from './volume-problems';

const rows = { ...volumeProblems, ...inodeProblems, ...directoryProblems };

export type ProblemCode = keyof typeof rows;

export const problemRows: Readonly<Record<ProblemCode, ProblemRow>> = rows;

/** Codes are unique over all families of filesystems. */
export function publicCode(code: ProblemCode): string {
  return `ext-${code}`;
}

/** All that a check of ext2, ext3 and ext4 can find. */
export const extProblems: readonly Problem[] = (Object.keys(rows) as ProblemCode[]).map((code) => ({
  ...problemRows[code],
  code: publicCode(code),
}));
