import { FreeSpaceBuilder, type FreeSpace } from '../filesystem/free-space';
import type { Progress } from '../filesystem/progress';
import { visitFreeClusters } from './bitmaps';
import { groupBlocks, groupStart } from './superblock';
import type { ExtVolume } from './volume';

const groupsPerReport = 256;

/**
 * The free extents as the block bitmaps have them, in blocks also with bigalloc. A group whose
 * bitmap lies outside of the volume has none, nor has what a truncated image no longer holds.
 */
export function readFreeBlocks(volume: ExtVolume, progress: Progress): FreeSpace {
  const { geometry, bytes } = volume;
  const builder = new FreeSpaceBuilder();
  const present = Math.min(geometry.blocks, Math.floor(bytes.present / geometry.blockSize));
  for (let number = 0; number < geometry.groups; number++) {
    const start = groupStart(geometry, number);
    if (start >= present) break;
    if (number % groupsPerReport === 0) progress.report(number, geometry.groups);
    const end = Math.min(start + groupBlocks(geometry, number), present);
    const clusters = Math.ceil((end - start) / geometry.clusterBlocks);
    visitFreeClusters(volume, volume.groups.group(number), clusters, (first, count) => {
      const from = start + first * geometry.clusterBlocks;
      const to = Math.min(from + count * geometry.clusterBlocks, end);
      builder.add(from, to - from);
    });
  }
  return builder.build();
}
