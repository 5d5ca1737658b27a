import type {
  FreeSpaceSummary,
  ImageSummary,
  ListQuery,
  Selection,
  VolumeSummary,
} from '../src/protocol/requests';
import { hasEnded, messageOf } from './errors';
import type { Host } from './host';
import * as selection from './selection';
import type { Chosen, Place, Step } from './selection';
import { readState, type ViewState } from './state';
import type { Tasks } from './tasks';

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

/** Lets the first rows come before the engine is asked to count. */
const countAfter = 300;
/** State is saved at most this often; VS Code ends a hidden webview without notice. */
const saveAfter = 50;

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
  /** Counts the versions of the image: answers to an older one are out of date. */
  revision = 0;
  state: ViewState;

  private loads = 0;
  private stopCounting: () => void = () => undefined;
  private saveTimer: ReturnType<typeof setTimeout> | undefined;

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

  choose(chosen: Chosen | null): void {
    if (!this.place) return;
    this.update({ place: { ...this.place, chosen } });
    this.tellSelection();
  }

  /** Shows the root of another volume. */
  async openVolume(index: number): Promise<void> {
    if (!this.image || index === this.place?.volume) return;
    const load = ++this.loads;
    const place = await this.rootOf(this.image, index);
    if (load !== this.loads) return;
    this.go(place);
    this.countSpace(countAfter);
  }

  /** Shows a directory of the one that is shown. */
  enter(step: Step): void {
    if (!this.place) return;
    const { volume, trail } = this.place;
    this.go({ volume, trail: [...trail, step], chosen: null, scroll: null });
  }

  /** Shows the directory `depth` steps below the root, with the way back from it chosen. */
  climb(depth: number): void {
    const left = this.place?.trail[depth + 1];
    if (!this.place || !left || depth < 0) return;
    this.go({
      volume: this.place.volume,
      trail: this.place.trail.slice(0, depth + 1),
      chosen: { ...left, type: 'directory', offset: null },
      scroll: null,
    });
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

  /** Shows a directory with one of its entries chosen, as the extension host asks. */
  async reveal(target: Selection): Promise<void> {
    const { volume, directoryPath, node, path, type = 'unknown' } = target;
    const name = path?.slice(path.lastIndexOf('/') + 1);
    const chosen =
      node !== undefined && name !== undefined ? { node, name, type, offset: null } : null;
    try {
      const trail = await this.host.resolve(volume, directoryPath);
      const place = { volume, trail, chosen, scroll: null };
      const moved = this.place?.volume !== volume;
      this.remember({ view: 'files' });
      this.go(place);
      if (moved) this.countSpace(countAfter);
    } catch (error) {
      this.notice = messageOf(error);
      this.changed();
    }
  }

  /** Shows what a symlink of the directory leads to, if that is in this volume. */
  async follow(target: string): Promise<void> {
    if (!this.place) return;
    const { volume, trail } = this.place;
    const path = target.startsWith('/') ? target : selection.pathIn(trail, target);
    try {
      const steps = await this.host.resolve(volume, path);
      const last = steps[steps.length - 1];
      const inside = last.type === 'directory';
      this.go({
        volume,
        trail: inside ? steps : steps.slice(0, -1),
        chosen: inside ? null : { ...last, offset: null },
        scroll: null,
      });
    } catch (error) {
      this.notice = messageOf(error);
      this.changed();
    }
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

  private go(place: Place): void {
    const from = this.place;
    const stays = from && selection.sameDirectory(from, place);
    this.notice = null;
    this.update({
      place,
      filter: '',
      history: from && !stays ? selection.leave(this.state.history, from) : this.state.history,
    });
    this.tellSelection();
  }

  private travel(step: typeof selection.stepBack): boolean {
    const found = this.place && step(this.state.history, this.place);
    if (!found) return false;
    const [place, history] = found;
    const moved = place.volume !== this.place?.volume;
    this.notice = null;
    this.update({ place, history, filter: '' });
    this.tellSelection();
    if (moved) this.countSpace(countAfter);
    return true;
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
    return { volume: index, trail, chosen: null, scroll: null };
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
      return { volume, trail: found, chosen: null, scroll: null };
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
    const chosen = this.place && selection.selectionOf(this.place);
    // Nothing depends on the answer, and a failure is told by the engine's own events.
    if (chosen) void this.host.selectionChanged(chosen).catch(() => undefined);
  }

  private changed(): void {
    this.dispatchEvent(new Event('change'));
  }
}

/** Takes "there is no such thing" for an answer, but not the end of the engine. */
function nullUnlessEnded(error: unknown): null {
  if (hasEnded(error)) throw error;
  return null;
}
