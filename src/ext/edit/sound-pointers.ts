import { ImageError } from '../../image/errors';
import { readBlockMap } from '../block-map';
import type { Inode } from '../inode';
import { Problems } from '../problems';
import type { EditContext } from './context';

/**
 * Holds all block pointers of an inode against the volume once, before any of them is relied on:
 * each leads into the volume, none to metadata, and no two to the same block.
 * @throws ImageError `corrupt`
 */
export function requireSoundPointers(context: EditContext, inode: Inode): void {
  if (context.sound.has(inode.number)) return;
  const problems = new Problems(inode.number);
  const { extents, mapBlocks } = readBlockMap(context.volume, inode, problems);
  const refuse = (why: string) => {
    throw new ImageError('corrupt', `Inode ${inode.number} cannot be changed safely: ${why}`);
  };
  if (problems.list.length > 0) refuse(problems.list[0].message);
  const runs = [
    ...extents.map(({ physical, length }) => ({ start: physical, length })),
    ...mapBlocks.map(({ block }) => ({ start: block, length: 1 })),
  ].sort((a, b) => a.start - b.start);
  const metadata = context.metadata();
  let end = 0;
  for (const { start, length } of runs) {
    if (start < end) refuse(`it uses block ${start} more than once.`);
    if (metadata.overlaps(start, length)) {
      refuse(`it uses metadata of the volume from block ${start} on.`);
    }
    end = start + length;
  }
  context.sound.add(inode.number);
}
