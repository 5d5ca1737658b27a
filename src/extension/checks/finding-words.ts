/** What a check found, as one line each for lists of problems. */
import type { CheckFinding, Severity } from '../../protocol/requests';
import { visibleText } from '../../protocol/visible-text';
import type { CheckedVolume } from './image-checks';

/** Problems that are listed of an image: VS Code draws, sorts and counts all of them. */
const mostListed = 1000;

const severities: readonly Severity[] = ['error', 'warning', 'note'];

export interface ListedProblem {
  readonly severity: Severity;
  readonly message: string;
  /** The finding; absent from the line that says that there are more. */
  readonly finding?: {
    readonly code: string;
    readonly volume: number;
    /** In the report of the volume. */
    readonly index: number;
  };
}

/**
 * The findings of an image, the worst first, and within a severity as they were found.
 * @param more what to say of so many problems that are not listed
 */
export function listProblems(
  checked: readonly CheckedVolume[],
  more: (count: number) => string,
): ListedProblem[] {
  const found = checked.flatMap(({ volume, report }) =>
    report.findings.map((finding, index) => ({ volume, index, finding })),
  );
  const listed = severities
    .flatMap((severity) => found.filter(({ finding }) => finding.severity === severity))
    .slice(0, mostListed)
    .map(({ volume, index, finding }): ListedProblem => ({
      severity: finding.severity,
      message: problemLine(finding, checked.length > 1 ? volume : null),
      finding: { code: finding.code, volume, index },
    }));
  const all = checked
    .flatMap(({ report }) => Object.values(report.counts))
    .reduce((sum, count) => sum + count, 0);
  if (all <= listed.length) return listed;
  return [...listed, { severity: 'note', message: more(all - listed.length) }];
}

/** What is wrong, and where. @param volume its index; null where there is no other */
function problemLine(
  { message, path, inode, cluster, offset }: CheckFinding,
  volume: number | null,
): string {
  const place = [
    volume !== null && `volume ${volume}`,
    path !== undefined && visibleText(path),
    inode !== undefined && `inode ${inode}`,
    cluster !== undefined && `cluster ${cluster}`,
    `byte 0x${offset.toString(16)}`,
  ].filter((part) => part !== false);
  return `${visibleText(message)} (${place.join(', ')})`;
}
