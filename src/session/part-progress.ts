import type { Progress } from '../filesystem/progress';

const steps = 1000;

/** The progress of one part of some work, told as thousandths of the whole. */
export function partOf(progress: Progress, part: number, parts: number): Progress {
  return {
    report(done, total) {
      const share = total > 0 ? Math.min(1, done / total) : 0;
      progress.report(Math.floor(((part + share) * steps) / parts), steps);
    },
  };
}
