import { editCommand, type ImageOptions, type Verb } from './context';
import { changeImage } from './edit';
import { parseSize } from './sizes';

export const truncate: Verb = (program, streams) => {
  editCommand(program, 'truncate', 'cut a file, or lengthen it with zeros')
    .argument('<path>', 'absolute path of a file inside the image; symlinks are followed')
    .argument('<size>', 'its new size', parseSize)
    .action(async (image: string, path: string, size: number, options: ImageOptions) => {
      await changeImage(streams, image, options, (volume, opened) => {
        return { kind: 'truncate', volume, node: opened.file(path), size };
      });
    });
};
