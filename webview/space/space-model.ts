import type { NodeId, Role, VolumeSummary } from '../../src/protocol/requests';
import type { Inspection } from '../inspection/inspection';
import { OwnerLookup, type LookupTarget } from '../inspection/owner-lookup';
import { isQuickToSearch, OwnerSearch } from '../inspection/owner-search';
import * as geometry from './space-grid';
import type { CellGrid, Room, Stretch } from './space-grid';
import { SpacePictures, type Picture } from './space-pictures';

/** What is pointed at is looked up once the pointer rests so long, in milliseconds. */
const pointerRests = 120;

/** A cell of the map that is shown. */
export interface Cell extends Stretch {
  readonly index: number;
}

/**
 * The map of the volume that is shown: what of it is in sight, what is pointed at and chosen, and
 * what is known of it. Follows the inspection from volume to volume.
 */
export class SpaceModel {
  readonly pictures: SpacePictures;
  readonly owners: OwnerSearch;
  /** Who owns what the pointer or the cursor is at. */
  readonly pointed: OwnerLookup;
  /** Who owns the chosen unit. */
  readonly chosen: OwnerLookup;
  /** What is in sight; null while there is nothing to show it on, or nothing to show. */
  stretch: Stretch | null = null;
  grid: CellGrid | null = null;
  /** The unit that the keyboard is at. */
  cursor: number | null = null;
  /** The cell under the pointer. */
  hovered: number | null = null;
  /** The units that are about to be taken, or given back. */
  planned: readonly Stretch[] = [];

  private room: Room | null = null;
  private volume: VolumeSummary | null = null;
  private revision = -1;
  private seenUnit: number | null = null;

  constructor(
    private readonly inspection: Inspection,
    private readonly changed: () => void,
  ) {
    const { host, tasks } = inspection;
    const ask = (volume: number, unit: number) =>
      tasks.start((task) => host.owner(volume, unit, task));
    this.pictures = new SpacePictures(host, tasks, changed);
    this.owners = new OwnerSearch(host, tasks, changed);
    this.pointed = new OwnerLookup(ask, pointerRests, changed);
    this.chosen = new OwnerLookup(ask, 0, changed);
  }

  /** All units of the volume; null where there are none. */
  get whole(): Stretch | null {
    const unit = this.volume?.unit;
    return unit && unit.count > 0 ? { first: unit.first, units: unit.count } : null;
  }

  get isWhole(): boolean {
    return this.stretch?.units === this.whole?.units;
  }

  /** The node whose units are told apart: the chosen unit's owner, or the chosen entry. */
  get highlight(): NodeId | null {
    return this.chosen.found?.owner.node ?? this.inspection.place?.chosen?.node ?? null;
  }

  /** The cell that the readout tells of. */
  get focused(): Cell | null {
    if (this.hovered !== null) return this.cellAt(this.hovered);
    const { stretch, cursor } = this;
    if (!stretch || cursor === null || !geometry.holds(stretch, cursor)) return null;
    return this.cellOf(cursor);
  }

  /** The picture of just what is in sight; null until it has come. */
  get picture(): Picture | null {
    const { stretch, grid } = this;
    const { detail } = this.pictures;
    const isShown =
      detail?.first === stretch?.first &&
      detail?.units === stretch?.units &&
      detail?.map.cells === grid?.cells;
    return isShown ? detail : null;
  }

  /** Takes up whatever is other than it was: volume, image, selection, what is in sight. */
  follow(): void {
    const { volume, place, revision } = this.inspection;
    if (volume?.index !== this.volume?.index) this.arrive(volume);
    if (revision !== this.revision) this.owners.forget();
    this.volume = volume;
    this.revision = revision;
    this.layOut();
    const unit = place?.unit ?? null;
    if (unit !== this.seenUnit) {
      this.seenUnit = unit;
      if (unit !== null) this.goTo(unit);
    }
    this.chosen.follow(unit === null ? null : this.target({ first: unit, units: 1 }, null));
    const cell = this.focused;
    this.pointed.follow(cell && this.target(cell, this.mainRole(cell)));
    this.ask();
  }

  /** Asks for nothing any more. */
  close(): void {
    this.pictures.want(null);
    this.owners.forget();
    this.pointed.close();
    this.chosen.close();
  }

  /** What the map is drawn on has this size now, in pixels. */
  resize(room: Room): void {
    this.room = room;
    this.hovered = null;
    this.changed();
  }

  cellAt(index: number): Cell | null {
    const { stretch, grid } = this;
    if (!stretch || !grid || index < 0 || index >= grid.cells) return null;
    const first = geometry.startOfCell(stretch, grid.cells, index);
    const end = geometry.startOfCell(stretch, grid.cells, index + 1);
    return { index, first, units: end - first };
  }

  cellOf(unit: number): Cell | null {
    const { stretch, grid } = this;
    if (!stretch || !grid || !geometry.holds(stretch, unit)) return null;
    return this.cellAt(geometry.cellOfUnit(stretch, grid.cells, unit));
  }

  /** Whether any of a run is planned. */
  isPlanned({ first, units }: Stretch): boolean {
    return this.planned.some((run) => run.first < first + units && run.first + run.units > first);
  }

  /** Zooms by a factor (below 1: in), with a unit staying where it is. */
  zoom(factor: number, unit: number | null = this.cursor): void {
    const { stretch, whole, room } = this;
    if (!stretch || !whole || !room) return;
    const middle = stretch.first + stretch.units / 2;
    const at = unit !== null && geometry.holds(stretch, unit) ? unit : middle;
    this.show(geometry.zoomStretch(stretch, whole, room, factor, at));
  }

  /** Shows all of the volume. */
  zoomToWhole(): void {
    const { whole } = this;
    if (whole) this.show(whole);
  }

  /** Shows a run from near. */
  zoomTo(run: Stretch): void {
    const { whole, room } = this;
    if (whole && room) this.show(geometry.zoomToRun(run, whole, room));
  }

  /** Moves what is in sight by so many cells. */
  pan(cells: number): void {
    const { stretch, whole, grid } = this;
    if (stretch && whole && grid)
      this.show(geometry.moveStretch(stretch, whole, grid.cells, cells));
  }

  /** Has a unit in the middle of what is in sight. */
  centre(unit: number): void {
    const { stretch, whole } = this;
    if (stretch && whole) this.show(geometry.centreOn(stretch, whole, unit));
  }

  point(cell: number | null): void {
    if (cell === this.hovered) return;
    this.hovered = cell;
    this.changed();
  }

  /** Moves the cursor by so many cells, and what is in sight with it. */
  moveCursor(by: number): void {
    const { grid, stretch } = this;
    if (!grid || !stretch) return;
    this.hovered = null;
    const from = this.cursor === null ? null : this.cellOf(this.cursor);
    if (!from) {
      this.cursor = stretch.first;
      return this.changed();
    }
    const beyond = from.index + by;
    const rows = Math.floor(beyond / grid.columns);
    if (beyond < 0) this.pan(rows * grid.columns);
    else if (rows >= grid.rows) this.pan((rows - grid.rows + 1) * grid.columns);
    // How far it could be moved decides where the cursor then stands.
    const moved = this.cellOf(from.first)?.index ?? null;
    const index = moved === null ? beyond - rows * grid.columns : moved + by;
    const cell = this.cellAt(Math.min(Math.max(index, 0), grid.cells - 1));
    this.cursor = cell?.first ?? this.cursor;
    this.changed();
  }

  /** Moves the cursor to a unit, and shows it. */
  goTo(unit: number): void {
    this.cursor = unit;
    this.hovered = null;
    if (this.stretch && !geometry.holds(this.stretch, unit)) this.centre(unit);
    this.changed();
  }

  /** Chooses what the cursor is at: of a cell of several units, one that has its main role. */
  async choose(): Promise<void> {
    const cell = this.focused;
    if (!cell) return;
    this.cursor = cell.first;
    if (cell.units === 1) return this.take(cell.first);
    this.pointed.follow(this.target(cell, this.mainRole(cell)));
    this.changed();
    const { revision, volume } = this;
    const found = await this.pointed.now();
    if (found && revision === this.revision && volume === this.volume) this.take(found.unit);
  }

  private take(unit: number): void {
    this.seenUnit = unit;
    this.cursor = unit;
    this.inspection.chooseUnit(unit);
  }

  private arrive(volume: VolumeSummary | null): void {
    const { map } = this.inspection.state;
    this.stretch = map && map.volume === volume?.index ? map : null;
    this.cursor = null;
    this.hovered = null;
    this.seenUnit = null;
    this.owners.forget();
  }

  private show(stretch: Stretch): void {
    this.stretch = stretch;
    this.hovered = null;
    this.layOut();
    const volume = this.volume?.index ?? 0;
    this.inspection.remember({ map: this.isWhole ? null : { volume, ...stretch } });
    this.changed();
  }

  private layOut(): void {
    const { whole, room } = this;
    if (!whole || !room) {
      this.grid = null;
      return;
    }
    const { first, units } = this.stretch ?? whole;
    this.stretch = geometry.fitStretch({ first, units }, whole, room);
    this.grid = geometry.layOutGrid(room, this.stretch.units);
  }

  private ask(): void {
    const { volume, whole, stretch, grid, pictures, owners } = this;
    const map = pictures.detail?.map;
    if (volume && map && owners.knowledge.state === 'unknown') {
      if (map.hasOwners) owners.learn();
      else if (isQuickToSearch(volume)) owners.start(volume.index);
    }
    if (!volume || !whole || !stretch || !grid) return pictures.want(null);
    const { highlight, version } = this;
    const { cells } = grid;
    pictures.want({ volume: volume.index, whole, stretch, cells, highlight, version });
  }

  /** Names what the answers depend on beside the questions. */
  private get version(): string {
    return `${this.revision} ${this.owners.knowledge.state === 'known'}`;
  }

  private target({ first, units }: Stretch, role: Role | null): LookupTarget {
    return { volume: this.volume?.index ?? 0, first, units, role, version: this.version };
  }

  private mainRole(cell: Cell): Role | null {
    const { picture } = this;
    return picture && picture.map.roles[picture.looks.main[cell.index]];
  }
}
