import type { CheckFinding, Severity } from '../../src/protocol/requests';
import type { Branch } from '../parts/branch';
import { growTree, keyOf, type FindingTree } from './finding-tree';

/** From the worst on. */
export const severities: readonly Severity[] = ['error', 'warning', 'note'];

/** What findings can be sorted by; `found` is the order in which the check met them. */
export const checkOrders = ['found', 'finding', 'kind', 'where', 'spot'] as const;
export type CheckOrder = (typeof checkOrders)[number];

/** Levels that are indented: what follows from more than so many others stands as deep as these. */
const deepest = 8;

/** How the rows are made. */
export interface RowQuery {
  readonly filter: string;
  readonly hidden: readonly Severity[];
  readonly sort: CheckOrder;
  readonly descending: boolean;
  /** Severities, and keys of findings that others follow from. */
  readonly folded: readonly string[];
}

/** The head of all findings of a severity, and of those that follow from them. */
export interface GroupRow extends Branch {
  readonly kind: 'group';
  readonly severity: Severity;
  /** Findings below it that the filter leaves. */
  readonly count: number;
}

export interface FindingRow extends Branch {
  readonly kind: 'finding';
  /** In the report. */
  readonly index: number;
  readonly finding: CheckFinding;
  /** How many follow from it at once. */
  readonly following: number;
}

export type CheckRow = GroupRow | FindingRow;

export interface CheckRows {
  readonly rows: readonly CheckRow[];
  /** Findings that the filter leaves, whether they are folded away or not. */
  readonly matched: number;
}

/** Severities as they were saved. */
export function readSeverities(saved: unknown): Severity[] {
  return Array.isArray(saved) ? severities.filter((severity) => saved.includes(severity)) : [];
}

/** Makes the rows of a report; the last ones are kept. */
export class CheckRowMaker {
  private findings: readonly CheckFinding[] = [];
  private tree: FindingTree = growTree([]);
  private query: RowQuery | null = null;
  private made: CheckRows = { rows: [], matched: 0 };

  /** @param titles what is found, by code: the filter looks there, too */
  make(
    findings: readonly CheckFinding[],
    query: RowQuery,
    titles: (code: string) => string,
  ): CheckRows {
    if (findings === this.findings && this.query && isSame(query, this.query)) return this.made;
    if (findings !== this.findings) this.tree = growTree(findings);
    this.findings = findings;
    this.query = query;
    this.made = makeRows(this.tree, query, titles);
    return this.made;
  }

  /** What a finding leads to, and the one that it follows from. */
  get grown(): FindingTree {
    return this.tree;
  }
}

function isSame(a: RowQuery, b: RowQuery): boolean {
  return (
    a.filter === b.filter &&
    a.hidden === b.hidden &&
    a.sort === b.sort &&
    a.descending === b.descending &&
    a.folded === b.folded
  );
}

function makeRows(tree: FindingTree, query: RowQuery, titles: (code: string) => string): CheckRows {
  const { findings, roots } = tree;
  const { counts, matched } = countMatches(tree, query, titles);
  const folded = new Set(query.folded);
  const compare = comparisonOf(findings, query);
  const rows: CheckRow[] = [];
  for (const severity of severities) {
    const members = roots.filter((root) => findings[root].severity === severity && counts[root]);
    if (members.length === 0) continue;
    const unfolded = !folded.has(severity);
    const count = members.reduce((sum, root) => sum + counts[root], 0);
    rows.push({ kind: 'group', severity, count, level: 1, unfolded });
    if (unfolded) pushBelow(members);
  }
  return { rows, matched };

  /** Without recursion: a report may be one chain. */
  function pushBelow(members: readonly number[]): void {
    const waiting = stacked(members, 2);
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { index, level } = next;
      const finding = findings[index];
      const below = (tree.following.get(index) ?? []).filter((one) => counts[one]);
      const unfolded = below.length === 0 ? null : !folded.has(keyOf(finding));
      rows.push({ kind: 'finding', index, finding, level, following: below.length, unfolded });
      if (unfolded)
        for (const one of stacked(below, Math.min(level + 1, deepest))) waiting.push(one);
    }
  }

  function stacked(members: readonly number[], level: number) {
    return [...members]
      .sort(compare)
      .reverse()
      .map((index) => ({ index, level }));
  }
}

/**
 * How many findings match of each and what follows from it: what leads to a match is shown with it.
 */
function countMatches(
  { findings, roots, following }: FindingTree,
  { filter, hidden }: RowQuery,
  titles: (code: string) => string,
): { counts: Uint32Array; matched: number } {
  const wanted = filter.trim().toLowerCase();
  const matches = (finding: CheckFinding) =>
    !hidden.includes(finding.severity) &&
    (wanted === '' || textOf(finding, titles).includes(wanted));
  const counts = Uint32Array.from(findings, (finding) => (matches(finding) ? 1 : 0));
  const matched = counts.reduce((sum, count) => sum + count, 0);
  // From the causes down, while the list grows; backwards, from what follows up to the causes.
  const order = [...roots];
  for (const index of order) for (const one of following.get(index) ?? []) order.push(one);
  for (const index of order.reverse()) {
    for (const one of following.get(index) ?? []) counts[index] += counts[one];
  }
  return { counts, matched };
}

function textOf(
  { code, message, path, field, inode, cluster, offset }: CheckFinding,
  titles: (code: string) => string,
): string {
  const numbers = [
    inode !== undefined && `inode ${inode}`,
    cluster !== undefined && `cluster ${cluster}`,
    `0x${offset.toString(16)}`,
  ].filter((part) => part !== false);
  return [message, code, titles(code), path, field, ...numbers].join('\n').toLowerCase();
}

function comparisonOf(
  findings: readonly CheckFinding[],
  { sort, descending }: RowQuery,
): (a: number, b: number) => number {
  const way = descending ? -1 : 1;
  const byText = (text: (finding: CheckFinding) => string) => (a: number, b: number) => {
    const [left, right] = [text(findings[a]), text(findings[b])];
    return left < right ? -way : left > right ? way : a - b;
  };
  switch (sort) {
    case 'found':
      return (a, b) => way * (a - b);
    case 'finding':
      return byText(({ message }) => message);
    case 'kind':
      return byText(({ code }) => code);
    case 'where':
      return (a, b) =>
        way * (numberOf(findings[a]) - numberOf(findings[b])) ||
        byText(({ path = '' }) => path)(a, b);
    case 'spot':
      return (a, b) => way * (findings[a].offset - findings[b].offset) || a - b;
  }
}

/** What belongs to nothing stands before what belongs to something. */
const numberOf = ({ inode, cluster }: CheckFinding) => inode ?? cluster ?? -1;
