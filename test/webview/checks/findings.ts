import type { CheckFinding, CheckReport } from '../../../src/protocol/requests';

/** A finding of an inode's size, or something else. */
export function finding(change: Partial<CheckFinding> = {}): CheckFinding {
  return {
    code: 'inode-size',
    severity: 'error',
    message: 'The size is wrong.',
    offset: 4096,
    length: 4,
    fixable: true,
    ...change,
  };
}

export function reportOf(findings: readonly CheckFinding[]): CheckReport {
  const count = (severity: string) => findings.filter((one) => one.severity === severity).length;
  return {
    findings,
    counts: { error: count('error'), warning: count('warning'), note: count('note') },
    isCut: false,
  };
}
