import type { EntryRow, Finding, ListPage } from '../../src/protocol/requests';
import { RowPages } from '../inspection/row-pages';

/** The rows of one listing of a directory. */
export class Listing extends RowPages<EntryRow, ListPage> {
  /** Entries in the directory, before the filter. */
  total = 0;
  problems: readonly Finding[] = [];

  /** The row at which a loaded entry stands, by the place of its record; -1 where it is not. */
  find(offset: number): number {
    return this.findLoaded((row) => row.offset === offset);
  }

  protected override take(page: number, answer: ListPage): void {
    this.total = answer.total;
    this.problems = answer.problems;
    super.take(page, answer);
  }
}
