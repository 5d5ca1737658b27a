import { OwnershipBuilder, type Ownership, type Role } from '../filesystem/ownership';
import type { Progress } from '../filesystem/progress';
import { readMapping } from './content';
import { badBlocksInode, inodeFlags, type Inode } from './inode';
import { visitInodes } from './inode-scan';
import type { MetadataTable } from './metadata';
import { Problems } from './problems';
import { holdsBlocks } from './superblock';
import type { ExtVolume } from './volume';

/** The volume's own structures, without a look at any inode. */
export function metadataOwnership(metadata: MetadataTable): Ownership {
  const builder = new OwnershipBuilder();
  metadata.addTo(builder);
  return builder.build();
}

/** Who owns each block: the volume itself, and every inode in use. */
export function readOwnership(
  volume: ExtVolume,
  metadata: MetadataTable,
  progress: Progress,
): Ownership {
  const builder = new OwnershipBuilder();
  metadata.addTo(builder);
  visitInodes(volume, progress, (inode) => addInode(volume, builder, inode));
  return builder.build();
}

function addInode(volume: ExtVolume, builder: OwnershipBuilder, inode: Inode): void {
  const { geometry } = volume;
  const { clusterBlocks } = geometry;
  const add = (start: number, length: number, role: Role, logical: number) => {
    // A cluster belongs to a file as a whole, also where the file uses only some of its blocks.
    const down = Math.floor(start / clusterBlocks) * clusterBlocks;
    const up = Math.ceil((start + length) / clusterBlocks) * clusterBlocks;
    const first = Math.max(down, geometry.firstDataBlock);
    const count = Math.min(up, geometry.blocks) - first;
    builder.addNode(first, count, role, inode.number, Math.max(0, logical - (start - first)));
  };
  const { extents, mapBlocks } = readMapping(volume, inode, new Problems(inode.number));
  const role = roleOf(volume, inode);
  for (const { block, logical } of mapBlocks) add(block, 1, 'mapping', logical);
  for (const { physical, length, logical } of extents) add(physical, length, role, logical);
  const { attributeBlock } = inode;
  if (attributeBlock !== 0 && holdsBlocks(geometry, attributeBlock)) {
    add(attributeBlock, 1, 'attributes', 0);
  }
}

function roleOf(volume: ExtVolume, inode: Inode): Role {
  const { values, features } = volume.geometry;
  if (inode.number === badBlocksInode) return 'bad';
  if (features.has('has_journal') && inode.number === values.s_journal_inum) return 'journal';
  if (inode.type === 'directory') return 'directory';
  return inode.has(inodeFlags.largeAttribute) ? 'attributes' : 'file';
}
