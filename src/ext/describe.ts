import type { DescribedField, DescribedStructure } from '../filesystem/structure';
import { u32s } from '../filesystem/structure';
import { readView } from '../image/bytes';
import {
  attributeBlockHeader,
  attributeEntry,
  readBlockAttributes,
  readInodeAttributes,
} from './attributes';
import { contentPlace } from './content';
import { extentHeader, extentIndex, extentLeaf } from './extent-node';
import { blockPointers, inodeStructure, type Inode } from './inode';
import { Problems } from './problems';
import { protectionBlock } from './protection';
import { groupStart, holdsBlocks, primaryOffset, superblock } from './superblock';
import { imageOffset, readBlock, type ExtVolume } from './volume';

/** A structure that has no fields of its own: a bitmap, room for later. */
export function plainStructure(
  kind: string,
  name: string,
  offset: number,
  length: number,
): DescribedStructure {
  return { kind, name, offset, length, fields: [] };
}

/** The primary superblock or the copy in a group. */
export function describeSuperblock(volume: ExtVolume, group: number): DescribedStructure {
  const { geometry, bytes } = volume;
  const offset = group === 0 ? primaryOffset : groupStart(geometry, group) * geometry.blockSize;
  const name = group === 0 ? 'superblock' : `superblock, copy in group ${group}`;
  const view = readView(bytes, offset, superblock.size);
  return superblock.describe(view, name, bytes.offset + offset);
}

/** The block of the feature `mmp`, which the volume must have. */
export function describeProtection({ geometry, bytes }: ExtVolume): DescribedStructure {
  const offset = geometry.values.s_mmp_block * geometry.blockSize;
  const view = readView(bytes, offset, protectionBlock.size);
  return protectionBlock.describe(view, 'multi-mount protection', bytes.offset + offset);
}

/** The inode, what its `i_block` holds, and its attributes. */
export function describeNode(volume: ExtVolume, inode: Inode): DescribedStructure[] {
  const map = describeMapRoot(volume, inode);
  return [describeInode(inode), ...(map ? [map] : []), ...describeAttributes(volume, inode)];
}

/** The inode in its full length, with the fields that it has. */
export function describeInode(inode: Inode): DescribedStructure {
  const length = Math.min(128 + inode.extraSize, inodeStructure.size);
  const name = `inode ${inode.number}`;
  const described = inodeStructure.describe(inode.view, name, inode.place, 0, length);
  return { ...described, length: inode.raw.length, node: inode.number };
}

/** The block pointers or the root of the extent tree; null where `i_block` holds neither. */
export function describeMapRoot(volume: ExtVolume, inode: Inode): DescribedStructure | null {
  const place = contentPlace(volume, inode);
  if (place === 'blocks') {
    const name = `block pointers of inode ${inode.number}`;
    const at = inode.blockPlace - inode.place;
    return blockPointers.describe(inode.view, name, inode.blockPlace, at);
  }
  if (place !== 'extents') return null;
  const { buffer, byteOffset, length } = inode.blockBytes;
  const view = new DataView(buffer, byteOffset, length);
  const name = `root of the extents of inode ${inode.number}`;
  return describeExtentNode(view, name, inode.blockPlace);
}

/**
 * A node of an extent tree with its entries.
 * @param place where the node starts in the image, in bytes
 */
function describeExtentNode(view: DataView, name: string, place: number): DescribedStructure {
  const header = extentHeader.read(view);
  const room = Math.floor((view.byteLength - extentHeader.size) / extentLeaf.size);
  const entry = header.eh_depth === 0 ? extentLeaf : extentIndex;
  const fields = [...extentHeader.describe(view, '', place).fields];
  for (let i = 0; i < Math.min(header.eh_entries, room); i++) {
    const at = extentHeader.size + i * entry.size;
    fields.push(...prefixed(`[${i}].`, entry.describe(view, '', place + at, at).fields));
  }
  return { kind: 'extent node', name, offset: place, length: view.byteLength, fields };
}

/** A block of pointers, sixteen in a field. */
function describeIndirectBlock(view: DataView, name: string, place: number): DescribedStructure {
  const inField = 16;
  const fields: DescribedField[] = [];
  for (let at = 0; at + 4 * inField <= view.byteLength; at += 4 * inField) {
    const first = at / 4;
    const meaning = `pointers ${first} to ${first + inField - 1}`;
    const field = u32s(at, inField, meaning);
    fields.push({
      name: `[${first}]`,
      offset: place + at,
      length: field.length,
      value: field.show(view, at),
      meaning,
      format: field.format,
    });
  }
  return { kind: 'indirect block', name, offset: place, length: view.byteLength, fields };
}

/** A block that maps the content of an inode, whichever of the two kinds it is. */
export function describeMapBlock(
  volume: ExtVolume,
  block: number,
  isExtentNode: boolean,
): DescribedStructure {
  const view = readBlock(volume, block);
  const place = imageOffset(volume, block);
  return isExtentNode
    ? describeExtentNode(view, `extent node in block ${block}`, place)
    : describeIndirectBlock(view, `indirect block ${block}`, place);
}

/** The attributes in the inode, then the block of them and those in it. */
export function describeAttributes(volume: ExtVolume, inode: Inode): DescribedStructure[] {
  const problems = new Problems(inode.number);
  const block = inode.attributeBlock;
  const hasBlock = block !== 0 && holdsBlocks(volume.geometry, block);
  const entries = (attributes: ReturnType<typeof readInodeAttributes>) =>
    attributes.map(({ name, place, entry }) => attributeEntry.describe(entry, name, place));
  return [
    ...entries(readInodeAttributes(inode, problems)),
    ...(hasBlock ? [describeAttributeBlock(volume, block)] : []),
    ...entries(readBlockAttributes(volume, inode, problems)),
  ];
}

export function describeAttributeBlock(volume: ExtVolume, block: number): DescribedStructure {
  const view = readBlock(volume, block);
  const name = `attribute block ${block}`;
  return attributeBlockHeader.describe(view, name, imageOffset(volume, block));
}

function prefixed(prefix: string, fields: readonly DescribedField[]): DescribedField[] {
  return fields.map((field) => ({ ...field, name: prefix + field.name }));
}
