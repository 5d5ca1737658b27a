import { ImageError } from '../../image/errors';
import { readBlockMap } from '../block-map';
import { readExtentTree } from '../extent-tree';
import { inodeFlags, type Inode } from '../inode';
import { Problems } from '../problems';
import type { EditContext } from './context';

/**
 * Holds all that an inode says of its blocks against the volume once, before any of it is relied
 * on: each block lies in the volume, none holds metadata, and none is used twice.
 * @throws ImageError `corrupt`
 */
export function requireSoundMap(context: EditContext, inode: Inode): void {
  if (context.sound.has(inode.number)) return;
  const problems = new Problems(inode.number);
  const read = inode.has(inodeFlags.extents) ? readExtentTree : readBlockMap;
  const { extents, mapBlocks } = read(context.volume, inode, problems);
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
