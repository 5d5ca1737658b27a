import type { Extent } from '../filesystem/extents';
import { InlineContent, MappedContent, type FileContent } from '../filesystem/file-content';
import { ImageError } from '../image/errors';
import { readBlockMap, type BlockMapping } from './block-map';
import { inodeChecksumMatches } from './checksums';
import { readExtentTree } from './extent-tree';
import { InlineData } from './inline-data';
import { badBlocksInode, inodeFlags, type Inode } from './inode';
import { Problems } from './problems';
import { imageOffset, type ExtVolume } from './volume';

const fastSymlinkLimit = 60;

/** Where the content of an inode is kept. */
export type ContentPlace = 'none' | 'inode' | 'target' | 'blocks' | 'extents';

/** Tells where content lies: a symlink keeps a short target in place of its block pointers. */
export function contentPlace(volume: ExtVolume, inode: Inode): ContentPlace {
  if (inode.number === badBlocksInode) return 'blocks'; // it has no type
  if (!['file', 'directory', 'symlink'].includes(inode.type)) return 'none';
  if (inode.has(inodeFlags.inlineData)) return 'inode';
  if (inode.type === 'symlink' && isFastSymlink(volume, inode)) return 'target';
  return inode.has(inodeFlags.extents) ? 'extents' : 'blocks';
}

/** What `i_blocks` counts beside a block for attributes would be content elsewhere. */
function isFastSymlink(volume: ExtVolume, inode: Inode): boolean {
  if (inode.size >= fastSymlinkLimit) return false;
  const { blockSize, clusterBlocks, features } = volume.geometry;
  // Attribute values in inodes of their own are counted too, so the size has to do.
  if (features.has('ea_inode')) return true;
  const attributes = inode.attributeBlock === 0 ? 0 : blockSize * clusterBlocks;
  return inode.allocated === attributes;
}

/** Where the blocks of an inode lie; nothing for content kept in the inode itself. */
export function readMapping(volume: ExtVolume, inode: Inode, problems: Problems): BlockMapping {
  const place = contentPlace(volume, inode);
  if (place !== 'extents' && place !== 'blocks') return { extents: [], mapBlocks: [] };
  const read = place === 'extents' ? readExtentTree : readBlockMap;
  const mapping = read(volume, inode, problems);
  noteMissing(volume, mapping.extents, problems);
  return mapping;
}

/** Of a truncated image: what lies past its end reads as zeros, which the file never held. */
function noteMissing(volume: ExtVolume, extents: readonly Extent[], problems: Problems): void {
  const { blockSize } = volume.geometry;
  const held = Math.floor(volume.bytes.present / blockSize);
  const cut = extents.find(
    ({ physical, length, unwritten }) => !unwritten && physical + length > held,
  );
  if (!cut) return;
  const block = Math.max(cut.physical, held);
  const message = `The image ends before block ${block}: what is missing reads as zeros.`;
  problems.error('content-beyond-image', message, imageOffset(volume, block), blockSize);
}

/**
 * The content of a file or symlink, or the raw bytes of a directory.
 * @throws ImageError `unsupported` where the inode claims more than 2^53 bytes
 */
export function readContent(volume: ExtVolume, inode: Inode): FileContent {
  if (inode.size > Number.MAX_SAFE_INTEGER) {
    const message = `Inode ${inode.number} claims a size of more than 2^53 bytes.`;
    throw new ImageError('unsupported', message);
  }
  const problems = new Problems(inode.number);
  verifyInode(volume, inode, problems);
  const place = contentPlace(volume, inode);
  if (place === 'none') return new InlineContent(new Uint8Array(0), inode.allocated, problems.list);
  if (place === 'target') {
    const target = inode.blockBytes.subarray(0, inode.size);
    return new InlineContent(target, inode.allocated, problems.list);
  }
  if (place === 'inode') return new InlineData(inode, problems);
  const { extents } = readMapping(volume, inode, problems);
  const { blockSize } = volume.geometry;
  return new MappedContent(
    volume.bytes,
    inode.size,
    blockSize,
    (block) => block * blockSize,
    extents,
    inode.allocated,
    problems.list,
  );
}

/** Only Linux writes checksums into inodes. */
function verifyInode(volume: ExtVolume, inode: Inode, problems: Problems): void {
  const { geometry } = volume;
  if (!geometry.features.has('metadata_csum') || geometry.creator !== 'linux') return;
  if (inodeChecksumMatches(geometry, inode.number, inode.raw)) return;
  const message = `The checksum of inode ${inode.number} does not match.`;
  problems.error('inode-checksum', message, inode.place, inode.raw.length);
}
