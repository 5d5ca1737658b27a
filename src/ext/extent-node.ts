import type { Extent } from '../filesystem/extents';
import { structure, u16, u32 } from '../filesystem/structure';
import { crc32c, inodeSeed } from './checksums';
import type { Geometry } from './superblock';
import { bytesOf } from './volume-writer';

/** Layout of all three: Documentation/filesystems/ext4/ifork.rst. */
export const extentHeader = structure('extent header', 12, {
  eh_magic: u16(0, 'F30A'),
  eh_entries: u16(2, 'entries in use'),
  eh_max: u16(4, 'entries there is room for'),
  eh_depth: u16(6, 'levels below; 0 where the entries are extents'),
  eh_generation: u32(8, 'generation, for Lustre'),
});

export const extentLeaf = structure('extent', 12, {
  ee_block: u32(0, 'first block of the content'),
  ee_len: u16(4, 'blocks; above 32768 unwritten ones, 32768 more than there are'),
  ee_start_hi: u16(6, 'first block on the volume, high 16 bits'),
  ee_start_lo: u32(8, 'first block on the volume, low 32 bits'),
});

export const extentIndex = structure('extent index', 12, {
  ei_block: u32(0, 'first block of the content below'),
  ei_leaf_lo: u32(4, 'block of the node below, low 32 bits'),
  ei_leaf_hi: u16(8, 'block of the node below, high 16 bits'),
  ei_unused: u16(10, 'unused'),
});

export const extentMagic = 0xf30a;

/** Entries of the root, which an inode holds in place of block pointers. */
export const entriesInInode = 4;

const { size: headerSize } = extentHeader;
const { size: entrySize } = extentLeaf;
/** `EXT_INIT_MAX_LEN` of Linux; a longer length marks unwritten blocks. */
export const longestWritten = 32768;
const checksumSize = 4;

/** An index entry: the node below it, and the first logical block that speaks of. */
export interface ExtentBranch {
  readonly logical: number;
  readonly block: number;
}

/** Entries of a node that fills a block; what they leave holds the checksum. */
export function nodeCapacity({ blockSize }: Geometry): number {
  return Math.floor((blockSize - headerSize) / entrySize);
}

/** Makes zeros an empty node. @param depth levels of nodes below it */
export function startNode(view: DataView, depth: number, capacity: number): void {
  bytesOf(view).fill(0);
  extentHeader.set(view, 'eh_magic', extentMagic);
  extentHeader.set(view, 'eh_max', capacity);
  extentHeader.set(view, 'eh_depth', depth);
}

/** How many entries a node has, and not more than there is room for. */
export function entryCount(view: DataView): number {
  const { eh_entries } = extentHeader.fields;
  const room = Math.floor((view.byteLength - headerSize) / entrySize);
  return Math.min(room, eh_entries.read(view, eh_entries.offset));
}

/** The last entry of a node that starts with a block of content or before it; 0 where none does. */
export function entryFor(view: DataView, logical: number): number {
  let low = 0;
  let high = entryCount(view);
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (view.getUint32(headerSize + middle * entrySize, true) <= logical) low = middle;
    else high = middle;
  }
  return low;
}

// Numbers in place of the declarations' fields: a node has hundreds of entries.

/** An entry of a leaf, or of a root without nodes below it. */
export function leafAt(view: DataView, index: number): Extent {
  return readExtent(view, headerSize + index * entrySize);
}

/** An extent as leaves hold it. @param at where it starts, in bytes */
export function readExtent(view: DataView, at: number): Extent {
  const raw = view.getUint16(at + 4, true);
  const logical = view.getUint32(at, true);
  const physical = view.getUint16(at + 6, true) * 2 ** 32 + view.getUint32(at + 8, true);
  if (raw <= longestWritten) return { logical, physical, length: raw };
  return { logical, physical, length: raw - longestWritten, unwritten: true };
}

/** An entry of a node with others below it. */
export function branchAt(view: DataView, index: number): ExtentBranch {
  const at = headerSize + index * entrySize;
  const block = view.getUint16(at + 8, true) * 2 ** 32 + view.getUint32(at + 4, true);
  return { logical: view.getUint32(at, true), block };
}

/** All entries of a leaf, or of a node with others below it. */
export function readLeaves(view: DataView): Extent[] {
  return Array.from({ length: entryCount(view) }, (_, i) => leafAt(view, i));
}

export function readBranches(view: DataView): ExtentBranch[] {
  return Array.from({ length: entryCount(view) }, (_, i) => branchAt(view, i));
}

/** Writes the entries of a node that was started; there is room for them. */
export function writeEntries(view: DataView, entries: readonly (Extent | ExtentBranch)[]): void {
  extentHeader.set(view, 'eh_entries', entries.length);
  entries.forEach((entry, i) => {
    const at = headerSize + i * entrySize;
    if ('block' in entry) writeBranch(view, at, entry);
    else writeLeaf(view, at, entry);
  });
}

/** Gives a node that fills a block the checksum that belongs to it, where nodes have one. */
export function sealExtentNode(
  view: DataView,
  geometry: Geometry,
  inode: { readonly number: number; readonly generation: number },
): void {
  if (!geometry.features.has('metadata_csum')) return;
  const { eh_max } = extentHeader.fields;
  const end = headerSize + eh_max.read(view, eh_max.offset) * entrySize;
  if (end + checksumSize > view.byteLength) return;
  const seed = inodeSeed(geometry, inode.number, inode.generation);
  view.setUint32(end, crc32c(seed, bytesOf(view).subarray(0, end)), true);
}

/** One entry holds 32768 written blocks at most, or one less unwritten ones. */
export function splitLong(extent: Extent): Extent[] {
  const longest = extent.unwritten ? longestWritten - 1 : longestWritten;
  if (extent.length <= longest) return [extent];
  const parts: Extent[] = [];
  for (let at = 0; at < extent.length; at += longest) {
    parts.push({
      ...extent,
      logical: extent.logical + at,
      physical: extent.physical + at,
      length: Math.min(longest, extent.length - at),
    });
  }
  return parts;
}

function writeLeaf(view: DataView, at: number, extent: Extent): void {
  const mark = extent.unwritten ? longestWritten : 0;
  view.setUint32(at, extent.logical, true);
  view.setUint16(at + 4, extent.length + mark, true);
  view.setUint16(at + 6, Math.floor(extent.physical / 2 ** 32), true);
  view.setUint32(at + 8, extent.physical % 2 ** 32, true);
}

function writeBranch(view: DataView, at: number, { logical, block }: ExtentBranch): void {
  view.setUint32(at, logical, true);
  view.setUint32(at + 4, block % 2 ** 32, true);
  view.setUint32(at + 8, Math.floor(block / 2 ** 32), true); // the upper 16 bits are unused
}
