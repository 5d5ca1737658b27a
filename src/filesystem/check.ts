/** The vocabulary of checks. Both families fill one report; whoever shows it asks no family. */
import type { Finding, Severity } from './finding';
import type { NodeId } from './node';

/** One row of a family's table of problems. */
export interface Problem {
  /** Stable, lower-case, with dashes; unique over both families. */
  readonly code: string;
  readonly severity: Severity;
  /** What it is, in a few words: a heading. */
  readonly title: string;
  /** What the rule is, what breaks when it does not hold, and what a checker would do about it. */
  readonly explanation: string;
  /** Whether the reference checker would repair it. */
  readonly fixable: boolean;
  /** Set where a further change of files could destroy what others hold. */
  readonly endangers?: true;
}

/** A finding of a check. */
export interface CheckFinding extends Finding {
  /** The field that shows it: `inode.i_links_count`. */
  readonly field?: string;
  /** The node it belongs to: for the other views. */
  readonly node?: NodeId;
  /** Index in the report of the finding that this one follows from. */
  readonly cause?: number;
}

export interface CheckReport {
  readonly findings: readonly CheckFinding[];
  /** All that were found, also beyond those that are listed. */
  readonly counts: Readonly<Record<Severity, number>>;
  /** Set when there were more than are listed. */
  readonly isCut: boolean;
}
