import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startOfCell } from '../../../webview/space/space-grid';
import { plannedShares } from '../../../webview/space/space-planned';

describe('plannedShares', () => {
  it('are those of the cells that are planned, in whole or in part', () => {
    const stretch = { first: 100, units: 40 };
    const runs = [
      { first: 90, units: 15 },
      { first: 120, units: 10 },
      { first: 139, units: 1000 },
    ];
    expect([...plannedShares(runs, stretch, 4)]).toEqual([127, 0, 255, 25]);
    expect([...plannedShares([], stretch, 4)]).toEqual([0, 0, 0, 0]);
  });

  it('show the smallest run in the largest cell', () => {
    const shares = plannedShares([{ first: 7, units: 1 }], { first: 0, units: 2 ** 40 }, 8);
    expect([...shares]).toEqual([1, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('are all of a cell just where each of its units is planned', () => {
    const run = fc.record({ first: fc.nat(60), units: fc.integer({ min: 1, max: 20 }) });
    fc.assert(
      fc.property(run, fc.integer({ min: 1, max: 50 }), fc.nat(49), (planned, units, more) => {
        const stretch = { first: 10, units };
        const cells = Math.min(units, 1 + more);
        const isPlanned = (unit: number) =>
          unit >= planned.first && unit < planned.first + planned.units;
        plannedShares([planned], stretch, cells).forEach((share, cell) => {
          const first = startOfCell(stretch, cells, cell);
          const length = startOfCell(stretch, cells, cell + 1) - first;
          const all = Array.from({ length }, (_, index) => first + index);
          expect(share > 0).toBe(all.some(isPlanned));
          expect(share === 255).toBe(all.every(isPlanned));
        });
      }),
    );
  });
});
