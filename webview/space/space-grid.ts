/**
 * The geometry of a map of units: a stretch of the volume, cut into cells that stand in rows, read
 * from left to right. Numbers are units unless they are called cells or pixels.
 */

/** Consecutive units of a volume. */
export interface Stretch {
  readonly first: number;
  readonly units: number;
}

/** What a map can be drawn on, in pixels. */
export interface Room {
  readonly width: number;
  readonly height: number;
}

/** Cells of `pitch` by `pitch` pixels; those of the last row may be fewer than the columns. */
export interface CellGrid {
  readonly pitch: number;
  readonly columns: number;
  readonly rows: number;
  readonly cells: number;
}

/** The sizes that cells have, in pixels. They grow only where each of them is a single unit. */
const pitches = { least: 10, most: 28 };

/** The engine makes no more cells of one stretch. */
const mostCells = 65_536;

/** The grid for so many units, with cells as large as fit. */
export function layOutGrid(room: Room, units: number): CellGrid {
  let pitch = pitches.most;
  while (pitch > pitches.least && capacity(room, pitch) < units) pitch--;
  const columns = Math.max(1, Math.floor(room.width / pitch));
  const rows = Math.max(1, Math.floor(room.height / pitch));
  return { pitch, columns, rows, cells: Math.min(capacity(room, pitch), units) };
}

/** The first unit of a cell; of the one past the last, the end of the stretch. */
export function startOfCell({ first, units }: Stretch, cells: number, cell: number): number {
  return first + Math.floor((cell * units) / cells);
}

/** The cell that holds a unit of the stretch. */
export function cellOfUnit(stretch: Stretch, cells: number, unit: number): number {
  const place = unit - stretch.first;
  const near = Math.ceil(((place + 1) * cells) / stretch.units) - 1;
  return Math.min(Math.max(near, 0), cells - 1);
}

export function holds({ first, units }: Stretch, unit: number): boolean {
  return unit >= first && unit < first + units;
}

/**
 * The stretch next to the wanted one that lies in the volume and fills the room. Cells hold whole
 * numbers of units, so that they keep their contents when the map moves; only a map of the whole
 * volume may have uneven ones.
 */
export function fitStretch(wanted: Stretch, whole: Stretch, room: Room): Stretch {
  const units = fitUnits(wanted.units, whole.units, room);
  const last = whole.first + whole.units - units;
  return { first: Math.min(Math.max(Math.round(wanted.first), whole.first), last), units };
}

function fitUnits(wanted: number, most: number, room: Room): number {
  if (wanted >= most) return most;
  const dense = capacity(room, pitches.least);
  if (wanted > dense) return Math.min(most, Math.max(1, Math.round(wanted / dense)) * dense);
  return Math.min(most, capacity(room, layOutGrid(room, wanted).pitch));
}

/**
 * Zooms in or out, with a unit staying where it stands.
 * @param factor of the number of units in sight; below 1 zooms in
 */
export function zoomStretch(
  stretch: Stretch,
  whole: Stretch,
  room: Room,
  factor: number,
  unit: number,
): Stretch {
  const units = fitUnits(stretch.units * factor, whole.units, room);
  const share = (unit - stretch.first) / stretch.units;
  return fitStretch({ first: Math.floor(unit) - Math.floor(share * units), units }, whole, room);
}

/** Moves on by so many cells; back where it is negative. */
export function moveStretch(stretch: Stretch, whole: Stretch, cells: number, by: number): Stretch {
  const last = whole.first + whole.units - stretch.units;
  const first = stretch.first + Math.round((by * stretch.units) / cells);
  return { ...stretch, first: Math.min(Math.max(first, whole.first), last) };
}

/** A stretch of the same length with the unit in its middle. */
export function centreOn(stretch: Stretch, whole: Stretch, unit: number): Stretch {
  const last = whole.first + whole.units - stretch.units;
  const first = unit - Math.floor(stretch.units / 2);
  return { ...stretch, first: Math.min(Math.max(first, whole.first), last) };
}

/** The stretch for a close look at a run, with some of what lies around it. */
export function zoomToRun(run: Stretch, whole: Stretch, room: Room): Stretch {
  const around = Math.ceil(run.units / 8);
  const units = fitUnits(run.units + 2 * around, whole.units, room);
  return fitStretch({ first: run.first - (units - run.units) / 2, units }, whole, room);
}

function capacity({ width, height }: Room, pitch: number): number {
  const cells = Math.floor(width / pitch) * Math.floor(height / pitch);
  return Math.min(Math.max(1, cells), mostCells);
}
