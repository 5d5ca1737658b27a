import type { CheckFinding } from '../../src/protocol/requests';

/** The findings as a forest: each stands below the one that it follows from. */
export interface FindingTree {
  readonly findings: readonly CheckFinding[];
  /** Those that follow from no other. */
  readonly roots: readonly number[];
  /** What follows from each at once; absent where nothing does. */
  readonly following: ReadonlyMap<number, readonly number[]>;
}

/**
 * Puts each finding below its cause. A cause that is none of the list, or that follows from the
 * finding itself, counts for nothing: so there are no circles.
 */
export function growTree(findings: readonly CheckFinding[]): FindingTree {
  const causes = findings.map(({ cause }, index) =>
    cause !== undefined && cause !== index && findings[cause] ? cause : null,
  );
  breakCircles(causes);
  const roots: number[] = [];
  const following = new Map<number, number[]>();
  for (const [index, cause] of causes.entries()) {
    if (cause === null) {
      roots.push(index);
      continue;
    }
    const siblings = following.get(cause);
    if (siblings) siblings.push(index);
    else following.set(cause, [index]);
  }
  return { findings, roots, following };
}

/** Goes up from each finding; each is gone through once, so that long chains cost what they are. */
function breakCircles(causes: (number | null)[]): void {
  const walkOf = new Int32Array(causes.length).fill(-1);
  for (let start = 0; start < causes.length; start++) {
    let at = start;
    for (;;) {
      walkOf[at] = start;
      const cause = causes[at];
      if (cause === null) break;
      if (walkOf[cause] === start) causes[at] = null;
      if (walkOf[cause] >= 0) break;
      at = cause;
    }
  }
}

/** What a finding is known by in another check of the same volume. */
export function keyOf({ code, offset, field, inode }: CheckFinding): string {
  return `${code} ${offset} ${field ?? ''} ${inode ?? ''}`;
}
