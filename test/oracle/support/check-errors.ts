import type { CheckFinding } from '../../../src/filesystem/check';
import type { FileSystem } from '../../../src/filesystem/filesystem';

/** What a check of a volume calls an error. */
export function checkErrors(fileSystem: FileSystem): readonly CheckFinding[] {
  return fileSystem.check().findings.filter(({ severity }) => severity === 'error');
}
