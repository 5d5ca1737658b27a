import type {
  ByteRange,
  Destination,
  EntryPlace,
  FreeSpaceSummary,
  ImageSummary,
  ListQuery,
  NodeId,
  NodeType,
  OwnerAnswer,
  TaskId,
  ViewId,
  VolumeSummary,
} from '../src/protocol/requests';
import { hasEnded, isCancelled, messageOf } from './errors';
import type { Host } from './host';
import * as selection from './selection';
import type { Chosen, Place, Step, Stop } from './selection';
import { readState, type ViewState } from './state';
import type { Task, Tasks } from './tasks';

/** Where the state is kept: VS Code's `getState` and `setState`. */
export interface StateStore {
  getState(): unknown;
  setState(state: unknown): void;
}

/** What is known of the free space of the volume that is shown. */
export type Space =
  | { readonly state: 'counting'; readonly done: number; readonly total: number }
  | { readonly state: 'counted'; readonly summary: FreeSpaceSummary }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'stopped' };

/** Something that was asked for to get to a place, and takes its time. */
export interface Search {
  /** What is being done, in words. */
  readonly text: string;
  /** From 0 to 1; null where that is not known. */
  readonly share: number | null;
  cancel(): void;
}

/** Lets the first rows come before the engine is asked to count. */
const countAfter = 300;
/** State is saved at most this often; VS Code ends a hidden webview without notice. */
const saveAfter = 50;
/** Moving through bytes tells the extension host only where it stops. */
const tellAfter = 100;
/** What is found sooner is not announced. */
const announceAfter = 200;

/**
 * One open image as this webview sees it: what the engine says of it, where in it the person is.
 * All views read it, and are told by `change` events.
 */
export class Inspection extends EventTarget {
  /** Null until the engine has answered. */
  image: ImageSummary | null = null;
  /** Why there is no engine, or no answer. */
  failure: string | null = null;
  /** Something that the person should know of where they ended up. */
  notice: string | null = null;
  space: Space | null = null;
  search: Search | null = null;
  /** Counts the versions of the image: answers to an older one are out of date. */
  revision = 0;
  state: ViewState;

  private loads = 0;
  private stopCounting: () => void = () => undefined;
  private saveTimer: ReturnType<typeof setTimeout> | undefined;
  private seeking: Task<unknown> | null = null;
  private tellTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly host: Host,
    readonly tasks: Tasks,
    private readonly store: StateStore,
  ) {
    super();
    this.state = readState(store.getState());
  }

  get place(): Place | null {
    return this.state.place;
  }

  /** The chosen bytes; null where the structure of the chosen entry is meant. */
  get bytes(): ByteRange | null {
    return this.state.bytes;
  }

  /** The volume that is shown. */
  get volume(): VolumeSummary | null {
    return this.image?.volumes.find(({ index }) => index === this.place?.volume) ?? null;
  }

  /** What the listing of the place asks for, but for its window. */
  get query(): Omit<ListQuery, 'start' | 'count'> | null {
    const directory = this.place?.trail.at(-1);
    if (!this.place || !directory) return null;
    const { deleted, filter, sort, descending } = this.state;
    const { volume } = this.place;
    return { volume, directory: directory.node, deleted, filter, sort, descending };
  }

  /** Asks for everything anew: at first, and whenever the image or the engine is another. */
  async load(): Promise<void> {
    const load = ++this.loads;
    try {
      const image = await this.host.summary();
      const before = this.place;
      const found = await this.findPlace(image);
      if (load !== this.loads) return;
      // The person, or the extension host, may have gone elsewhere meanwhile.
      const place = this.place === before ? found : this.place;
      this.image = image;
      this.failure = null;
      this.revision++;
      this.update({ place });
      this.tellSelection();
      this.countSpace(countAfter);
    } catch (error) {
      if (load === this.loads) this.fail(messageOf(error));
    }
  }

  /** Shows why nothing can be asked at present; what is known stays. */
  fail(message: string): void {
    this.failure = message;
    this.changed();
  }

  /** Changes what is remembered, and tells the views. */
  update(change: Partial<ViewState>): void {
    this.remember(change);
    this.changed();
  }

  /** Changes what is remembered, where no view but the caller shows it. */
  remember(change: Partial<ViewState>): void {
    this.state = { ...this.state, ...change };
    this.saveTimer ??= setTimeout(() => {
      this.saveTimer = undefined;
      this.store.setState(this.state);
    }, saveAfter);
  }

  /** Changes what is listed, and in which order; the listing then starts at its top. */
  arrange(change: Partial<Pick<ViewState, 'sort' | 'descending' | 'filter' | 'deleted'>>): void {
    this.update({ ...change, place: this.place && { ...this.place, scroll: null } });
  }

  /** Remembers how far the place is scrolled, in rows. */
  rememberScroll(scroll: number): void {
    if (this.place) this.remember({ place: { ...this.place, scroll } });
  }

  /** Chooses an entry of the directory that is shown, and its record with it. */
  choose(chosen: Chosen | null): void {
    if (!this.place) return;
    const record = chosen?.offset ?? null;
    this.update({ place: { ...this.place, chosen, record, unit: null }, bytes: null });
    this.tellSelection();
  }

  /**
   * Chooses a directory record or slot of the directory that is shown.
   * @param bytes of the record, in the image
   * @param chosen the entry that it makes; null where it makes none
   */
  chooseRecord(bytes: ByteRange, chosen: Chosen | null): void {
    if (!this.place) return;
    const place = { ...this.place, chosen, record: bytes.offset, unit: null };
    this.update({ place, bytes });
    this.tellSelection();
  }

  /** Chooses a block or cluster of the volume that is shown, and its bytes; the entry stays. */
  chooseUnit(unit: number): void {
    const bytes = selection.unitBytes(this.volume, unit);
    if (!this.place || !bytes) return;
    this.update({ place: { ...this.place, record: null, unit }, bytes });
    this.tellSelection();
  }

  /** Chooses bytes of the image, and the unit that holds the first of them; the entry stays. */
  chooseBytes(offset: number, length: number): void {
    this.update(this.bytesStop(offset, length));
    this.tellTimer ??= setTimeout(() => this.tellSelection(), tellAfter);
  }

  /** Shows another view of what is chosen. */
  showView(view: ViewId): void {
    this.go({ view });
  }

  /** Shows an entry of the directory that is shown, or with null the directory, in a view. */
  showEntry(view: ViewId, chosen: Chosen | null = this.place?.chosen ?? null): void {
    if (!this.place) return;
    const record = chosen?.offset ?? null;
    this.go({ view, place: { ...this.place, chosen, record, unit: null }, bytes: null });
  }

  /** Shows a node as an entry of its directory, once the way to it is found. */
  async showNode(node: NodeId, view: ViewId = 'files', volume = this.place?.volume): Promise<void> {
    if (volume === undefined) return;
    const steps = await this.tryTo(() => this.stepsTo(volume, node));
    if (!steps) return;
    if (steps.length === 0) return this.showLost(volume, node, view);
    const above = steps.slice(0, -1);
    const last = steps[steps.length - 1];
    const place =
      above.length === 0
        ? selection.placeAt(volume, steps)
        : selection.placeAt(volume, above, { ...last, offset: null });
    this.go({ view, place, bytes: null });
  }

  /**
   * Shows the records of a directory.
   * @param record where the one that is to be chosen lies in the image, in bytes
   */
  async showRecords(
    directory: NodeId,
    record: number | null = null,
    volume = this.place?.volume,
  ): Promise<void> {
    if (volume === undefined) return;
    const found = await this.tryTo(() => this.stepsTo(volume, directory));
    if (!found) return;
    const trail =
      found.length > 0 ? found : await this.tryTo(() => this.lostTrail(volume, directory));
    if (!trail) return;
    const place = { ...selection.placeAt(volume, trail), record };
    this.go({ view: 'records', place, bytes: null });
  }

  /** Shows a block or cluster. */
  async showUnit(unit: number, view: ViewId = 'space', volume = this.place?.volume): Promise<void> {
    if (!this.image || volume === undefined) return;
    const place = await this.tryTo(() => this.placeIn(volume));
    const bytes = selection.unitBytes(this.volumeAt(volume), unit);
    if (place && bytes) this.go({ view, place: { ...place, record: null, unit }, bytes });
  }

  /** Shows bytes of the image. */
  showBytes(offset: number, length: number, view: ViewId = 'structures'): void {
    this.go({ view, ...this.bytesStop(offset, length) });
  }

  /** Shows an entry in a view, or with null what is chosen in the view that is shown. */
  async showIn(view: ViewId, entry: Required<EntryPlace> | null): Promise<void> {
    const { place, bytes, state } = this;
    if (entry && place) {
      const { node, path, type } = entry;
      const name = path.slice(path.lastIndexOf('/') + 1);
      const chosen =
        place.chosen?.node === node ? place.chosen : { node, name, type, offset: null };
      return this.showEntry(view, chosen);
    }
    if (state.view === 'files' || !bytes) return this.showEntry(view);
    if (view === 'structures') return this.showBytes(bytes.offset, bytes.length);
    if (state.view === 'records' && view === 'files') return this.showEntry(view);
    const at = await this.tryTo(() => this.host.placeAt(bytes.offset));
    if (!at) return;
    if (at.volume === null || at.unit === null) {
      return this.tell('No file and no directory lies there.');
    }
    if (view === 'space') return this.showUnit(at.unit, view, at.volume);
    return this.showOwner(at.volume, at.unit, bytes, view);
  }

  /** Who owns a unit; finds out who owns what first, where that is not known yet. */
  async ownerOf(volume: number, unit: number): Promise<OwnerAnswer> {
    await this.seek('Finding out who owns what…', (task) => this.host.findOwners(volume, task));
    return this.seek('Looking for the owner…', (task) => this.host.owner(volume, unit, task));
  }

  /** Shows the root of another volume. */
  async openVolume(index: number): Promise<void> {
    if (!this.image || index === this.place?.volume) return;
    const load = ++this.loads;
    const place = await this.rootOf(this.image, index);
    if (load !== this.loads) return;
    this.go({ place, bytes: null });
  }

  /** Shows a directory of the one that is shown. */
  enter(step: Step): void {
    if (!this.place) return;
    const { volume, trail } = this.place;
    this.go({ place: selection.placeAt(volume, [...trail, step]), bytes: null });
  }

  /** Shows the directory `depth` steps below the root, with the way back from it chosen. */
  climb(depth: number): void {
    const left = this.place?.trail[depth + 1];
    if (!this.place || !left || depth < 0) return;
    const { volume, trail } = this.place;
    const chosen: Chosen = { ...left, type: 'directory', offset: null };
    this.go({ place: selection.placeAt(volume, trail.slice(0, depth + 1), chosen), bytes: null });
  }

  /** Shows the parent of the directory that is shown. */
  up(): void {
    if (this.place) this.climb(this.place.trail.length - 2);
  }

  /** Shows the place before this one; false at the beginning. */
  back(): boolean {
    return this.travel(selection.stepBack);
  }

  /** Shows the place one came back from; false at the end. */
  forward(): boolean {
    return this.travel(selection.stepForward);
  }

  /** Shows what "Go to…" leads to. */
  async reveal(destination: Destination, view: ViewId): Promise<void> {
    switch (destination.kind) {
      case 'entry':
        return this.revealEntry(destination.entry, view);
      case 'node':
        return this.showNode(destination.node, view, destination.volume);
      case 'unit':
        return this.showUnit(destination.unit, view, destination.volume);
      case 'bytes':
        return this.showBytes(destination.bytes.offset, destination.bytes.length, view);
    }
  }

  /** Shows what a symlink of the directory leads to, if that is in this volume. */
  async follow(target: string): Promise<void> {
    if (!this.place) return;
    const { volume, trail } = this.place;
    const path = target.startsWith('/') ? target : selection.pathIn(trail, target);
    const steps = await this.tryTo(() => this.host.resolve(volume, path));
    if (!steps) return;
    const last = steps[steps.length - 1];
    const place =
      last.type === 'directory'
        ? selection.placeAt(volume, steps)
        : selection.placeAt(volume, steps.slice(0, -1), { ...last, offset: null });
    this.go({ place, bytes: null });
  }

  /** Counts the free space of the volume, now or a little later. */
  countSpace(after = 0): void {
    this.stopCounting();
    this.space = null;
    const { volume } = this;
    if (!volume || volume.unreadable !== null) return;
    const timer = setTimeout(() => {
      this.showSpace({ state: 'counting', done: 0, total: 0 });
      const task = this.tasks.start(
        (id) => this.host.freeSpace(volume.index, id),
        (done, total) => {
          if (this.stopCounting === stop) this.showSpace({ state: 'counting', done, total });
        },
      );
      const stop = () => task.cancel();
      this.stopCounting = stop;
      void task.answer
        .then(
          (summary): Space => ({ state: 'counted', summary }),
          (error: unknown): Space => ({ state: 'failed', message: messageOf(error) }),
        )
        .then((space) => {
          if (this.stopCounting === stop) this.showSpace(space);
        });
    }, after);
    this.stopCounting = () => clearTimeout(timer);
  }

  /** Gives the counting up. */
  stopCountingSpace(): void {
    this.stopCounting();
    this.stopCounting = () => undefined;
    this.showSpace({ state: 'stopped' });
  }

  /** Everything that a step of the history remembers. */
  private get stop(): Stop {
    const { view, place, bytes } = this.state;
    return { view, place, bytes };
  }

  private go(to: Partial<Stop>): void {
    const from = this.stop;
    const stop = { ...from, ...to };
    const { history } = this.state;
    this.arrive(stop, selection.isSameStop(from, stop) ? history : selection.leave(history, from));
  }

  private travel(step: typeof selection.stepBack): boolean {
    const found = step(this.state.history, this.stop);
    if (!found) return false;
    this.arrive(...found);
    return true;
  }

  private arrive(stop: Stop, history: selection.History): void {
    const from = this.place;
    const { place } = stop;
    const stays = place && from && selection.sameDirectory(from, place);
    // What a filter hides cannot be shown as chosen.
    const filter = stays && place.chosen === from.chosen ? this.state.filter : '';
    this.notice = null;
    this.update({ ...stop, history, filter });
    this.tellSelection();
    if (from?.volume !== place?.volume) this.countSpace(countAfter);
  }

  private bytesStop(offset: number, length: number): Pick<Stop, 'place' | 'bytes'> {
    const unit = selection.unitAt(this.volume, offset);
    return {
      place: this.place && { ...this.place, record: null, unit },
      bytes: { offset, length },
    };
  }

  private volumeAt(index: number): VolumeSummary | null {
    return this.image?.volumes.find((one) => one.index === index) ?? null;
  }

  /** The place that is shown, or the root of another volume. */
  private async placeIn(volume: number): Promise<Place | null> {
    if (this.place?.volume === volume) return this.place;
    return this.image && this.rootOf(this.image, volume);
  }

  private async revealEntry(entry: EntryPlace, view: ViewId): Promise<void> {
    const { volume, directoryPath, node, path, type = 'unknown' } = entry;
    const name = path?.slice(path.lastIndexOf('/') + 1);
    const chosen =
      node !== undefined && name !== undefined ? { node, name, type, offset: null } : null;
    const trail = await this.tryTo(() => this.host.resolve(volume, directoryPath));
    if (trail) this.go({ view, place: selection.placeAt(volume, trail, chosen), bytes: null });
  }

  private async showOwner(
    volume: number,
    unit: number,
    bytes: ByteRange,
    view: ViewId,
  ): Promise<void> {
    const owner = await this.tryTo(() => this.ownerOf(volume, unit));
    if (!owner) return;
    if (owner.node === undefined) return this.tell(`No entry owns it: ${owner.name}.`);
    const inRecords = view === 'records' && owner.role === 'directory';
    if (inRecords) return this.showRecords(owner.node, bytes.offset, volume);
    return this.showNode(owner.node, view, volume);
  }

  /**
   * The steps from the root to a node, the node being the last; none where nothing leads to it.
   */
  private async stepsTo(volume: number, node: NodeId): Promise<readonly (Step & Typed)[]> {
    const directory = { type: 'directory' } as const;
    if (this.place?.volume === volume) {
      const { trail, chosen } = this.place;
      const steps = trail.map((step) => ({ ...step, ...directory }));
      const depth = steps.findIndex((step) => step.node === node);
      if (depth >= 0) return steps.slice(0, depth + 1);
      if (chosen?.node === node) return [...steps, chosen];
    }
    const paths = await this.seek('Looking for the way there…', (task) =>
      this.host.pathsOf(volume, node, task),
    );
    return paths.length === 0 ? [] : this.host.resolve(volume, paths[0]);
  }

  /** A node that nothing leads to can still be shown as what it is on disk. */
  private async showLost(volume: number, node: NodeId, view: ViewId): Promise<void> {
    const details = await this.tryTo(() => this.host.details(volume, node, 0));
    if (!details) return;
    if (details.type === 'directory' && view !== 'structures') {
      const trail = await this.tryTo(() => this.lostTrail(volume, node));
      if (trail) this.go({ view, place: selection.placeAt(volume, trail), bytes: null });
    } else {
      const [structure] = details.structures;
      this.showBytes(details.offset, structure?.length ?? 1);
      this.tell('No path leads there: this is what it is on disk.');
    }
  }

  private async lostTrail(volume: number, node: NodeId): Promise<readonly Step[]> {
    const [root] = await this.host.resolve(volume, '/');
    const { number } = await this.host.details(volume, node, 0);
    return [root, { name: `#${number}`, node }];
  }

  /** Tells the person what went wrong; null then, and where they gave it up. */
  private async tryTo<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
    try {
      return await ask();
    } catch (error) {
      if (!isCancelled(error)) this.tell(messageOf(error));
      return null;
    }
  }

  private tell(notice: string): void {
    this.notice = notice;
    this.changed();
  }

  /** Asks what may take long: shows that, and lets the person give it up. */
  private async seek<Answer>(
    text: string,
    ask: (task: TaskId) => Promise<Answer>,
  ): Promise<Answer> {
    this.search?.cancel();
    const task: Task<Answer> = this.tasks.start(ask, (done, total) => {
      if (this.search === null || this.seeking !== task || total <= 0) return;
      this.showSearch({ ...this.search, share: done / total });
    });
    this.seeking = task;
    const timer = setTimeout(
      () => this.showSearch({ text, share: null, cancel: () => task.cancel() }),
      announceAfter,
    );
    try {
      return await task.answer;
    } finally {
      clearTimeout(timer);
      if (this.seeking === task) this.showSearch(null);
    }
  }

  private showSearch(search: Search | null): void {
    if (this.search === search) return;
    this.search = search;
    this.changed();
  }

  /** Where to be in an image that was just opened, or has just changed. */
  private async findPlace(image: ImageSummary): Promise<Place | null> {
    const kept = this.place;
    if (kept && image.volumes.some(({ index }) => index === kept.volume)) {
      if (kept.trail.length > 0) return this.findAgain(image, kept);
      return this.rootOf(image, kept.volume);
    }
    const index = image.first ?? image.volumes.at(0)?.index;
    return index === undefined ? null : this.rootOf(image, index);
  }

  private async rootOf(image: ImageSummary, index: number): Promise<Place> {
    const volume = image.volumes.find((one) => one.index === index);
    const closed = !volume || volume.unreadable !== null;
    const trail = closed ? [] : await this.host.resolve(index, '/');
    return selection.placeAt(index, trail);
  }

  /** The same directory in a changed image, or the nearest one above that is still there. */
  private async findAgain(image: ImageSummary, place: Place): Promise<Place> {
    const { volume, trail } = place;
    if (image.volumes.find((one) => one.index === volume)?.unreadable !== null) {
      return this.rootOf(image, volume);
    }
    for (let depth = trail.length; depth > 0; depth--) {
      const found = await this.findTrail(volume, trail.slice(0, depth));
      if (!found) continue;
      if (depth === trail.length) return { ...place, trail: found };
      this.notice = `${selection.pathOf(trail)} is no longer there.`;
      return selection.placeAt(volume, found);
    }
    return this.rootOf(image, volume);
  }

  private async findTrail(volume: number, trail: readonly Step[]): Promise<readonly Step[] | null> {
    const path = selection.pathOf(trail);
    const steps = await this.host.resolve(volume, path).catch(nullUnlessEnded);
    if (steps?.at(-1)?.type === 'directory') return steps;
    // No path leads to a deleted directory, but its node may still be one.
    const node = trail.at(-1)?.node;
    if (node === undefined) return null;
    const details = await this.host.details(volume, node, 0).catch(nullUnlessEnded);
    return details?.type === 'directory' ? trail : null;
  }

  private showSpace(space: Space): void {
    this.space = space;
    this.changed();
  }

  private tellSelection(): void {
    clearTimeout(this.tellTimer);
    this.tellTimer = undefined;
    // Nothing depends on the answer, and a failure is told by the engine's own events.
    void this.host.selectionChanged(selection.selectionOf(this.stop)).catch(() => undefined);
  }

  private changed(): void {
    this.dispatchEvent(new Event('change'));
  }
}

interface Typed {
  readonly type: NodeType;
}

/** Takes "there is no such thing" for an answer, but not the end of the engine. */
function nullUnlessEnded(error: unknown): null {
  if (hasEnded(error)) throw error;
  return null;
}
