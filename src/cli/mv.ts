import { editCommand, type ImageOptions, type Verb } from './context';
import { editImage, printDone } from './edit';
import { targetOf } from './put';

export const mv: Verb = (program, streams) => {
  editCommand(program, 'mv', 'rename a file or directory, or move it elsewhere in the volume')
    .argument('<from>', 'absolute path inside the image; symlinks are not followed')
    .argument('<to>', 'new path; in a directory that exists it keeps its name')
    .action(async (image: string, from: string, to: string, options: ImageOptions) => {
      const done = await editImage(image, options, (volume, opened) => {
        const entry = opened.refAt(from);
        const { directory, name } = targetOf(opened, to, entry.name);
        return { kind: 'move', volume, entry, directory, name, replace: true };
      });
      await printDone(streams, options, done);
    });
};
