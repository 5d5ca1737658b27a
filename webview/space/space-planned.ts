/** What of a map's cells is planned to be taken, or given back. */
import { cellOfUnit, startOfCell, type Stretch } from './space-grid';

/** A byte of share that stands for all of a cell. */
const wholeShare = 255;

/**
 * For each cell of a stretch the share that is planned, 255 being all. What takes any of a cell
 * has 1 at least.
 * @param planned runs of units that do not overlap
 */
export function plannedShares(
  planned: readonly Stretch[],
  stretch: Stretch,
  cells: number,
): Uint8Array {
  const units = new Float64Array(cells);
  const end = stretch.first + stretch.units;
  for (const run of planned) {
    let at = Math.max(run.first, stretch.first);
    const runEnd = Math.min(run.first + run.units, end);
    while (at < runEnd) {
      const cell = cellOfUnit(stretch, cells, at);
      const cellEnd = Math.min(startOfCell(stretch, cells, cell + 1), runEnd);
      units[cell] += cellEnd - at;
      at = cellEnd;
    }
  }
  return Uint8Array.from(units, (count, cell) => {
    if (count === 0) return 0;
    const all = startOfCell(stretch, cells, cell + 1) - startOfCell(stretch, cells, cell);
    return Math.max(1, Math.floor((wholeShare * count) / all));
  });
}
