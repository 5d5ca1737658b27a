import type { Progress } from '../../filesystem/progress';

/** How far the current pass is. */
export class CheckProgress implements Progress {
  private done = 0;
  private total = 0;

  constructor(private readonly progress: Progress) {}

  report(done: number, total: number): void {
    this.done = done;
    this.total = total;
    this.progress.report(done, total);
  }

  /** Within a step that takes long: no further than before, but somebody may have given up. */
  stay(): void {
    this.progress.report(this.done, this.total);
  }
}
