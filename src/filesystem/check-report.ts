import type { CheckFinding, CheckReport, Problem } from './check';
import type { Severity } from './finding';
import type { NodeId } from './node';

/** More of them are counted and not listed: nobody reads them, and an image could make millions. */
const listedLimit = 10_000;

/** A family's table of problems, by code. */
export type ProblemRows<Code extends string> = Readonly<Record<Code, Omit<Problem, 'code'>>>;

/** Where a finding lies and what it belongs to. */
export interface FindingPlace {
  /** In the image, in bytes. */
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
  readonly inode?: number;
  readonly cluster?: number;
  readonly node?: NodeId;
  readonly path?: string;
  /** `inode.i_blocks` */
  readonly field?: string;
  /** Index of the finding that this one follows from; below 0 for none. */
  readonly cause?: number;
}

/** Collects what a check finds. */
export class CheckReportBuilder<Code extends string> {
  private readonly findings: CheckFinding[] = [];
  private readonly counts: Record<Severity, number> = { error: 0, warning: 0, note: 0 };

  constructor(private readonly rows: ProblemRows<Code>) {}

  /**
   * @param message one plain sentence
   * @returns its index, for what follows from it; -1 where it is not listed any more
   */
  add(code: Code, message: string, { cause, ...place }: FindingPlace): number {
    const { severity, fixable } = this.rows[code];
    this.counts[severity] += 1;
    if (this.findings.length >= listedLimit) return -1;
    const isFollowing = cause !== undefined && cause >= 0;
    this.findings.push({
      code,
      severity,
      message,
      fixable,
      ...place,
      ...(isFollowing && { cause }),
    });
    return this.findings.length - 1;
  }

  get errors(): number {
    return this.counts.error;
  }

  /** @param pathOf the path of a node, for findings that name one and no path */
  build(pathOf: (node: NodeId) => string | undefined = () => undefined): CheckReport {
    const findings = this.findings.map((finding) => {
      if (finding.node === undefined || finding.path !== undefined) return finding;
      const path = pathOf(finding.node);
      return path === undefined ? finding : { ...finding, path };
    });
    const { error, warning, note } = this.counts;
    return {
      findings,
      counts: { ...this.counts },
      isCut: error + warning + note > findings.length,
    };
  }
}

/** The table as a list, for whoever explains a finding by its code. */
export function problemList<Code extends string>(rows: ProblemRows<Code>): Problem[] {
  return Object.entries<Omit<Problem, 'code'>>(rows).map(([code, row]) => ({ code, ...row }));
}
