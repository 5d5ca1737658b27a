import { describe, expect, it } from 'vitest';
import { roles } from '../../../src/filesystem/ownership';
import type { Role, SpaceMap } from '../../../src/protocol/requests';
import { roles as roleOrder } from '../../../webview/words/role-words';
import { describeCell, lookAtCells, noRole, rolesOfCell } from '../../../webview/space/space-cells';

/** A map whose cells hold these shares, out of 255. */
function mapOf(...cells: Partial<Record<Role, number>>[]): SpaceMap {
  return {
    firstUnit: 0,
    units: 100 * cells.length,
    cells: cells.length,
    roles,
    shares: Uint8Array.from(cells.flatMap((cell) => roles.map((role) => cell[role] ?? 0))),
    highlighted: null,
    totals: new Float64Array(roles.length),
    hasOwners: true,
  };
}

function lookAt(cell: Partial<Record<Role, number>>) {
  const { main, second, secondShare } = lookAtCells(mapOf({ free: 255 }, cell));
  return {
    main: roles[main[1]],
    second: second[1] === noRole ? null : roles[second[1]],
    share: secondShare[1],
  };
}

describe('lookAtCells', () => {
  it('draws a cell of one role as that role', () => {
    expect(lookAt({ journal: 255 })).toEqual({ main: 'journal', second: null, share: 0 });
  });

  it('draws the role that takes most, and the one that takes most of the rest', () => {
    const look = { main: 'file', second: 'free', share: 63 };
    expect(lookAt({ free: 60, directory: 15, file: 180 })).toEqual(look);
    expect(lookAt({ directory: 180, file: 60, lost: 15 })).toEqual({
      ...look,
      main: 'directory',
      second: 'file',
    });
  });

  it('of equal roles draws what is used rather than what is free', () => {
    expect(lookAt({ free: 128, file: 128 })).toMatchObject({ main: 'file', second: 'free' });
  });

  it('never loses the smallest share', () => {
    expect(lookAt({ free: 254, bad: 1 })).toEqual({ main: 'free', second: 'bad', share: 1 });
    expect(lookAt({ file: 255, lost: 1 })).toEqual({ main: 'file', second: 'lost', share: 1 });
  });
});

describe('a cell in words', () => {
  const map = mapOf({ directory: 255 }, { free: 178, file: 76, bad: 1 });

  it('names a single role', () => {
    expect(describeCell(map, 0)).toBe('directory');
  });

  it('says how much each of several roles takes', () => {
    expect(describeCell(map, 1)).toBe('70 % free, 30 % file, < 1 % bad');
    expect(rolesOfCell(map, 1)).toEqual([
      ['free', 178],
      ['file', 76],
      ['bad', 1],
    ]);
  });
});

it('has words for every role, in the order of the engine', () => {
  expect(roleOrder).toEqual(roles);
});
