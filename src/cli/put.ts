import { basename, resolve } from 'node:path';
import { ImageError } from '../image/errors';
import { kindOnHost } from '../image/host-folder';
import type { OpenVolume } from '../session/open-volume';
import { editCommand, requireWhole, type ImageOptions, type Verb } from './context';
import { editImage, printDone } from './edit';

export const put: Verb = (program, streams) => {
  editCommand(program, 'put', 'copy a file, or a folder and all in it, from the host')
    .argument('<host>', 'file or folder of the host')
    .argument('<path>', 'absolute path inside the image; in a directory it keeps its name')
    .action(async (image: string, first: string, second: string, options: ImageOptions) => {
      const [host, path] = isTurned(first, second) ? [second, first] : [first, second];
      const done = await editImage(image, options, (volume, opened) => {
        const { directory, name } = targetOf(opened, path, basename(resolve(host)));
        const sources = [{ path: host, name }];
        return { kind: 'import', volume, directory, sources, replace: true };
      });
      await printDone(streams, options, done);
      await requireWhole(streams, done.edit?.leftOut ?? 0);
    });
};

/** Whether the path inside the image was given first. */
const isTurned = (first: string, second: string) =>
  first.startsWith('/') && kindOnHost(first) === 'nothing' && kindOnHost(second) !== 'nothing';

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
