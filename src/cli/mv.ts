import type { EntryRef } from '../session/operations';
import type { OpenVolume } from '../session/open-volume';
import { splitPath } from '../session/paths';
import { editCommand, type ImageOptions, type Verb } from './context';
import { changeImage } from './edit';
import { targetOf } from './target';

export const mv: Verb = (program, streams) => {
  editCommand(program, 'mv', 'rename a file or directory, or move it elsewhere in the volume')
    .argument('<from>', 'absolute path inside the image; symlinks are not followed')
    .argument('<to>', 'new path; in a directory that exists it keeps its name')
    .action(async (image: string, from: string, to: string, options: ImageOptions) => {
      await changeImage(streams, image, options, (volume, opened) => {
        const entry = opened.refAt(from);
        const { directory, name } =
          spelledAnew(opened, entry, to) ?? targetOf(opened, to, entry.name);
        return { kind: 'move', volume, entry, directory, name, replace: true };
      });
    });
};

/** Where a name in other letters, or a short name, means the entry itself, that is its new name. */
function spelledAnew(volume: OpenVolume, entry: EntryRef, to: string) {
  const name = splitPath(to).at(-1);
  if (!volume.fileSystem.ignoresCase || name === undefined || name === entry.name) return undefined;
  const { directory, found } = volume.placeAt(to);
  return found?.node === entry.node ? { directory, name } : undefined;
}
