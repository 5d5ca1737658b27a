import type { CheckFinding } from '../filesystem/check';
import type { Progress } from '../filesystem/progress';
import { ImageError } from '../image/errors';
import type { OpenVolume } from './open-volume';

/**
 * Which volumes can be changed without harm to what they hold. Where a bitmap or a FAT calls free
 * what a file uses, or two files share a block, the next change would destroy content that nobody
 * asked to change. A volume is looked at before its first change; changes of ours leave it sound.
 */
export class Soundness {
  private readonly known = new Set<number>();

  /** @throws ImageError `read-only` where a change could destroy something */
  require(index: number, volume: OpenVolume, progress: Progress): void {
    if (this.known.has(index)) return;
    const { findings, isCut } = volume.check(progress);
    const dangers = new Set(
      volume.problemTable.filter((row) => row.endangers).map(({ code }) => code),
    );
    const danger = findings.find(({ code }) => dangers.has(code));
    if (danger) throw new ImageError('read-only', refusal(danger));
    if (isCut) throw new ImageError('read-only', `There is too much wrong with it. ${repairFirst}`);
    this.known.add(index);
  }

  /** After a change that is none of a filesystem: bytes and fields as a person wrote them. */
  forget(): void {
    this.known.clear();
  }
}

const repairFirst = 'Check it, and repair it before files in it are changed.';

function refusal({ message, path }: CheckFinding): string {
  const where = path === undefined ? '' : ` (${path})`;
  return `A change could destroy what other files hold: ${message.replace(/\.$/, '')}${where}. ${repairFirst}`;
}
