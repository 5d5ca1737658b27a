import type { FreeSpaceSummary, VolumeSummary } from '../../src/protocol/requests';
import { messageOf } from './errors';
import type { Host } from './host';
import type { Tasks } from './tasks';

/** What is known of the free space of the volume that is shown. */
export type Space =
  | { readonly state: 'counting'; readonly done: number; readonly total: number }
  | { readonly state: 'counted'; readonly summary: FreeSpaceSummary }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'stopped' };

/** Counts the free space of one volume at a time. */
export class FreeSpaceCount {
  space: Space | null = null;
  private give: () => void = () => undefined;

  constructor(
    private readonly host: Host,
    private readonly tasks: Tasks,
    private readonly changed: () => void,
  ) {}

  /**
   * Gives up an earlier count and starts anew.
   * @param after so many milliseconds
   */
  start(volume: VolumeSummary | null, after: number): void {
    this.give();
    this.space = null;
    if (!volume || volume.unreadable !== null) return;
    const timer = setTimeout(() => this.count(volume.index), after);
    this.give = () => clearTimeout(timer);
  }

  stop(): void {
    this.give();
    this.give = () => undefined;
    this.show({ state: 'stopped' });
  }

  private count(volume: number): void {
    this.show({ state: 'counting', done: 0, total: 0 });
    const task = this.tasks.start(
      (id) => this.host.freeSpace(volume, id),
      (done, total) => {
        if (this.give === give) this.show({ state: 'counting', done, total });
      },
    );
    const give = () => task.cancel();
    this.give = give;
    void task.answer
      .then(
        (summary): Space => ({ state: 'counted', summary }),
        (error: unknown): Space => ({ state: 'failed', message: messageOf(error) }),
      )
      .then((space) => {
        if (this.give === give) this.show(space);
      });
  }

  private show(space: Space): void {
    this.space = space;
    this.changed();
  }
}
