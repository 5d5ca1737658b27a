import type { DescribedStructure } from '../filesystem/structure';
import { attributeEntry, readBlockAttributes, readInodeAttributes } from './attributes';
import { contentPlace } from './content';
import { extentHeader, extentIndex, extentLeaf } from './extent-tree';
import { blockPointers, inodeStructure, type Inode } from './inode';
import { Problems } from './problems';
import type { ExtVolume } from './volume';

/** The inode, what its `i_block` holds, and its attributes. */
export function describeInode(volume: ExtVolume, inode: Inode): DescribedStructure[] {
  const length = Math.min(128 + inode.extraSize, inodeStructure.size);
  const name = `inode ${inode.number}`;
  return [
    inodeStructure.describe(inode.view, name, inode.place, 0, length),
    ...describeBlockField(volume, inode),
    ...describeAttributes(volume, inode),
  ];
}

function describeBlockField(volume: ExtVolume, inode: Inode): DescribedStructure[] {
  const place = contentPlace(volume, inode);
  const at = inode.blockPlace - inode.place;
  if (place === 'blocks') {
    const name = `block pointers of inode ${inode.number}`;
    return [blockPointers.describe(inode.view, name, inode.blockPlace, at)];
  }
  if (place !== 'extents') return [];
  const root = new DataView(inode.blockBytes.buffer, inode.raw.byteOffset + at, 60);
  return describeExtentNode(root, `root of inode ${inode.number}`, inode.blockPlace);
}

/**
 * A node of an extent tree with its entries.
 * @param place where the node starts in the image, in bytes
 */
export function describeExtentNode(
  view: DataView,
  name: string,
  place: number,
): DescribedStructure[] {
  const header = extentHeader.read(view);
  const room = Math.floor((view.byteLength - extentHeader.size) / extentLeaf.size);
  const entry = header.eh_depth === 0 ? extentLeaf : extentIndex;
  return [
    extentHeader.describe(view, `extent ${name}`, place),
    ...Array.from({ length: Math.min(header.eh_entries, room) }, (_, i) => {
      const at = extentHeader.size + i * entry.size;
      return entry.describe(view, `entry ${i} of extent ${name}`, place + at, at);
    }),
  ];
}

function describeAttributes(volume: ExtVolume, inode: Inode): DescribedStructure[] {
  const problems = new Problems(inode.number);
  return [
    ...readInodeAttributes(inode, problems),
    ...readBlockAttributes(volume, inode, problems),
  ].map(({ name, place, entry }) =>
    attributeEntry.describe(entry, `attribute ${name} of inode ${inode.number}`, place),
  );
}
