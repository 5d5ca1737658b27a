import type { Extent, NodeDetails, NodeId } from '../../protocol/requests';
import type { Engine } from '../shared/engine';

/** Extents of a deleted file that are looked at, and units in all; longer files are rare. */
const extentLimit = 1000;
const unitLimit = 2 ** 20;
/** Units that are asked for at a time, each as a cell of its own. */
const unitsAtOnce = 1024;

/** What has become of the content of a deleted entry. */
export interface Remains {
  /** The inode has been given to another file since. */
  readonly isReplaced: boolean;
  readonly unitName: 'block' | 'cluster';
  /** Units that were the entry's and were looked at, and how many of them are in use again. */
  readonly units: number;
  readonly inUse: number;
}

/**
 * What is left of a deleted entry's content; null for an entry that is not deleted.
 * @param path absolute, as it was
 * @throws RemoteError where the node cannot be read
 */
export async function remainsOf(
  engine: Engine,
  volume: number,
  node: NodeId,
  path: string,
): Promise<Remains | null> {
  const [{ volumes }, details] = await Promise.all([
    engine.request('summary', []),
    engine.request('details', [volume, node, extentLimit]),
  ]);
  const unit = volumes.find(({ index }) => index === volume)?.unit;
  if (!unit) return null;
  const fate = { isReplaced: false, unitName: unit.name };
  if (unit.name === 'cluster') {
    // The chain of a deleted file is gone: the engine lists the clusters up to the first one in use.
    if (!details.problems.some(({ code }) => code === 'deleted-content')) return null;
    const units = Math.ceil(details.size / unit.size);
    return { ...fate, units, inUse: Math.max(0, units - unitsOf(details.extents)) };
  }
  if (details.links === 0) {
    return { ...fate, ...(await countInUse(engine, volume, details.extents)) };
  }
  const isReplaced = await isForeign(engine, volume, path, details);
  return isReplaced ? { ...fate, isReplaced, units: 0, inUse: 0 } : null;
}

function unitsOf(extents: readonly Extent[]): number {
  return extents.reduce((sum, { length }) => sum + length, 0);
}

async function countInUse(engine: Engine, volume: number, extents: readonly Extent[]) {
  let units = 0;
  let inUse = 0;
  for (const { physical, length } of extents) {
    for (let done = 0; done < length && units < unitLimit; done += unitsAtOnce) {
      const asked = Math.min(unitsAtOnce, length - done);
      const query = { volume, first: physical + done, units: asked, cells: asked, highlight: null };
      const map = await engine.request('spaceMap', [query]);
      const free = map.roles.indexOf('free');
      units += asked;
      inUse += asked;
      for (let cell = 0; cell < map.cells; cell++) {
        if (map.shares[cell * map.roles.length + free] > 0) inUse--;
      }
    }
  }
  return { units, inUse };
}

/** Whether a node that is in use is no longer what stands in the directory under this path. */
async function isForeign(
  engine: Engine,
  volume: number,
  path: string,
  { node }: NodeDetails,
): Promise<boolean> {
  const above = path.slice(0, path.lastIndexOf('/')) || '/';
  const steps = await engine.request('resolve', [volume, above]).catch(() => []);
  const directory = steps.at(-1)?.node;
  // Of a directory that is gone itself nothing can be said.
  if (directory === undefined) return false;
  const all = { deleted: false, filter: '', sort: 'disk', descending: false } as const;
  const query = { ...all, volume, directory, start: 0, count: 0 };
  // What cannot be listed says nothing either.
  return (await engine.request('locateNode', [query, node]).catch(() => 0)) < 0;
}
