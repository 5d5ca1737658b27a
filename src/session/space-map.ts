import type { Extent } from '../filesystem/extents';
import type { UnitGeometry } from '../filesystem/filesystem';
import { roles } from '../filesystem/ownership';
import { ImageError } from '../image/errors';
import type { SpaceMap, SpaceMapQuery } from './layout-answers';
import type { SpaceIndex } from './space-index';

/** More cells than any screen has pixels in a row of them; bounds what can be asked for. */
const cellLimit = 65_536;
const whole = 255;

/** Cells of equal size over a stretch of the volume. */
class Grid {
  readonly first: number;
  readonly units: number;
  readonly cells: number;

  constructor(unit: UnitGeometry, query: SpaceMapQuery) {
    const { first, units, cells } = query;
    if (!(first >= 0 && units >= 0 && cells >= 1)) {
      throw new ImageError('usage', `There is no map of ${units} units in ${cells} cells.`);
    }
    const end = unit.first + unit.count;
    this.first = Math.min(Math.max(Math.floor(first), unit.first), end);
    this.units = Math.max(0, Math.min(Math.ceil(first + units), end) - this.first);
    this.cells = Math.min(Math.floor(cells), this.units, cellLimit);
  }

  /** First unit of a cell; of the one past the last, the end of the stretch. */
  startOf(cell: number): number {
    return this.first + Math.floor((cell * this.units) / this.cells);
  }
}

/** Draws a stretch of the volume. @param highlight the runs of the highlighted node, by place */
export function drawSpace(
  unit: UnitGeometry,
  space: SpaceIndex,
  hasOwners: boolean,
  query: SpaceMapQuery,
  highlight: readonly Extent[] | null,
): SpaceMap {
  const grid = new Grid(unit, query);
  return {
    firstUnit: grid.first,
    units: grid.units,
    cells: grid.cells,
    roles,
    shares: sharesOf(grid, space),
    highlighted: highlight && sharesOfRuns(grid, highlight),
    totals: space.totals,
    hasOwners,
  };
}

function sharesOf(grid: Grid, space: SpaceIndex): Uint8Array {
  const shares = new Uint8Array(grid.cells * roles.length);
  const countTo = space.counter();
  const before = Float64Array.from(countTo(grid.first));
  for (let cell = 0; cell < grid.cells; cell++) {
    const end = grid.startOf(cell + 1);
    const length = end - grid.startOf(cell);
    const counts = countTo(end);
    for (let role = 0; role < roles.length; role++) {
      shares[cell * roles.length + role] = share(counts[role] - before[role], length);
    }
    before.set(counts);
  }
  return shares;
}

/** @param runs in the order of their place */
function sharesOfRuns(grid: Grid, runs: readonly Extent[]): Uint8Array {
  const shares = new Uint8Array(grid.cells);
  let next = firstEndingPast(runs, grid.first);
  for (let cell = 0; cell < grid.cells && next < runs.length; cell++) {
    const start = grid.startOf(cell);
    const end = grid.startOf(cell + 1);
    let units = 0;
    for (; next < runs.length && runs[next].physical < end; next++) {
      const { physical, length } = runs[next];
      units += Math.min(end, physical + length) - Math.max(start, physical);
      if (physical + length > end) break; // it goes on in the next cell
    }
    shares[cell] = share(units, end - start);
  }
  return shares;
}

/** A byte that is 0 only for nothing, so that a single unit of a large volume can be seen. */
function share(units: number, length: number): number {
  return units > 0 ? Math.min(whole, Math.max(1, Math.round((whole * units) / length))) : 0;
}

function firstEndingPast(runs: readonly Extent[], unit: number): number {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (runs[middle].physical + runs[middle].length <= unit) low = middle + 1;
    else high = middle;
  }
  return low;
}
