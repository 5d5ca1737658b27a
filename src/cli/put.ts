import { basename, resolve } from 'node:path';
import { kindOnHost } from '../image/host-folder';
import { editCommand, requireWhole, type ImageOptions, type Verb } from './context';
import { changeImage } from './edit';
import { targetOf } from './target';

export const put: Verb = (program, streams) => {
  editCommand(program, 'put', 'copy a file, or a folder and all in it, from the host')
    .argument('<host>', 'file or folder of the host')
    .argument('<path>', 'absolute path inside the image; in a directory it keeps its name')
    .action(async (image: string, first: string, second: string, options: ImageOptions) => {
      const [host, path] = isTurned(first, second) ? [second, first] : [first, second];
      const done = await changeImage(streams, image, options, (volume, opened) => {
        const { directory, name } = targetOf(opened, path, basename(resolve(host)));
        const sources = [{ path: host, name }];
        return { kind: 'import', volume, directory, sources, replace: true };
      });
      await requireWhole(streams, done.edit?.leftOut ?? 0);
    });
};

/** Whether the path inside the image was given first. */
const isTurned = (first: string, second: string) =>
  first.startsWith('/') && kindOnHost(first) === 'nothing' && kindOnHost(second) !== 'nothing';
