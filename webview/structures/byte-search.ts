import type { SearchQuery } from '../../src/protocol/requests';
import { isCancelled, messageOf } from '../inspection/errors';
import type { Host } from '../inspection/host';
import type { Task, Tasks } from '../inspection/tasks';

/** Places that one question looks at: others, such as for bytes in sight, come between. */
export const placesAtOnce = 256 * 1024 * 1024;

/** How a search stands. */
export type SearchState =
  | { readonly state: 'idle' }
  | { readonly state: 'searching'; readonly share: number }
  | { readonly state: 'found'; readonly offset: number; readonly wrapped: boolean }
  | { readonly state: 'missing' }
  | { readonly state: 'stopped' }
  | { readonly state: 'failed'; readonly message: string };

type Wanted = Pick<SearchQuery, 'pattern' | 'backwards' | 'ignoreCase'>;

/** Places to look at with one question. */
interface Stretch {
  readonly from: number;
  readonly places: number;
}

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
    this.show({ state: 'searching', share: 0 });
    let done = 0;
    try {
      for (const stretch of stretchesFrom(from, size, wanted.backwards)) {
        const offset = await this.ask({ ...wanted, ...stretch }, done, size);
        if (offset === undefined) return null;
        done += stretch.places;
        if (offset === null) continue;
        const wrapped = wanted.backwards ? offset > from : offset < from;
        this.show({ state: 'found', offset, wrapped });
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
    before: number,
    all: number,
  ): Promise<number | null | undefined> {
    const task: Task<number | null> = this.tasks.start(
      (id) => this.host.search(query, id),
      (done) => {
        if (this.task === task) this.show({ state: 'searching', share: (before + done) / all });
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

/** All places of an image in the order in which they are to be looked at; each of them once. */
function* stretchesFrom(from: number, size: number, backwards: boolean): Generator<Stretch> {
  if (backwards) {
    yield* stretchesDown(Math.min(from, size - 1), 0);
    yield* stretchesDown(size - 1, Math.max(from + 1, 0));
  } else {
    yield* stretchesUp(Math.max(from, 0), size - 1);
    yield* stretchesUp(0, Math.min(from - 1, size - 1));
  }
}

function* stretchesUp(first: number, last: number): Generator<Stretch> {
  for (let from = first; from <= last; from += placesAtOnce) {
    yield { from, places: Math.min(placesAtOnce, last - from + 1) };
  }
}

function* stretchesDown(first: number, last: number): Generator<Stretch> {
  for (let from = first; from >= last; from -= placesAtOnce) {
    yield { from, places: Math.min(placesAtOnce, from - last + 1) };
  }
}

const failed = (error: unknown): SearchState => ({ state: 'failed', message: messageOf(error) });
