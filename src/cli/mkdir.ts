import { ImageError } from '../image/errors';
import type { OpenVolume } from '../session/open-volume';
import { splitPath } from '../session/paths';
import { editCommand, type ImageOptions, type Verb } from './context';
import { changeImage } from './edit';

interface MkdirOptions extends ImageOptions {
  readonly parents?: boolean;
}

export const mkdir: Verb = (program, streams) => {
  editCommand(program, 'mkdir', 'create a directory')
    .argument('<path>', 'absolute path inside the image')
    .option('-p, --parents', 'create those above it too, and accept what is there already')
    .action(async (image: string, path: string, options: MkdirOptions) => {
      await changeImage(streams, image, options, (volume, opened) => {
        const place = options.parents ? firstMissing(opened, path) : newPlace(opened, path);
        return place && { kind: 'folders', volume, ...place };
      });
    });
};

function newPlace(volume: OpenVolume, path: string) {
  const { directory, name, found } = volume.placeAt(path);
  if (found) throw new ImageError('exists', `${path} is there already.`);
  return { directory, names: [name] };
}

/** The directories of a path that are not there yet; null where all are. */
function firstMissing(volume: OpenVolume, path: string) {
  const names = splitPath(path);
  for (let depth = 1; depth <= names.length; depth++) {
    const part = `/${names.slice(0, depth).join('/')}`;
    const { directory, found } = volume.placeAt(part);
    if (!found) return { directory, names: names.slice(depth - 1) };
    if (found.type !== 'directory') {
      throw new ImageError('not-a-directory', `${part} is a ${found.type}.`);
    }
  }
  return null;
}
