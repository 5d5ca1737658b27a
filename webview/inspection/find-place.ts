import type { ImageSummary, ViewId } from '../../src/protocol/requests';
import { hasEnded } from './errors';
import type { Host } from './host';
import { pathOf, placeAt, type Chosen, type Place, type Step } from './selection';

/** Where to be, and what the person should know of it. */
export interface FoundPlace {
  readonly place: Place | null;
  readonly notice: string | null;
}

/**
 * Where to be in an image that was just opened, or has just changed.
 * @param kept where one was before
 * @param view that is shown
 */
export async function findPlace(
  host: Host,
  image: ImageSummary,
  kept: Place | null,
  view: ViewId,
): Promise<FoundPlace> {
  const volume = image.volumes.find(({ index }) => index === kept?.volume);
  if (!kept || !volume) {
    const index = image.first ?? image.volumes.at(0)?.index;
    return { place: index === undefined ? null : await rootOf(host, image, index), notice: null };
  }
  if (kept.trail.length === 0 || volume.unreadable !== null) {
    return { place: await rootOf(host, image, kept.volume), notice: null };
  }
  return findAgain(host, image, kept, view);
}

/** The root of a volume; a place without a trail where it cannot be opened. */
export async function rootOf(host: Host, image: ImageSummary, index: number): Promise<Place> {
  const volume = image.volumes.find((one) => one.index === index);
  const closed = !volume || volume.unreadable !== null;
  const trail = closed ? [] : await host.resolve(index, '/');
  return placeAt(index, trail);
}

/** The same directory in a changed image, or the nearest one above that is still there. */
async function findAgain(
  host: Host,
  image: ImageSummary,
  kept: Place,
  view: ViewId,
): Promise<FoundPlace> {
  const { volume, trail } = kept;
  for (let depth = trail.length; depth > 0; depth--) {
    const found = await findTrail(host, volume, trail.slice(0, depth));
    if (!found) continue;
    if (depth === trail.length) {
      const chosen = view === 'files' ? kept.chosen : await findChosen(host, kept, found);
      return { place: { ...kept, trail: found, chosen }, notice: null };
    }
    const notice = `${pathOf(trail)} is no longer there.`;
    return { place: placeAt(volume, found), notice };
  }
  return { place: await rootOf(host, image, volume), notice: null };
}

/** The chosen entry if it is still there; the list of files itself looks for it, or a neighbour. */
async function findChosen(
  host: Host,
  { volume, chosen }: Place,
  trail: readonly Step[],
): Promise<Chosen | null> {
  const directory = trail.at(-1)?.node;
  if (!chosen || directory === undefined) return null;
  const order = { filter: '', sort: 'disk', descending: false } as const;
  const all = { volume, directory, deleted: chosen.deleted ?? false, ...order, start: 0, count: 0 };
  const at = await host.locateNode(all, chosen.node).catch(nullUnlessEnded);
  return at === null || at >= 0 ? chosen : null;
}

async function findTrail(
  host: Host,
  volume: number,
  trail: readonly Step[],
): Promise<readonly Step[] | null> {
  const steps = await host.resolve(volume, pathOf(trail)).catch(nullUnlessEnded);
  if (steps?.at(-1)?.type === 'directory') return steps;
  // No path leads to a deleted directory, but its node may still be one.
  const node = trail.at(-1)?.node;
  if (node === undefined) return null;
  const details = await host.details(volume, node, 0).catch(nullUnlessEnded);
  return details?.type === 'directory' ? trail : null;
}

/** Takes "there is no such thing" for an answer, but not the end of the engine. */
function nullUnlessEnded(error: unknown): null {
  if (hasEnded(error)) throw error;
  return null;
}
