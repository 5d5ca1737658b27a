import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UnitGeometry } from '../../src/filesystem/filesystem';
import { FreeSpaceBuilder, type FreeSpace } from '../../src/filesystem/free-space';
import { OwnershipBuilder, roles, type Ownership, type Role } from '../../src/filesystem/ownership';
import type { SpaceMap, SpaceMapQuery } from '../../src/session/layout-answers';
import { SpaceIndex } from '../../src/session/space-index';
import { drawSpace } from '../../src/session/space-map';

const geometry = (first: number, count: number): UnitGeometry => ({
  name: 'block',
  size: 4096,
  first,
  count,
});

/** Runs of one role each, one after the other, as columns; `free` and null are no owner's. */
function columns(first: number, runs: readonly (readonly [Role | null, number])[]) {
  const owners = new OwnershipBuilder();
  const free = new FreeSpaceBuilder();
  let at = first;
  for (const [role, length] of runs) {
    if (role === 'free') free.add(at, length);
    else if (role === 'file') owners.addNode(at, length, role, 12, 0);
    else if (role) owners.addStructure(at, length, role, role);
    at += length;
  }
  return { owners: owners.build(), free: free.build(), unit: geometry(first, at - first) };
}

/** The role of every unit, found one by one. */
function unitRoles(unit: UnitGeometry, owners: Ownership, free: FreeSpace, rest: Role): Role[] {
  return Array.from({ length: unit.count }, (_, i) => {
    const at = unit.first + i;
    const isFree = free.starts.some((start, row) => at >= start && at < start + free.lengths[row]);
    return owners.at(at)?.role ?? (isFree ? 'free' : rest);
  });
}

function query(first: number, units: number, cells: number): SpaceMapQuery {
  return { volume: 0, first, units, cells, highlight: null };
}

const cellStart = (map: SpaceMap, cell: number) =>
  map.firstUnit + Math.floor((cell * map.units) / map.cells);

/** The shares of a cell that are not zero. */
const sharesOf = (map: SpaceMap, cell: number) =>
  Object.fromEntries(
    roles
      .map((role, i) => [role, map.shares[cell * roles.length + i]] as const)
      .filter(([, share]) => share > 0),
  );

const someRun = fc.tuple(
  fc.constantFrom<Role | null>('free', 'file', 'bitmap', 'directory', null),
  fc.integer({ min: 1, max: 40 }),
);

describe('the map of a volume', () => {
  it('says which role takes which share of each cell', () => {
    const { owners, free, unit } = columns(1, [
      ['superblock', 1],
      ['bitmap', 3],
      ['file', 4],
      ['free', 4],
      [null, 4],
    ]);
    const space = new SpaceIndex(unit, owners, free, 'allocated');
    const map = drawSpace(unit, space, false, query(1, 16, 4), null);
    expect(map).toMatchObject({ firstUnit: 1, units: 16, cells: 4, hasOwners: false });
    expect([0, 1, 2, 3].map((cell) => sharesOf(map, cell))).toEqual([
      { superblock: 64, bitmap: 191 },
      { file: 255 },
      { free: 255 },
      { allocated: 255 },
    ]);
    expect(map.totals[roles.indexOf('bitmap')]).toBe(3);
  });

  it('counts as looking at every unit does', () => {
    fc.assert(
      fc.property(
        fc.array(someRun, { minLength: 1, maxLength: 900, size: 'max' }),
        fc.integer({ min: 0, max: 2 }),
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 50 }),
        (runs, first, from, length, cells) => {
          const { owners, free, unit } = columns(first, runs);
          const space = new SpaceIndex(unit, owners, free, 'lost');
          const start = first + (from % unit.count);
          const units = 1 + (length % (first + unit.count - start));
          const map = drawSpace(unit, space, true, query(start, units, cells), null);
          expect(map.cells).toBe(Math.min(cells, units));
          const expected = unitRoles(unit, owners, free, 'lost');
          for (let cell = 0; cell < map.cells; cell++) {
            const [begin, end] = [cellStart(map, cell), cellStart(map, cell + 1)];
            const inCell = expected.slice(begin - first, end - first);
            for (const [i, role] of roles.entries()) {
              const count = inCell.filter((other) => other === role).length;
              const share = (255 * count) / (end - begin);
              expect(map.shares[cell * roles.length + i]).toBe(
                count === 0 ? 0 : Math.max(1, Math.round(share)),
              );
            }
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  it('shows a single unit of a very large volume, and finds it when zoomed in', () => {
    const unit = geometry(0, 2 ** 34);
    const owners = new OwnershipBuilder();
    owners.addStructure(12_345_678_901, 1, 'bitmap', 'a bitmap');
    const free = new FreeSpaceBuilder();
    free.add(0, 12_345_678_901);
    const space = new SpaceIndex(unit, owners.build(), free.build(), 'allocated');
    const map = drawSpace(unit, space, false, query(0, unit.count, 1000), null);
    const cell = Math.floor((12_345_678_901 * 1000) / 2 ** 34);
    expect(sharesOf(map, cell)).toMatchObject({ bitmap: 1 });
    const zoomed = drawSpace(unit, space, false, query(12_345_678_900, 3, 1000), null);
    expect(zoomed.cells).toBe(3);
    expect([0, 1, 2].map((i) => sharesOf(zoomed, i))).toEqual([
      { free: 255 },
      { bitmap: 255 },
      { allocated: 255 },
    ]);
  });

  it('keeps to the volume, and has no cells outside of it', () => {
    const { owners, free, unit } = columns(2, [['free', 10]]);
    const space = new SpaceIndex(unit, owners, free, 'allocated');
    expect(drawSpace(unit, space, false, query(0, 100, 5), null)).toMatchObject({
      firstUnit: 2,
      units: 10,
      cells: 5,
    });
    expect(drawSpace(unit, space, false, query(12, 4, 5), null)).toMatchObject({ cells: 0 });
    expect(() => drawSpace(unit, space, false, query(2, 10, 0), null)).toThrow('no map');
    expect(() => drawSpace(unit, space, false, query(NaN, 10, 1), null)).toThrow('no map');
  });

  it('prefers what an owner claims to what the bitmaps say', () => {
    const unit = geometry(0, 10);
    const owners = new OwnershipBuilder();
    owners.addNode(2, 3, 'file', 12, 0);
    const free = new FreeSpaceBuilder();
    free.add(0, 8);
    const space = new SpaceIndex(unit, owners.build(), free.build(), 'lost');
    expect([0, 3, 7, 9].map((at) => space.segment(at))).toEqual([
      { start: 0, length: 2, role: 'free' },
      { start: 2, length: 3, role: 'file' },
      { start: 5, length: 3, role: 'free' },
      { start: 8, length: 2, role: 'lost' },
    ]);
  });

  it('cuts off what is claimed outside of the volume', () => {
    const unit = geometry(1, 9);
    const owners = new OwnershipBuilder();
    owners.addStructure(0, 2, 'superblock', 'superblock');
    owners.addNode(8, 100, 'file', 12, 0);
    owners.addNode(200, 1, 'file', 12, 0);
    const free = new FreeSpaceBuilder();
    free.add(2, 6);
    const space = new SpaceIndex(unit, owners.build(), free.build(), 'lost');
    expect(Object.fromEntries(roles.map((role, i) => [role, space.totals[i]]))).toMatchObject({
      superblock: 1,
      free: 6,
      file: 2,
      lost: 0,
    });
  });
});

describe('the highlighted node', () => {
  const extent = (physical: number, length: number) => ({ logical: 0, physical, length });

  it('has a share of its own in each cell', () => {
    const { owners, free, unit } = columns(0, [['free', 40]]);
    const space = new SpaceIndex(unit, owners, free, 'allocated');
    const runs = [extent(0, 3), extent(8, 14), extent(22, 1), extent(39, 1)];
    const draw = (first: number, units: number, cells: number) => [
      ...(drawSpace(unit, space, false, query(first, units, cells), runs).highlighted ?? []),
    ];
    expect(draw(0, 40, 4)).toEqual([128, 255, 77, 26]);
    expect(draw(10, 10, 2)).toEqual([255, 255]);
    expect(draw(2, 4, 4)).toEqual([255, 0, 0, 0]);
    expect(draw(24, 10, 3)).toEqual([0, 0, 0]);
  });
});
