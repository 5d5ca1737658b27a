import type {
  ByteRange,
  ImageDifference,
  ImageSummary,
  ListQuery,
  NodeId,
  OwnerAnswer,
  TaskId,
  ViewId,
  VolumeSummary,
} from '../../src/protocol/requests';
import { VolumeChecks } from '../checks/volume-checks';
import { isCancelled, messageOf } from './errors';
import { findPlace, rootOf } from './find-place';
import { FreeSpaceCount, type Space } from './free-space';
import type { Host } from './host';
import { Inquiries, type Inquiry } from './inquiries';
import * as selection from './selection';
import type { Chosen, Place, Step, Stop } from './selection';
import { readState, type ViewState } from './state';
import { StateKeeper, type StateStore } from './state-keeper';
import type { Tasks } from './tasks';
import { Ways } from './ways';

/** Lets the first rows come before the engine is asked to count. */
const countAfter = 300;
/** Moving through bytes tells the extension host only where it stops. */
const tellAfter = 100;

/**
 * One open image as this webview sees it: what the engine says of it, where in it the person is.
 * All views read it, and are told by `change` events.
 */
export class Inspection extends EventTarget {
  /** Null until the engine has answered. */
  image: ImageSummary | null = null;
  /** Why there is no engine, or no answer. */
  failure: string | null = null;
  /** Whether the file is no longer there: the image is shown as it was last. */
  isGone = false;
  /** Something that the person should know of where they ended up. */
  notice: string | null = null;
  /** What another program has changed, until the person has seen it. */
  outside: ImageDifference | null = null;
  /** Counts the versions of the image: answers to an older one are out of date. */
  revision = 0;
  state: ViewState;
  readonly checks: VolumeChecks;

  private readonly freeSpace: FreeSpaceCount;
  private readonly inquiries: Inquiries;
  private readonly ways: Ways;
  private readonly keeper: StateKeeper;
  private loads = 0;
  private wasOpened: () => void = () => undefined;
  /** Resolves once the engine has answered for the first time. */
  readonly opened = new Promise<void>((resolve) => {
    this.wasOpened = resolve;
  });
  private tellTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly host: Host,
    readonly tasks: Tasks,
    store: StateStore,
  ) {
    super();
    const changed = () => this.changed();
    this.state = readState(store.getState());
    this.keeper = new StateKeeper(store);
    this.freeSpace = new FreeSpaceCount(host, tasks, changed);
    this.checks = new VolumeChecks(host, tasks, changed);
    this.inquiries = new Inquiries(tasks, changed);
    this.ways = new Ways(host, this.inquiries);
  }

  get space(): Space | null {
    return this.freeSpace.space;
  }

  /** What one waits for. */
  get inquiry(): Inquiry | null {
    return this.inquiries.current;
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
    this.forgetNotices();
    try {
      const image = await this.host.summary();
      const before = this.place;
      const found = await findPlace(this.host, image, before, this.state.view);
      if (load !== this.loads) return;
      // The person, or the extension host, may have gone elsewhere meanwhile.
      const place = this.place === before ? found.place : this.place;
      this.notice = found.notice ?? this.notice;
      this.image = image;
      this.failure = null;
      this.revision++;
      this.update({ place });
      this.tellSelection();
      this.countSpace(countAfter);
      void this.checks.follow(this.volume);
      this.wasOpened();
    } catch (error) {
      if (load === this.loads) this.fail(messageOf(error));
    }
  }

  /** Shows why nothing can be asked at present; what is known stays. */
  fail(message: string): void {
    this.failure = message;
    this.changed();
  }

  /** The file of the image is no longer there, or is back. */
  setGone(isGone: boolean): void {
    this.isGone = isGone;
    if (isGone) this.forgetNotices();
    this.changed();
  }

  /** What another program has changed; null once the person has seen it. */
  setOutside(difference: ImageDifference | null): void {
    this.outside = difference;
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
    this.keeper.save(this.state);
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
    const { chosen: before, unit } = this.place;
    const record = chosen?.offset ?? null;
    // Learning where an entry lies is no other choice.
    const learns = before?.offset === null && before.node === chosen?.node;
    const rest = learns ? { unit, bytes: this.bytes } : { unit: null, bytes: null };
    this.update({ place: { ...this.place, chosen, record, unit: rest.unit }, bytes: rest.bytes });
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

  /**
   * Chooses bytes of the image; the entry stays.
   * @param unit the block or cluster that is meant; by default that which holds the first of them
   */
  chooseBytes(offset: number, length: number, unit?: number): void {
    this.update(this.bytesStop(offset, length, unit));
    this.tellTimer ??= setTimeout(() => this.tellSelection(), tellAfter);
  }

  /** Chooses an entry elsewhere beside the bytes that are chosen: other views will show it. */
  chooseElsewhere(place: Place): void {
    const { record, unit } = this.place ?? { record: null, unit: null };
    this.update({ place: { ...place, record, unit }, filter: '' });
    this.tellSelection();
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
    const steps = await this.tryTo(() => this.ways.to(volume, node, this.place));
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
    const found = await this.tryTo(() => this.ways.to(volume, directory, this.place));
    if (!found) return;
    const trail =
      found.length > 0 ? found : await this.tryTo(() => this.ways.toLost(volume, directory));
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

  /** Who owns a unit; finds out who owns what first, where that is not known yet. */
  ownerOf(volume: number, unit: number): Promise<OwnerAnswer> {
    return this.ways.toOwner(volume, unit);
  }

  /** Shows the root of another volume. */
  async openVolume(index: number): Promise<void> {
    if (!this.image || index === this.place?.volume) return;
    const load = ++this.loads;
    const place = await rootOf(this.host, this.image, index);
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

  /** Shows the volume after the replay of its journal, or as it is on disk, in all editors. */
  async showReplayed(replayed: boolean): Promise<void> {
    const index = this.place?.volume;
    if (index === undefined) return;
    const ask = (task: TaskId) => this.host.showReplayed(index, replayed, task);
    await this.tryTo(() => this.inquiries.ask('Replaying the journal…', ask));
    this.changed();
  }

  /** Counts the free space of the volume, now or a little later. */
  countSpace(after = 0): void {
    this.freeSpace.start(this.volume, after);
  }

  /** Gives the counting up. */
  stopCountingSpace(): void {
    this.freeSpace.stop();
  }

  /** Everything that a step of the history remembers. */
  private get stop(): Stop {
    const { view, place, bytes } = this.state;
    return { view, place, bytes };
  }

  /** Goes elsewhere, with a step of the history where that is one. */
  go(to: Partial<Stop>): void {
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
    if (from?.volume === place?.volume) return;
    this.countSpace(countAfter);
    void this.checks.follow(this.volume);
  }

  private bytesStop(
    offset: number,
    length: number,
    unit = selection.unitAt(this.volume, offset),
  ): Pick<Stop, 'place' | 'bytes'> {
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
    return this.image && rootOf(this.host, this.image, volume);
  }

  /** A node that nothing leads to can still be shown as what it is on disk. */
  private async showLost(volume: number, node: NodeId, view: ViewId): Promise<void> {
    const details = await this.tryTo(() => this.host.details(volume, node, 0));
    if (!details) return;
    if (details.type === 'directory' && view !== 'structures') {
      const trail = await this.tryTo(() => this.ways.toLost(volume, node));
      if (trail) this.go({ view, place: selection.placeAt(volume, trail), bytes: null });
    } else {
      const [structure] = details.structures;
      this.showBytes(details.offset, structure?.length ?? 1);
      this.tell('No path leads there: this is what it is on disk.');
    }
  }

  /** Tells the person what went wrong; null then, and where they gave it up. */
  async tryTo<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
    try {
      return await ask();
    } catch (error) {
      if (!isCancelled(error)) this.tell(messageOf(error));
      return null;
    }
  }

  /** Tells the person something that they should know of where they are; null once they do. */
  tell(notice: string | null): void {
    this.notice = notice;
    this.changed();
  }

  /** What was told of the image as it was before says nothing of it as it is now. */
  private forgetNotices(): void {
    this.notice = null;
    this.outside = null;
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
