import { attributeBlockHeader, attributeMagic } from '../attributes';
import { inodeStructure, readInode } from '../inode';
import { holdsBlocks } from '../superblock';
import { ImageError } from '../../image/errors';
import { attributeBlockChecksum } from '../checksums';
import { readBlock } from '../volume';
import { bytesOf } from '../volume-writer';
import { addToBlockCount } from './block-count';
import type { EditContext } from './context';

/**
 * Takes the block of its attributes from an inode. Inodes with the same attributes share one:
 * the last of them gives it back.
 * @throws ImageError `corrupt` where there are no attributes in the block
 */
export function releaseAttributes(context: EditContext, number: number): void {
  const { volume, writer, blocks, metadata } = context;
  const block = readInode(volume, number).attributeBlock;
  if (block === 0) return;
  const isPlace = holdsBlocks(volume.geometry, block) && !metadata().overlaps(block, 1);
  const header = isPlace ? attributeBlockHeader.read(readBlock(volume, block)) : null;
  if (header?.h_magic !== attributeMagic) {
    const message = `Inode ${number} keeps its attributes in block ${block}, which holds none.`;
    throw new ImageError('corrupt', message);
  }
  if (header.h_refcount > 1) {
    const view = writer.block(block);
    attributeBlockHeader.set(view, 'h_refcount', header.h_refcount - 1);
    if (volume.geometry.features.has('metadata_csum')) {
      const checksum = attributeBlockChecksum(volume.geometry, block, bytesOf(view));
      attributeBlockHeader.set(view, 'h_checksum', checksum);
    }
  } else {
    blocks.release(block, 1);
  }
  writer.editInode(number, (raw) => {
    inodeStructure.set(raw, 'i_file_acl_lo', 0);
    if (volume.geometry.features.has('64bit')) inodeStructure.set(raw, 'i_file_acl_high', 0);
    addToBlockCount(raw, volume.geometry, -1);
  });
}
