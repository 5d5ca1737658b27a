import { describe, expect, it, vi } from 'vitest';
import { roles } from '../../../src/filesystem/ownership';
import type { OwnerAnswer, SpaceMap, SpaceMapQuery } from '../../../src/protocol/requests';
import { RemoteError } from '../../../src/protocol/rpc';
import { isQuickToSearch } from '../../../webview/inspection/owner-search';
import { SpaceModel } from '../../../webview/space/space-model';
import { fatVolume, FakeTree, row, rootNode, settle, xfsVolume } from '../fake-host';

const file = 1007;

/** An engine whose volume has a file from cluster 100 on, 50 long; all else is free. */
class FakeSpace extends FakeTree {
  knowsOwners = false;
  readonly asked: SpaceMapQuery[] = [];

  readonly spaceMap = vi.fn(async (query: SpaceMapQuery): Promise<SpaceMap> => {
    this.asked.push(query);
    const cells = Math.min(query.cells, query.units);
    const shares = new Uint8Array(cells * roles.length);
    for (let cell = 0; cell < cells; cell++) {
      const unit = query.first + Math.floor((cell * query.units) / cells);
      shares[cell * roles.length + roles.indexOf(this.owner(unit).role)] = 255;
    }
    return {
      firstUnit: query.first,
      units: query.units,
      cells,
      roles,
      shares,
      highlighted: query.highlight === null ? null : new Uint8Array(cells),
      totals: new Float64Array(roles.length),
      hasOwners: this.knowsOwners,
    };
  });

  readonly findOwners = vi.fn(async () => {
    this.knowsOwners = true;
  });

  owner(unit: number): OwnerAnswer {
    const isFile = unit >= 100 && unit < 150;
    const place = isFile ? { start: 100, length: 50 } : { start: 150, length: 100_000 };
    if (!isFile) return { ...place, offset: 0, role: 'free', name: 'free' };
    if (!this.knowsOwners) return { ...place, offset: 0, role: 'allocated', name: 'in use' };
    return { ...place, offset: 0, role: 'file', name: '/file-7', node: file, paths: ['/file-7'] };
  }
}

async function start(prepare: (tree: FakeSpace) => void = () => undefined) {
  const tree = new FakeSpace();
  tree.add(rootNode, row(7));
  prepare(tree);
  Object.assign(tree.host, {
    spaceMap: tree.spaceMap,
    findOwners: tree.findOwners,
    owner: vi.fn(async (_volume: number, unit: number) => tree.owner(unit)),
  });
  const inspection = tree.open({ view: 'space' });
  await inspection.load();
  let drawn = 0;
  // As a view does: whatever changes, it follows.
  const model: SpaceModel = new SpaceModel(inspection, () => drawn++ < 500 && follow());
  const follow = () => queueMicrotask(() => model.follow());
  inspection.addEventListener('change', follow);
  model.follow();
  model.resize({ width: 900, height: 500 });
  await settle();
  await settle();
  return { tree, inspection, model, last: () => tree.asked[tree.asked.length - 1] };
}

describe('what is in sight', () => {
  it('is the whole volume at first', async () => {
    const { model, tree } = await start();
    expect(model.isWhole).toBe(true);
    expect(tree.asked[0]).toMatchObject({ volume: 0, first: 2, units: 129_000, cells: 4500 });
    expect(model.picture?.map.cells).toBe(4500);
  });

  it('is asked for when it is zoomed, and remembered', async () => {
    const { model, inspection, tree } = await start();
    model.zoom(1 / 4, 100);
    await settle();
    expect(tree.asked.at(-1)).toMatchObject({ units: 31_500, cells: 4500 });
    expect(inspection.state.map).toEqual({ volume: 0, ...model.stretch });
    model.zoomToWhole();
    expect(inspection.state.map).toBeNull();
  });

  it('is asked for once while it moves on: the newest is next', async () => {
    const { model, tree } = await start();
    model.zoom(1 / 4, 100);
    await settle();
    const before = tree.asked.length;
    for (let step = 0; step < 50; step++) {
      model.pan(90);
      model.follow();
    }
    await settle();
    expect(tree.asked.length - before).toBe(2);
    expect(model.picture?.first).toBe(model.stretch?.first);
  });

  it('is nothing for a volume that is not read', async () => {
    const { model, tree } = await start((one) => (one.volumes = [xfsVolume]));
    expect(model.stretch).toBeNull();
    expect(tree.asked).toEqual([]);
  });
});

describe('owners', () => {
  it('are looked for at once where that is quick, and the map is drawn anew', async () => {
    const { model, tree } = await start();
    expect(tree.findOwners).toHaveBeenCalledTimes(1);
    expect(model.owners.knowledge.state).toBe('known');
    expect(model.picture?.map.hasOwners).toBe(true);
  });

  it('wait to be asked for on a large volume', async () => {
    const large = { ...fatVolume, unit: { ...fatVolume.unit, count: 10 ** 7 } };
    const { model, tree } = await start((one) => {
      one.volumes = [large as typeof fatVolume];
    });
    expect(tree.findOwners).not.toHaveBeenCalled();
    model.owners.start(0);
    await settle();
    expect(model.picture?.map.hasOwners).toBe(true);
  });

  it('can be given up', async () => {
    const { model } = await start((one) => {
      one.findOwners.mockImplementation(() => new Promise(() => undefined));
    });
    expect(model.owners.knowledge.state).toBe('finding');
    model.owners.stop();
    await settle();
    expect(model.owners.knowledge.state).toBe('stopped');
    expect(model.picture?.map.hasOwners).toBe(false);
  });

  it('are known already where the engine has found them before', async () => {
    const { model, tree } = await start((one) => (one.knowsOwners = true));
    expect(tree.findOwners).not.toHaveBeenCalled();
    expect(model.owners.knowledge.state).toBe('known');
  });

  it('are quick to find by the files there can be, not by the size', () => {
    const ext = { ...fatVolume, inodes: 200_000, freeInodes: 199_000 };
    expect(isQuickToSearch({ ...ext, length: 2 ** 44 })).toBe(true);
    expect(isQuickToSearch({ ...ext, freeInodes: 100_000 })).toBe(false);
    expect(isQuickToSearch({ ...ext, inodes: 10 ** 6, freeInodes: 10 ** 6 })).toBe(false);
  });
});

describe('selection', () => {
  it('highlights the entry that is chosen elsewhere', async () => {
    const { inspection, last } = await start();
    inspection.choose({ node: file, name: 'file-7', type: 'file', offset: 1 });
    await settle();
    expect(last().highlight).toBe(file);
  });

  it('moves the cursor to a unit that is chosen elsewhere, and highlights its owner', async () => {
    const { inspection, model, last } = await start();
    model.zoom(1 / 16, 100_000);
    await settle();
    inspection.chooseUnit(120);
    await new Promise((done) => setTimeout(done, 5));
    expect(model.cursor).toBe(120);
    expect(model.cellOf(120)).not.toBeNull();
    expect(last().highlight).toBe(file);
  });

  it('chooses of a cell of several units one that has its main role', async () => {
    const { inspection, model } = await start();
    // A cell is 28 or 29 units here: the third starts at 59, the fourth at 88, the fifth at 116.
    model.point(4);
    await settle();
    await model.choose();
    expect(inspection.place?.unit).toBe(116);
  });

  it('walks by cells, and has the map follow', async () => {
    const { model } = await start();
    model.zoom(1 / 4, 2);
    model.moveCursor(1);
    expect(model.cursor).toBe(2);
    model.moveCursor(1);
    expect(model.cursor).toBe(9);
    model.moveCursor(90 * 49);
    expect(model.cellOf(model.cursor ?? 0)?.index).toBe(90 * 49 + 1);
    const { first } = model.stretch ?? { first: 0 };
    model.moveCursor(90);
    expect(model.stretch?.first).toBe(first + 90 * 7);
    expect(model.cursor).toBe(9 + 50 * 90 * 7);
    model.goTo(2);
    model.moveCursor(-1);
    expect(model.cursor).toBe(2);
  });
});

it('says that the map was given up, and draws it when asked to', async () => {
  const { model, tree } = await start((one) => {
    one.spaceMap.mockRejectedValueOnce(new RemoteError('cancelled', 'Cancelled.'));
  });
  expect(model.pictures.obstacle).toEqual({ kind: 'stopped' });
  expect(tree.asked).toEqual([]);
  model.pictures.retry();
  await settle();
  expect(model.picture).not.toBeNull();
});
