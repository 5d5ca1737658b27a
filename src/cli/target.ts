import { ImageError } from '../image/errors';
import type { OpenVolume } from '../session/open-volume';

/** Where something of a name goes: into a directory, in the place of a file, or to a new name. */
export function targetOf(volume: OpenVolume, path: string, name: string) {
  const place = volume.placeAt(path);
  if (place.found?.type === 'directory') return { directory: place.found.node, name };
  if (path.endsWith('/')) {
    const code = place.found ? 'not-a-directory' : 'not-found';
    throw new ImageError(code, `There is no directory ${path}.`);
  }
  return place;
}
