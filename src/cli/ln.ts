import type { HostOperation } from '../session/operations';
import { editCommand, type ImageOptions, type Verb } from './context';
import { changeImage } from './edit';
import { targetOf } from './target';

interface LnOptions extends ImageOptions {
  readonly symbolic?: boolean;
}

export const ln: Verb = (program, streams) => {
  editCommand(program, 'ln', 'give a file a further name, or with -s create a symlink')
    .argument('<target>', 'absolute path inside the image; with -s any text')
    .argument('<path>', 'the new name; in a directory that exists it is that of the target')
    .option('-s, --symbolic', 'create a symlink')
    .action(async (image: string, target: string, path: string, options: LnOptions) => {
      await changeImage(streams, image, options, (volume, opened): HostOperation => {
        const { directory, name } = targetOf(opened, path, lastName(target));
        const place = { volume, directory, name };
        if (options.symbolic) return { kind: 'symlink', ...place, target };
        return { kind: 'link', ...place, node: opened.refAt(target).node };
      });
    });
};

const lastName = (path: string) => path.split('/').filter(Boolean).at(-1) ?? '';
