import { messageOf } from './errors';
import type { Task } from './tasks';

/** Rows asked for at once. */
export const pageRows = 100;
/** Pages that are kept; the ones farthest from what is in sight are dropped. */
const keptPages = 60;
/** The engine answers one request after the other: more would only wait in its queue. */
const pagesAtOnce = 2;

/** What is answered for a page: its rows, and how many there are in all. */
export interface RowPage<Row> {
  readonly matched: number;
  readonly rows: readonly Row[];
}

export type AskPage<Page> = (start: number, count: number) => Task<Page>;

/**
 * The rows of one table, asked for page by page as they come in sight. Made anew whenever what is
 * listed or its order changes; once closed it takes no more answers.
 */
export class RowPages<Row, Page extends RowPage<Row> = RowPage<Row>> {
  /** The rows of the whole table. */
  matched = 0;
  /** Whether a page has come. */
  ready = false;
  /** Why there are no rows, or no more of them. */
  failure: string | null = null;
  /** Settles when the first page has come, or none will. */
  readonly opened: Promise<void>;

  private readonly pages = new Map<number, readonly Row[]>();
  private readonly asked = new Map<number, Task<Page>>();
  private first = 0;
  private end = 0;
  private closed = false;
  private open: () => void = () => undefined;

  constructor(
    private readonly ask: AskPage<Page>,
    private readonly changed: () => void,
  ) {
    this.opened = new Promise((resolve) => {
      this.open = resolve;
    });
  }

  /** The row, if it has come. */
  row(index: number): Row | undefined {
    return this.pages.get(Math.floor(index / pageRows))?.[index % pageRows];
  }

  /** Asks for what is missing of the rows in sight: `first` up to, not including, `end`. */
  show(first: number, end: number): void {
    this.first = first;
    this.end = end;
    const wanted = this.pagesInSight();
    for (const [page, task] of this.asked) {
      if (wanted.includes(page)) continue;
      this.asked.delete(page);
      task.cancel();
    }
    this.askMissing();
  }

  /** Where a loaded row stands that passes the test; -1 where there is none. */
  findLoaded(test: (row: Row) => boolean): number {
    for (const [page, rows] of this.pages) {
      const at = rows.findIndex(test);
      if (at >= 0) return page * pageRows + at;
    }
    return -1;
  }

  close(): void {
    this.closed = true;
    for (const task of this.asked.values()) task.cancel();
    this.asked.clear();
    this.open();
  }

  private pagesInSight(): number[] {
    const end = this.ready ? Math.min(this.end, this.matched) : this.end;
    const pages: number[] = [];
    for (let page = Math.floor(this.first / pageRows); page * pageRows < end; page++) {
      pages.push(page);
    }
    return pages;
  }

  private askMissing(): void {
    if (this.closed || this.failure !== null) return;
    for (const page of this.pagesInSight()) {
      if (this.asked.size >= pagesAtOnce) return;
      if (!this.pages.has(page) && !this.asked.has(page)) void this.askPage(page);
    }
  }

  private async askPage(page: number): Promise<void> {
    const task = this.ask(page * pageRows, pageRows);
    this.asked.set(page, task);
    try {
      const answer = await task.answer;
      if (this.asked.get(page) !== task) return;
      this.asked.delete(page);
      this.take(page, answer);
    } catch (error) {
      if (this.asked.get(page) !== task) return;
      this.asked.delete(page);
      this.failure = messageOf(error);
    }
    this.open();
    this.askMissing();
    this.changed();
  }

  protected take(page: number, answer: Page): void {
    this.ready = true;
    this.matched = answer.matched;
    this.pages.set(page, answer.rows);
    if (this.pages.size <= keptPages) return;
    const middle = (this.first + this.end) / 2 / pageRows;
    const distance = (at: number) => Math.abs(at - middle);
    const farthest = [...this.pages.keys()].reduce((a, b) => (distance(b) > distance(a) ? b : a));
    this.pages.delete(farthest);
  }
}
