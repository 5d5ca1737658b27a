import type { CheckReport, Problem, VolumeSummary } from '../../src/protocol/requests';
import { hasEnded, isCancelled, messageOf } from '../inspection/errors';
import type { Host } from '../inspection/host';
import type { Task, Tasks } from '../inspection/tasks';

/** The last check of the volume that is shown. */
export interface ShownCheck {
  readonly id: number;
  readonly report: CheckReport;
  /** Whether the image has changed since. */
  readonly isOutdated: boolean;
}

/** How far a check is; `total` is 0 where that is not known. */
export interface CheckProgress {
  readonly done: number;
  readonly total: number;
}

/** What is wrong with the volume that is shown, as far as it was checked. */
export class VolumeChecks {
  shown: ShownCheck | null = null;
  running: CheckProgress | null = null;
  /** Why there is no check. */
  failure: string | null = null;
  /** What a check of the volume can find, by code; empty until that is known. */
  problems: ReadonlyMap<string, Problem> = new Map();

  private volume: number | null = null;
  private type = '';
  private task: Task<void> | null = null;
  private asked = 0;

  constructor(
    private readonly host: Host,
    private readonly tasks: Tasks,
    private readonly changed: () => void,
  ) {}

  /** Shows what is known of another volume, or of the same one after a change. */
  async follow(volume: VolumeSummary | null): Promise<void> {
    const index = volume?.unreadable === null ? volume.index : null;
    if (index !== this.volume || volume?.type !== this.type) {
      this.cancel();
      this.volume = index;
      this.type = volume?.type ?? '';
      this.shown = null;
      this.failure = null;
      this.problems = new Map();
    }
    await this.refresh();
  }

  /** A check of a volume has ended, maybe in another editor. */
  async ended(volume: number): Promise<void> {
    if (volume === this.volume) await this.refresh();
  }

  /** Checks the volume; the person sees how far that is. */
  async run(): Promise<void> {
    const { volume } = this;
    if (volume === null || this.task) return;
    this.failure = null;
    this.show({ done: 0, total: 0 });
    const task = this.tasks.start(
      (id) => this.host.runCheck(volume, id),
      (done, total) => {
        if (this.task === task) this.show({ done, total });
      },
    );
    this.task = task;
    const failure = await task.answer.then(
      () => null,
      (error: unknown) => (isCancelled(error) || hasEnded(error) ? null : messageOf(error)),
    );
    if (this.task !== task) return;
    if (failure === null) await this.refresh();
    if (this.task !== task) return;
    this.task = null;
    this.failure = failure;
    this.show(null);
  }

  /** Gives the check up. */
  cancel(): void {
    this.task?.cancel();
    this.task = null;
    if (this.running) this.show(null);
  }

  private async refresh(): Promise<void> {
    const { volume, shown } = this;
    const asked = ++this.asked;
    if (volume === null) return;
    try {
      const last = await this.host.lastCheck(volume, shown?.id ?? 0);
      if (last && this.problems.size === 0) {
        const rows = await this.host.problemTable(volume);
        if (volume !== this.volume) return;
        this.problems = new Map(rows.map((row) => [row.code, row]));
      }
      if (asked !== this.asked) return;
      const report = last && (last.report ?? shown?.report);
      this.shown = last && report ? { ...last, report } : null;
      this.changed();
    } catch (error) {
      if (asked !== this.asked || hasEnded(error)) return;
      this.failure = messageOf(error);
      this.changed();
    }
  }

  private show(running: CheckProgress | null): void {
    this.running = running;
    this.changed();
  }
}
