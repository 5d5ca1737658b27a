import type { CheckFinding, CheckReport } from '../../filesystem/check';
import type { Severity } from '../../filesystem/finding';
import { problemRows, publicCode, type ProblemCode } from './problem-table';

/** More of them are counted and not listed: nobody reads them, and an image could make millions. */
const listedLimit = 10_000;

/** Where a finding lies and what it belongs to. */
export interface FindingPlace {
  /** In the image, in bytes. */
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
  readonly inode?: number;
  /** `inode.i_blocks` */
  readonly field?: string;
  /** Index of the finding that this one follows from; below 0 for none. */
  readonly cause?: number;
}

/** Collects what a check finds. */
export class Report {
  readonly findings: CheckFinding[] = [];
  private readonly counts: Record<Severity, number> = { error: 0, warning: 0, note: 0 };

  /**
   * @param message one plain sentence
   * @returns its index, for what follows from it; -1 where it is not listed any more
   */
  add(code: ProblemCode, message: string, place: FindingPlace): number {
    const { severity, fixable } = problemRows[code];
    this.counts[severity] += 1;
    if (this.findings.length >= listedLimit) return -1;
    const { offset, length, inode, field, cause } = place;
    this.findings.push({
      code: publicCode(code),
      severity,
      message,
      offset,
      length,
      fixable,
      ...(inode !== undefined && { inode, node: inode }),
      ...(field !== undefined && { field }),
      ...(cause !== undefined && cause >= 0 && { cause }),
    });
    return this.findings.length - 1;
  }

  get errors(): number {
    return this.counts.error;
  }

  /** @param pathOf the path of an inode, where it is known */
  finish(pathOf: (inode: number) => string | undefined): CheckReport {
    const findings = this.findings.map((finding) => {
      const path = finding.inode === undefined ? undefined : pathOf(finding.inode);
      return path === undefined ? finding : { ...finding, path };
    });
    const listed = findings.length;
    const { error, warning, note } = this.counts;
    return { findings, counts: { ...this.counts }, isCut: error + warning + note > listed };
  }
}
