import type { Extent } from '../filesystem/extents';
import {
  entriesInInode,
  nodeCapacity,
  sealExtentNode,
  splitLong,
  startNode,
  writeEntries,
  type ExtentBranch,
} from './extent-node';
import type { Geometry } from './superblock';

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
  const write = (node: Node, view: DataView, capacity: number) => {
    startNode(view, node.depth, capacity);
    const entries = node.entries.map((entry) => ('entries' in entry ? writeBlock(entry) : entry));
    writeEntries(view, entries);
  };
  const writeBlock = (node: Node): ExtentBranch => {
    const { block, view } = take();
    write(node, view, nodeCapacity(geometry));
    sealExtentNode(view, geometry, inode);
    return { logical: node.logical, block };
  };
  write(buildTree(geometry, extents), root, entriesInInode);
}

function buildTree(geometry: Geometry, extents: readonly Extent[]): Node {
  let entries: readonly (Extent | Node)[] = extents.flatMap(splitLong);
  let depth = 0;
  const capacity = nodeCapacity(geometry);
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
