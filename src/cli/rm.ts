import { ImageError } from '../image/errors';
import { editCommand, type ImageOptions, type Verb } from './context';
import { changeImage } from './edit';

interface RmOptions extends ImageOptions {
  readonly recursive?: boolean;
}

export const rm: Verb = (program, streams) => {
  editCommand(program, 'rm', 'remove files, and with -r directories')
    .argument('<paths...>', 'absolute paths inside the image; symlinks are not followed')
    .option('-r, --recursive', 'remove directories with all that they hold')
    .action(async (image: string, paths: readonly string[], options: RmOptions) => {
      await changeImage(streams, image, options, (volume, opened) => {
        const entries = paths.map((path) => {
          const { type, ...entry } = opened.refAt(path);
          if (type !== 'directory' || options.recursive) return entry;
          throw new ImageError(
            'not-a-file',
            `${path} is a directory; -r removes it with all that it holds.`,
          );
        });
        return { kind: 'remove', volume, entries };
      });
    });
};
