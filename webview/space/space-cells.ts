/** What the cells of a map hold: the two roles that are drawn of each, and all of them in words. */
import type { Role, SpaceMap } from '../../src/protocol/requests';
import { formatShare } from '../words/formats';
import { roleWords } from '../words/role-words';

/** Stands for the second role of a cell that has but one. */
export const noRole = 255;

/** A byte of share that stands for all of a cell. */
const wholeShare = 255;

/** What is drawn of each cell, as columns. Roles are indices into the map's. */
export interface CellLooks {
  /** The role that takes most of the cell; of equal ones, what is used rather than what is free. */
  readonly main: Uint8Array;
  /** The role that takes most of the rest, or `noRole`. */
  readonly second: Uint8Array;
  /** How much of the two the second takes: 255 would be all. */
  readonly secondShare: Uint8Array;
}

/** Finds the two roles of each cell that are drawn. */
export function lookAtCells({ cells, roles, shares }: SpaceMap): CellLooks {
  const looks = {
    main: new Uint8Array(cells),
    second: new Uint8Array(cells).fill(noRole),
    secondShare: new Uint8Array(cells),
  };
  for (let cell = 0; cell < cells; cell++) {
    let most = 0;
    let more = 0;
    for (let role = 0; role < roles.length; role++) {
      const share = shares[cell * roles.length + role];
      if (share === 0) continue;
      if (share >= most) {
        if (most > 0) looks.second[cell] = looks.main[cell];
        more = most;
        looks.main[cell] = role;
        most = share;
      } else if (share >= more) {
        looks.second[cell] = role;
        more = share;
      }
    }
    if (more > 0) looks.secondShare[cell] = Math.max(1, (wholeShare * more) / (most + more));
  }
  return looks;
}

/** The roles of a cell, those that take most of it first. */
export function rolesOfCell({ roles, shares }: SpaceMap, cell: number): [Role, number][] {
  return roles
    .map((role, index): [Role, number] => [role, shares[cell * roles.length + index]])
    .filter(([, share]) => share > 0)
    .sort((a, b) => b[1] - a[1]);
}

/** A cell in words: `70 % file, 30 % free`. */
export function describeCell(map: SpaceMap, cell: number): string {
  const found = rolesOfCell(map, cell);
  if (found.length === 1) return roleWords[found[0][0]].word;
  return found
    .map(([role, share]) => `${formatShare(share, wholeShare)} ${roleWords[role].word}`)
    .join(', ');
}
