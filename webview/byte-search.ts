import type { SearchQuery } from '../src/protocol/requests';
import { isCancelled, messageOf } from './errors';
import type { Host } from './host';
import type { Task, Tasks } from './tasks';

/** How a search stands. */
export type SearchState =
  | { readonly state: 'idle' }
  | { readonly state: 'searching'; readonly share: number | null }
  | { readonly state: 'found'; readonly offset: number; readonly wrapped: boolean }
  | { readonly state: 'missing' }
  | { readonly state: 'stopped' }
  | { readonly state: 'failed'; readonly message: string };

type Wanted = Omit<SearchQuery, 'from'>;

/** Looks for bytes in the whole image, from a place on and around its end. */
export class ByteSearch {
  current: SearchState = { state: 'idle' };
  private task: Task<number | null> | null = null;

  constructor(
    private readonly host: Host,
    private readonly tasks: Tasks,
    private readonly changed: () => void,
  ) {}

  /**
   * Looks for the next place, in the direction of the query.
   * @param from the first place to look at, in bytes
   * @param size of the image, in bytes
   * @returns the place; null where there is none, or the person has given it up
   */
  async find(wanted: Wanted, from: number, size: number): Promise<number | null> {
    this.task?.cancel();
    this.show({ state: 'searching', share: null });
    const around = wanted.backwards ? Math.max(0, size - 1) : 0;
    const inside = from >= 0 && from < size;
    const starts = inside && from !== around ? [from, around] : [around];
    try {
      for (const [turn, start] of starts.entries()) {
        const offset = await this.ask({ ...wanted, from: start }, turn, starts.length);
        if (offset === undefined) return null;
        if (offset === null) continue;
        this.show({ state: 'found', offset, wrapped: turn > 0 || !inside });
        return offset;
      }
      this.show({ state: 'missing' });
    } catch (error) {
      this.show(isCancelled(error) ? { state: 'stopped' } : failed(error));
    }
    return null;
  }

  stop(): void {
    if (this.current.state !== 'searching') return;
    this.task?.cancel();
    this.task = null;
    this.show({ state: 'stopped' });
  }

  /** Forgets what the last search came to. */
  reset(): void {
    this.task?.cancel();
    this.task = null;
    this.show({ state: 'idle' });
  }

  /** Undefined where another search has taken its place, or it was stopped. */
  private async ask(
    query: SearchQuery,
    turn: number,
    turns: number,
  ): Promise<number | null | undefined> {
    const task: Task<number | null> = this.tasks.start(
      (id) => this.host.search(query, id),
      (done, total) => {
        if (this.task !== task || total <= 0) return;
        this.show({ state: 'searching', share: (turn + done / total) / turns });
      },
    );
    this.task = task;
    try {
      const offset = await task.answer;
      return this.task === task ? offset : undefined;
    } catch (error) {
      if (this.task !== task) return undefined;
      throw error;
    }
  }

  private show(state: SearchState): void {
    this.current = state;
    this.changed();
  }
}

const failed = (error: unknown): SearchState => ({ state: 'failed', message: messageOf(error) });
