import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cellOfUnit,
  centreOn,
  fitStretch,
  holds,
  layOutGrid,
  moveStretch,
  startOfCell,
  zoomStretch,
  zoomToRun,
} from '../../../webview/space/space-grid';

/** 90 by 50 of the smallest cells. */
const room = { width: 900, height: 500 };
const whole = { first: 2, units: 129_000 };
/** 16 TiB in blocks of 1 KiB. */
const huge = { first: 1, units: 2 ** 34 };

describe('layOutGrid', () => {
  it('fills the room with small cells where there are more units than cells', () => {
    expect(layOutGrid(room, 129_000)).toEqual({ pitch: 10, columns: 90, rows: 50, cells: 4500 });
  });

  it('grows the cells until the units just fit, and not beyond what can be told apart', () => {
    expect(layOutGrid(room, 1000)).toEqual({ pitch: 20, columns: 45, rows: 25, cells: 1000 });
    expect(layOutGrid(room, 950)).toMatchObject({ pitch: 21, cells: 950 });
    expect(layOutGrid(room, 3)).toEqual({ pitch: 28, columns: 32, rows: 17, cells: 3 });
  });

  it('has a cell even where there is no room', () => {
    expect(layOutGrid({ width: 0, height: -4 }, 100)).toMatchObject({ columns: 1, cells: 1 });
  });

  it('never asks for more cells than the engine makes', () => {
    expect(layOutGrid({ width: 8000, height: 4000 }, huge.units).cells).toBe(65_536);
  });
});

describe('cells and units', () => {
  it('find each other, whatever the stretch', () => {
    const stretches = fc.record({
      first: fc.integer({ min: 0, max: 2 ** 34 }),
      units: fc.integer({ min: 1, max: 2 ** 34 }),
    });
    fc.assert(
      fc.property(
        stretches,
        fc.nat(65_535),
        fc.double({ min: 0, max: 0.999999, noNaN: true }),
        (stretch, more, at) => {
          const cells = Math.min(stretch.units, more + 1);
          const unit = stretch.first + Math.floor(at * stretch.units);
          const cell = cellOfUnit(stretch, cells, unit);
          expect(startOfCell(stretch, cells, cell)).toBeLessThanOrEqual(unit);
          expect(startOfCell(stretch, cells, cell + 1)).toBeGreaterThan(unit);
        },
      ),
    );
  });

  it('cover the stretch from end to end', () => {
    expect(startOfCell(whole, 4500, 0)).toBe(2);
    expect(startOfCell(whole, 4500, 4500)).toBe(129_002);
    expect(cellOfUnit(whole, 4500, 129_001)).toBe(4499);
  });
});

describe('fitStretch', () => {
  it('gives each cell the same whole number of units', () => {
    const { units } = fitStretch({ first: 10, units: 10_000 }, whole, room);
    expect(units).toBe(2 * 4500);
  });

  it('stays in the volume', () => {
    expect(fitStretch({ first: 128_000, units: 9000 }, whole, room)).toEqual({
      first: 120_002,
      units: 9000,
    });
    expect(fitStretch({ first: -50, units: 9000 }, whole, room).first).toBe(2);
    expect(fitStretch({ first: 5000, units: 10 ** 9 }, whole, room)).toEqual(whole);
  });

  it('fills the room from near, too', () => {
    const near = fitStretch({ first: 500, units: 1 }, whole, room);
    const { columns, rows, pitch } = layOutGrid(room, near.units);
    expect(pitch).toBe(28);
    expect(near).toEqual({ first: 500, units: columns * rows });
  });

  it('shows all of a volume that is smaller than the room', () => {
    const floppy = { first: 2, units: 20 };
    expect(fitStretch({ first: 7, units: 3 }, floppy, room)).toEqual(floppy);
  });
});

describe('zoomStretch', () => {
  it.each([whole, huge])('reaches single units from the whole volume, and returns: %o', (all) => {
    const unit = all.first + Math.floor(all.units / 3);
    let stretch = all;
    const seen = [stretch.units];
    for (let step = 0; step < 40; step++) {
      const next = zoomStretch(stretch, all, room, 1 / 2, unit);
      expect(holds(next, unit)).toBe(true);
      if (next.units === stretch.units) break;
      expect(next.units).toBeLessThan(stretch.units);
      stretch = next;
      seen.push(stretch.units);
    }
    expect(layOutGrid(room, stretch.units).pitch).toBe(28);
    for (let step = 0; step < 40; step++) stretch = zoomStretch(stretch, all, room, 2, unit);
    expect(stretch).toEqual(all);
    expect(seen.length).toBeGreaterThan(5);
  });

  it('keeps the unit in the cell where it was', () => {
    const stretch = fitStretch({ first: 30_000, units: 36_000 }, whole, room);
    const unit = stretch.first + 12_345;
    const nearer = zoomStretch(stretch, whole, room, 1 / 2, unit);
    const before = cellOfUnit(stretch, 4500, unit);
    expect(Math.abs(cellOfUnit(nearer, 4500, unit) - before)).toBeLessThanOrEqual(1);
  });

  it('keeps to the end of the volume', () => {
    const nearer = zoomStretch(whole, whole, room, 1 / 4, 129_001);
    expect(nearer.units).toBe(31_500);
    expect(holds(nearer, 129_001)).toBe(true);
    expect(nearer.first + nearer.units).toBeLessThanOrEqual(129_002);
  });
});

describe('moving', () => {
  const stretch = { first: 9002, units: 9000 };

  it('goes by whole cells', () => {
    expect(moveStretch(stretch, whole, 4500, 90)).toEqual({ first: 9182, units: 9000 });
    expect(moveStretch(stretch, whole, 4500, -90)).toEqual({ first: 8822, units: 9000 });
  });

  it('ends at the ends of the volume', () => {
    expect(moveStretch(stretch, whole, 4500, -10_000).first).toBe(2);
    expect(moveStretch(stretch, whole, 4500, 10 ** 6).first).toBe(120_002);
  });

  it('has a unit in the middle', () => {
    expect(centreOn(stretch, whole, 60_000)).toEqual({ first: 55_500, units: 9000 });
    expect(centreOn(stretch, whole, 3).first).toBe(2);
  });
});

describe('zoomToRun', () => {
  it('shows the run and something around it', () => {
    const run = { first: 40_000, units: 20_000 };
    const stretch = zoomToRun(run, whole, room);
    expect(stretch.first).toBeLessThan(run.first);
    expect(stretch.first + stretch.units).toBeGreaterThan(run.first + run.units);
    expect(stretch.units).toBeLessThan(2 * run.units);
  });

  it('shows a single unit from as near as can be', () => {
    const stretch = zoomToRun({ first: 40_000, units: 1 }, whole, room);
    expect(layOutGrid(room, stretch.units).pitch).toBe(28);
    expect(holds(stretch, 40_000)).toBe(true);
  });
});
