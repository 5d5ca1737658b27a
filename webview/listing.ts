import type { EntryRow, Finding, ListPage } from '../src/protocol/requests';
import { messageOf } from './errors';
import type { Task } from './tasks';

/** Rows asked for at once. */
export const pageRows = 100;
/** Pages that are kept; the ones farthest from what is in sight are dropped. */
const keptPages = 60;
/** The engine answers one request after the other: more would only wait in its queue. */
const pagesAtOnce = 2;

export type AskPage = (start: number, count: number) => Task<ListPage>;

/**
 * The rows of one listing, asked for page by page as they come in sight. Made anew whenever the
 * directory, its order or its filter changes; a closed listing takes no more answers.
 */
export class Listing {
  /** Entries in the directory, and those that passed the filter. */
  total = 0;
  matched = 0;
  problems: readonly Finding[] = [];
  /** Whether a page has come. */
  ready = false;
  /** Why there are no rows, or no more of them. */
  failure: string | null = null;
  /** Settles when the first page has come, or none will. */
  readonly opened: Promise<void>;

  private readonly pages = new Map<number, readonly EntryRow[]>();
  private readonly asked = new Map<number, Task<ListPage>>();
  private first = 0;
  private end = 0;
  private closed = false;
  private open: () => void = () => undefined;

  constructor(
    private readonly ask: AskPage,
    private readonly changed: () => void,
  ) {
    this.opened = new Promise((resolve) => {
      this.open = resolve;
    });
  }

  /** The row, if it has come. */
  row(index: number): EntryRow | undefined {
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

  /** The row at which a loaded entry stands, by the place of its record; -1 where it is not. */
  find(offset: number): number {
    for (const [page, rows] of this.pages) {
      const at = rows.findIndex((row) => row.offset === offset);
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

  private take(page: number, answer: ListPage): void {
    this.ready = true;
    this.total = answer.total;
    this.matched = answer.matched;
    this.problems = answer.problems;
    this.pages.set(page, answer.rows);
    if (this.pages.size <= keptPages) return;
    const middle = (this.first + this.end) / 2 / pageRows;
    const distance = (at: number) => Math.abs(at - middle);
    const farthest = [...this.pages.keys()].reduce((a, b) => (distance(b) > distance(a) ? b : a));
    this.pages.delete(farthest);
  }
}
