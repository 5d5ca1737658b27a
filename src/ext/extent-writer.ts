import type { Extent } from '../filesystem/extents';
import { crc32c, inodeSeed } from './checksums';
import { extentHeader, extentIndex, extentLeaf, extentMagic } from './extent-tree';
import type { Geometry } from './superblock';

const longestWritten = 32768;
const entriesInInode = 4;

/** A node of a tree that is to be written. */
interface Node {
  /** First logical block it speaks of. */
  readonly logical: number;
  readonly depth: number;
  readonly entries: readonly (Extent | Node)[];
}

/** How many blocks the tree of these extents needs beside the inode. */
export function countTreeBlocks(geometry: Geometry, extents: readonly Extent[]): number {
  const count = (node: Node): number =>
    node.entries.reduce((sum, entry) => sum + ('entries' in entry ? 1 + count(entry) : 0), 0);
  return count(buildTree(geometry, extents));
}

/**
 * Writes the extent tree of an inode.
 * @param root the 60 bytes of `i_block`
 * @param take gives the next block for a node: its number and its bytes
 */
export function writeExtentTree(
  geometry: Geometry,
  inode: { readonly number: number; readonly generation: number },
  extents: readonly Extent[],
  root: DataView,
  take: () => { readonly block: number; readonly view: DataView },
): void {
  const seed = inodeSeed(geometry, inode.number, inode.generation);
  const write = (node: Node, view: DataView, capacity: number) => {
    new Uint8Array(view.buffer, view.byteOffset, view.byteLength).fill(0);
    extentHeader.set(view, 'eh_magic', extentMagic);
    extentHeader.set(view, 'eh_entries', node.entries.length);
    extentHeader.set(view, 'eh_max', capacity);
    extentHeader.set(view, 'eh_depth', node.depth);
    node.entries.forEach((entry, i) => {
      const at = extentHeader.size + i * extentLeaf.size;
      if ('entries' in entry) writeIndex(view, at, entry.logical, writeBlock(entry));
      else writeLeaf(view, at, entry);
    });
  };
  const writeBlock = (node: Node): number => {
    const { block, view } = take();
    const capacity = capacityOf(geometry);
    write(node, view, capacity);
    if (geometry.features.has('metadata_csum')) {
      const end = extentHeader.size + capacity * extentLeaf.size;
      const checked = new Uint8Array(view.buffer, view.byteOffset, end);
      view.setUint32(end, crc32c(seed, checked), true);
    }
    return block;
  };
  write(buildTree(geometry, extents), root, entriesInInode);
}

/** Entries of a node that fills a block; what they leave holds the checksum. */
function capacityOf({ blockSize }: Geometry): number {
  return Math.floor((blockSize - extentHeader.size) / extentLeaf.size);
}

function buildTree(geometry: Geometry, extents: readonly Extent[]): Node {
  let entries: readonly (Extent | Node)[] = extents.flatMap(splitLong);
  let depth = 0;
  const capacity = capacityOf(geometry);
  while (entries.length > entriesInInode) {
    const nodes: Node[] = [];
    for (let at = 0; at < entries.length; at += capacity) {
      const part = entries.slice(at, at + capacity);
      nodes.push({ logical: part[0].logical, depth, entries: part });
    }
    entries = nodes;
    depth += 1;
  }
  return { logical: 0, depth, entries };
}

/** One entry holds 32768 written blocks at most, or one less unwritten ones. */
function splitLong(extent: Extent): Extent[] {
  const longest = extent.unwritten ? longestWritten - 1 : longestWritten;
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
  extentLeaf.set(view, 'ee_block', extent.logical, at);
  const mark = extent.unwritten ? longestWritten : 0;
  extentLeaf.set(view, 'ee_len', extent.length + mark, at);
  extentLeaf.set(view, 'ee_start_hi', Math.floor(extent.physical / 2 ** 32), at);
  extentLeaf.set(view, 'ee_start_lo', extent.physical % 2 ** 32, at);
}

function writeIndex(view: DataView, at: number, logical: number, block: number): void {
  extentIndex.set(view, 'ei_block', logical, at);
  extentIndex.set(view, 'ei_leaf_lo', block % 2 ** 32, at);
  extentIndex.set(view, 'ei_leaf_hi', Math.floor(block / 2 ** 32), at);
}
