import type { EntryRow, ListPage, ListQuery, NodeId } from '../../src/protocol/requests';
import type { Inspection } from '../inspection/inspection';
import { Listing } from './listing';
import { pageRows } from '../inspection/row-pages';
import { sameDirectory, type Chosen, type Place } from '../inspection/selection';
import type { ViewState } from '../inspection/state';
import type { Task } from '../inspection/tasks';

/** Browsers draw nothing beyond some 33 million pixels; a filter brings the rest in sight. */
const mostRows = 1_500_000;

type Query = Omit<ListQuery, 'start' | 'count'>;

/** Where the rows in sight are from, and how they were chosen and sorted. */
interface Origin {
  readonly place: Place;
  readonly order: Pick<ViewState, 'sort' | 'descending' | 'filter' | 'deleted'>;
  /** The version of the image. */
  readonly revision: number;
}

/**
 * The rows of the directory that is shown. Follows the inspection from one listing to the next,
 * keeps the rows of the last one until those of the next have come, and finds the chosen entry
 * again wherever it then stands.
 */
export class Directory {
  /** The row that has the keyboard. */
  active = 0;
  /** Whether the active row is the chosen entry. */
  chosen = false;
  /** How far the engine is with a listing that takes its time, from 0 to 1. */
  progress: number | null = null;
  /** What is in sight; null until the first listing has come. */
  shown: Listing | null = null;

  private pending: Listing | null = null;
  private sorting: Task<ListPage> | null = null;
  private origin: Origin | null = null;
  private key = '';
  private seen: Chosen | null = null;
  /** Whether the active row is chosen but has not come yet. */
  private owed = false;

  /**
   * @param changed called when there is something new to draw
   * @param settled called when a new listing is to be drawn, and when the chosen row has moved:
   *   `top` is the first row in sight, null where the active row decides
   */
  constructor(
    private readonly inspection: Inspection,
    private readonly changed: () => void,
    private readonly settled: (top: number | null) => void,
  ) {}

  /** Whether the rows in sight are not yet those of the place. */
  get waiting(): boolean {
    return this.pending !== null;
  }

  get count(): number {
    return Math.min(this.shown?.matched ?? 0, mostRows);
  }

  /** Entries that no table can show. */
  get beyond(): number {
    return (this.shown?.matched ?? 0) - this.count;
  }

  row(index: number): EntryRow | undefined {
    return this.shown?.row(index);
  }

  show(first: number, end: number): void {
    this.shown?.show(first, end);
  }

  /** Asks for what the inspection now shows, if that is something else. */
  follow(): void {
    const { query, place, revision } = this.inspection;
    const key = query ? JSON.stringify([query, revision]) : '';
    if (key !== this.key) {
      this.key = key;
      this.close();
      if (query && place) void this.open(query, place);
    } else if (place && place.chosen !== this.seen && query && !this.pending) {
      void this.findChosen(query, place.chosen);
    }
  }

  /** Chooses a row; one that has not come yet as soon as it has. */
  choose(index: number): void {
    if (this.pending) return;
    this.active = index;
    this.chosen = true;
    this.chooseActive();
    this.changed();
  }

  /** Whether there are older rows to return to. */
  get canCancel(): boolean {
    return this.waiting && this.origin !== null;
  }

  /** Gives up the listing that is waited for and returns to the rows in sight. */
  cancel(): void {
    const { origin, inspection } = this;
    if (!this.canCancel || !origin || !inspection.place) return;
    this.close();
    if (!sameDirectory(origin.place, inspection.place) && inspection.back()) return;
    inspection.arrange(origin.order);
  }

  /** Stops asking. */
  close(): void {
    this.sorting?.cancel();
    this.pending?.close();
    this.pending = null;
  }

  private chooseActive(): void {
    const row = this.row(this.active);
    this.owed = !row;
    if (!row) return;
    const { node, name, type, offset, deleted } = row;
    const now = this.inspection.place?.chosen;
    const isSame = now?.node === node && now.offset === offset && now.name === name;
    if (isSame && (now.deleted ?? false) === deleted) return;
    this.seen = { node, name, type, offset, ...(deleted && { deleted }) };
    this.inspection.choose(this.seen);
  }

  private async open(query: Query, place: Place): Promise<void> {
    const listing = this.list(query);
    this.pending = listing;
    this.progress = null;
    const { chosen, scroll } = place;
    if (chosen) await this.sort(query, listing);
    if (this.pending !== listing) return;
    const found = chosen ? await this.locateChosen(query, chosen) : -1;
    if (this.pending !== listing) return;

    const top = scroll ?? Math.max(0, found - pageRows / 2);
    listing.show(Math.floor(top), Math.floor(top) + pageRows);
    await listing.opened;
    if (this.pending !== listing) return;

    this.pending = null;
    this.shown?.close();
    this.shown = listing;
    const before = this.active;
    const { sort, descending, filter, deleted } = this.inspection.state;
    const arrived = !this.origin || !sameDirectory(this.origin.place, place);
    const { revision } = this.inspection;
    const changed = !arrived && this.origin?.revision !== revision;
    this.origin = { place, order: { sort, descending, filter, deleted }, revision };
    this.activate(listing, chosen, found, Math.floor(scroll ?? 0), arrived);
    if (changed && chosen && !this.chosen) this.chooseNeighbour(before);
    this.settled(scroll ?? (this.chosen ? null : 0));
  }

  private activate(
    listing: Listing,
    chosen: Chosen | null,
    found: number,
    top: number,
    arrived: boolean,
  ): void {
    this.chosen = found >= 0;
    this.active = Math.max(0, Math.min(this.chosen ? found : top, listing.matched - 1));
    this.seen = chosen;
    this.owed = false;
    if (!chosen) return;
    if (!this.chosen) {
      // A filter hides it for a while; a place that one has just come to shows what was deleted.
      const { filter, deleted } = this.inspection.state;
      if (filter) return;
      if (arrived && chosen.deleted && !deleted) this.inspection.update({ deleted: true });
      else this.forgetChosen();
      return;
    }
    // Another name of the same node may come first.
    const same = chosen.offset === null ? -1 : listing.find(chosen.offset);
    if (same >= 0 && listing.row(same)?.node === chosen.node) this.active = same;
    this.chooseActive();
  }

  /** In the place of a chosen entry that has gone. */
  private chooseNeighbour(index: number): void {
    if (this.count === 0 || this.inspection.state.filter) return;
    this.active = Math.min(index, this.count - 1);
    this.chosen = true;
    this.chooseActive();
  }

  private forgetChosen(): void {
    this.seen = null;
    this.inspection.choose(null);
  }

  private async findChosen(query: Query, chosen: Chosen | null): Promise<void> {
    this.seen = chosen;
    this.owed = false;
    const found = chosen ? await this.locate(query, chosen.node) : -1;
    if (this.seen !== chosen || this.pending) return;
    this.chosen = found >= 0;
    if (this.chosen) this.active = found;
    if (this.chosen) this.settled(null);
    else this.changed();
  }

  /** Sorting is what can take long; unlike a search, a listing of no rows can be cancelled. */
  private async sort(query: Query, listing: Listing): Promise<void> {
    this.sorting = this.ask({ ...query, start: 0, count: 0 }, listing);
    // A failure will be told by the listing itself.
    await this.sorting.answer.catch(() => undefined);
  }

  /** An entry that was made anew has another node under the same name. */
  private async locateChosen(query: Query, { node, name }: Chosen): Promise<number> {
    const found = await this.locate(query, node);
    if (found >= 0) return found;
    const all = { ...query, start: 0, count: 0 };
    const named = await this.inspection.host.locatePrefix(all, name, 0).catch(() => -1);
    if (named < 0) return -1;
    const page = await this.ask({ ...query, start: named, count: 1 }, null).answer.catch(
      () => null,
    );
    const row = page?.rows.at(0);
    return row?.name === name && !row.deleted ? named : -1;
  }

  private async locate(query: Query, node: NodeId): Promise<number> {
    // Where the engine cannot tell, the listing itself will say why.
    return this.inspection.host.locateNode({ ...query, start: 0, count: 0 }, node).catch(() => -1);
  }

  private list(query: Query): Listing {
    const listing: Listing = new Listing(
      (start, count) => this.ask({ ...query, start, count }, listing),
      () => {
        if (this.shown !== listing) return;
        if (this.owed) this.chooseActive();
        this.changed();
      },
    );
    return listing;
  }

  private ask(query: ListQuery, listing: Listing | null): Task<ListPage> {
    const { host, tasks } = this.inspection;
    return tasks.start(
      (task) => host.list(query, task),
      (done, total) => {
        if (!listing || this.pending !== listing || total <= 0) return;
        this.progress = done / total;
        this.changed();
      },
    );
  }
}
