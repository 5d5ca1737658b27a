import { CheckReportBuilder, type FindingPlace } from '../../filesystem/check-report';
import { directoryProblems } from './directory-problems';
import { inodeProblems } from './inode-problems';
import { volumeProblems } from './volume-problems';

/** All that a check of ext2, ext3 and ext4 can find. */
export const extProblems = { ...volumeProblems, ...inodeProblems, ...directoryProblems };

export type ProblemCode = keyof typeof extProblems;

/** What a check of ext finds: its nodes are inodes. */
export class ExtReport extends CheckReportBuilder<ProblemCode> {
  /** Those that listed findings speak of. */
  readonly inodes = new Set<number>();

  constructor() {
    super(extProblems);
  }

  override add(code: ProblemCode, message: string, place: FindingPlace): number {
    const { inode } = place;
    if (inode === undefined) return super.add(code, message, place);
    const index = super.add(code, message, { ...place, node: inode });
    if (index >= 0) this.inodes.add(inode);
    return index;
  }
}
