import type { CheckFinding } from '../../../src/filesystem/check';
import type { FileSystem } from '../../../src/filesystem/filesystem';

/** What a check of a volume calls an error; fails where there is no check. */
export function checkErrors(fileSystem: FileSystem): readonly CheckFinding[] {
  const report = fileSystem.check?.();
  if (!report) throw new Error(`${fileSystem.facts.type} is not checked`);
  return report.findings.filter(({ severity }) => severity === 'error');
}
