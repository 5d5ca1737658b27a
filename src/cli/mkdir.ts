import { ImageError } from '../image/errors';
import { splitPath } from '../session/paths';
import { editCommand, type ImageOptions, type Verb } from './context';
import { editImage, printDone, type Ask } from './edit';

interface MkdirOptions extends ImageOptions {
  readonly parents?: boolean;
}

export const mkdir: Verb = (program, streams) => {
  editCommand(program, 'mkdir', 'create a directory')
    .argument('<path>', 'absolute path inside the image')
    .option('-p, --parents', 'create those above it too, and accept what is there already')
    .action(async (image: string, path: string, options: MkdirOptions) => {
      const asks = options.parents ? pathsTo(path).map(directoryWanted) : [newDirectory(path)];
      await printDone(streams, options, await editImage(image, options, ...asks));
    });
};

/** A path and those above it, the shortest first. */
function pathsTo(path: string): string[] {
  const names = splitPath(path);
  return names.map((_, i) => `/${names.slice(0, i + 1).join('/')}`);
}

const newDirectory =
  (path: string): Ask =>
  (volume, opened) => {
    const { directory, name } = opened.placeAt(path);
    return { kind: 'create', type: 'directory', volume, directory, name };
  };

const directoryWanted =
  (path: string): Ask =>
  (volume, opened) => {
    const { directory, name, found } = opened.placeAt(path);
    if (!found) return { kind: 'create', type: 'directory', volume, directory, name };
    if (found.type === 'directory') return null;
    throw new ImageError('not-a-directory', `${path} is a ${found.type}.`);
  };
