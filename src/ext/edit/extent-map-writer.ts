import { appendExtent, type Extent } from '../../filesystem/extents';
import type { UnitRun } from '../../filesystem/sorted-runs';
import { ImageError } from '../../image/errors';
import {
  branchAt,
  entriesInInode,
  entryCount,
  entryFor,
  leafAt,
  nodeCapacity,
  readBranches,
  readLeaves,
  sealExtentNode,
  splitLong,
  startNode,
  writeEntries,
  type ExtentBranch,
} from '../extent-node';
import { extentHeader, extentMagic } from '../extent-node';
import { iBlockOf, readInode } from '../inode';
import { holdsBlocks } from '../superblock';
import { readBlock } from '../volume';
import type { EditContext } from './context';
import type { ContentMap, MapPiece } from './content-map';

const mostBlocks = 2 ** 32 - 1; // EXT_MAX_BLOCKS
const deepest = 5; // EXT4_MAX_EXTENT_DEPTH

/** A node of the tree, as it is read. */
type Node =
  | { readonly depth: 0; readonly entries: readonly Extent[] }
  | { readonly depth: number; readonly entries: readonly ExtentBranch[] };

/** A range of content, and how it is to lie. */
interface Replacement {
  readonly first: number;
  readonly end: number;
  readonly extents: readonly Extent[];
}

/** Reads and changes the extent tree of an inode, node by node, as a range is asked for. */
export class ExtentMapWriter implements ContentMap {
  readonly reach = mostBlocks;
  private readonly capacity: number;
  /** Nodes that were taken since somebody asked, without those given back. */
  private taken = 0;
  private released: UnitRun[] = [];

  constructor(
    private readonly context: EditContext,
    private readonly number: number,
  ) {
    this.capacity = nodeCapacity(context.volume.geometry);
  }

  *pieces(first: number, end: number): Generator<MapPiece, void> {
    let at = first;
    let last: MapPiece | undefined;
    const root = this.rootView();
    for (const extent of this.under(root, this.depthOf(root), first, end)) {
      const from = Math.max(first, extent.logical);
      const to = Math.min(end, extent.logical + extent.length);
      const physical = extent.physical + from - extent.logical;
      const piece = { ...extent, logical: from, physical, length: to - from };
      if (last && continues(last, piece)) {
        last = { ...last, length: last.length + piece.length };
      } else {
        if (last) yield last;
        if (from > at) yield { logical: at, physical: 0, length: from - at };
        last = piece;
      }
      at = to;
    }
    if (last) yield last;
    if (at < end) yield { logical: at, physical: 0, length: end - at };
  }

  /** None: how many nodes a tree needs depends on the runs that its content gets. */
  countMissing(): number {
    return 0;
  }

  assign(extents: readonly Extent[]): number {
    this.taken = 0;
    for (let i = 0; i < extents.length;) {
      const first = extents[i].logical;
      let end = first;
      const part: Extent[] = [];
      for (; i < extents.length && extents[i].logical === end; i++) {
        part.push(extents[i]);
        end += extents[i].length;
      }
      this.replace({ first, end, extents: part });
    }
    this.giveBack();
    return this.taken;
  }

  cut(blocks: number): { data: UnitRun[]; own: UnitRun[] } {
    const data = [...this.pieces(blocks, this.reach)]
      .filter(({ physical }) => physical !== 0)
      .map(({ physical, length }) => ({ start: physical, length }));
    if (data.length > 0) this.replace({ first: blocks, end: this.reach, extents: [] });
    const own = this.released;
    this.released = [];
    return { data, own };
  }

  /** Extents of a range, those that reach into it from outside too, as the entries have them. */
  private *under(
    view: DataView,
    depth: number,
    first: number,
    end: number,
  ): Generator<Extent, void> {
    const count = entryCount(view);
    for (let i = entryFor(view, first); i < count; i++) {
      const entry = depth === 0 ? leafAt(view, i) : branchAt(view, i);
      if (entry.logical >= end) return;
      if ('block' in entry) {
        yield* this.under(this.nodeView(entry.block, depth - 1), depth - 1, first, end);
      } else if (entry.logical + entry.length > first) {
        yield entry;
      }
    }
  }

  private replace(change: Replacement): void {
    const root = this.root();
    let { depth } = root;
    let entries = this.changed(root, change);
    while (entries.length > entriesInInode) {
      entries = this.store(depth, entries, [], appends(root, change));
      depth += 1;
    }
    if (entries.length === 0) depth = 0;
    // What one node holds, and the inode has room for, needs no node.
    while (depth > 0 && entries.length === 1) {
      const { block } = entries[0] as ExtentBranch;
      const only = this.node(block, depth - 1);
      if (only.entries.length > entriesInInode) break;
      this.release(block);
      entries = only.entries;
      depth -= 1;
    }
    this.writeRoot(depth, entries);
  }

  /** The entries of a node after a change of what lies below it; maybe more than it has room for. */
  private changed(node: Node, change: Replacement): readonly (Extent | ExtentBranch)[] {
    if (isLeaf(node)) return spliced(node.entries, change);
    const kept: ExtentBranch[] = [];
    node.entries.forEach((branch, i) => {
      const from = i === 0 ? 0 : branch.logical;
      const to = node.entries[i + 1]?.logical ?? Infinity;
      const part = partOf(change, from, to);
      if (part === null) {
        kept.push(branch);
        return;
      }
      const child = this.node(branch.block, node.depth - 1);
      const entries = this.changed(child, part);
      if (entries.length === 0) this.release(branch.block);
      else kept.push(...this.store(child.depth, entries, [branch.block], appends(child, part)));
    });
    return kept;
  }

  /**
   * Writes entries into nodes: those that are there, and new ones where they are too many.
   * @param isAppended fills all nodes but the last: what comes next goes behind them
   * @returns what leads to the nodes
   */
  private store(
    depth: number,
    entries: readonly (Extent | ExtentBranch)[],
    blocks: readonly number[],
    isAppended: boolean,
  ): ExtentBranch[] {
    const count = Math.ceil(entries.length / this.capacity);
    const each = isAppended ? this.capacity : Math.ceil(entries.length / count);
    const branches: ExtentBranch[] = [];
    for (let at = 0; at < entries.length; at += each) {
      const part = entries.slice(at, at + each);
      const block = blocks[branches.length] ?? this.take();
      this.writeNode(block, depth, part);
      branches.push({ logical: part[0].logical, block });
    }
    return branches;
  }

  private writeNode(
    block: number,
    depth: number,
    entries: readonly (Extent | ExtentBranch)[],
  ): void {
    const { writer, volume } = this.context;
    const view = writer.block(block);
    startNode(view, depth, this.capacity);
    writeEntries(view, entries);
    sealExtentNode(view, volume.geometry, readInode(volume, this.number));
  }

  private writeRoot(depth: number, entries: readonly (Extent | ExtentBranch)[]): void {
    this.context.writer.editInode(this.number, (raw) => {
      const view = iBlockOf(raw);
      startNode(view, depth, entriesInInode);
      writeEntries(view, entries);
    });
  }

  private root(): Node {
    const view = this.rootView();
    return nodeOf(view, this.depthOf(view));
  }

  private node(block: number, depth: number): Node {
    return nodeOf(this.nodeView(block, depth), depth);
  }

  private rootView(): DataView {
    return iBlockOf(readInode(this.context.volume, this.number).view);
  }

  private nodeView(block: number, depth: number): DataView {
    if (!holdsBlocks(this.context.volume.geometry, block)) throw this.corrupt(`block ${block}`);
    const view = readBlock(this.context.volume, block);
    if (this.depthOf(view) !== depth) throw this.corrupt(`block ${block}`);
    return view;
  }

  /** Levels of nodes below one. */
  private depthOf(view: DataView): number {
    const { eh_magic, eh_depth } = extentHeader.read(view, 0);
    if (eh_magic !== extentMagic || eh_depth > deepest) throw this.corrupt('a header');
    return eh_depth;
  }

  private take(): number {
    const { pointers } = this.context.blocks.allocate({
      data: 0,
      pointers: 1,
      inode: this.number,
    });
    this.taken += 1;
    const block = pointers[0].start;
    this.context.store.startBlock(block);
    return block;
  }

  private release(block: number): void {
    this.released.push({ start: block, length: 1 });
  }

  private giveBack(): void {
    for (const { start, length } of this.released) this.context.blocks.release(start, length);
    this.taken -= this.released.length;
    this.released = [];
  }

  private corrupt(where: string): ImageError {
    const message = `The extent tree of inode ${this.number} makes no sense at ${where}.`;
    return new ImageError('corrupt', message);
  }
}

function nodeOf(view: DataView, depth: number): Node {
  return depth === 0
    ? { depth: 0, entries: readLeaves(view) }
    : { depth, entries: readBranches(view) };
}

function isLeaf(node: Node): node is { readonly depth: 0; readonly entries: readonly Extent[] } {
  return node.depth === 0;
}

function continues(last: MapPiece, next: MapPiece): boolean {
  return (
    last.logical + last.length === next.logical &&
    last.physical + last.length === next.physical &&
    Boolean(last.unwritten) === Boolean(next.unwritten)
  );
}

/** Whether a change adds behind all that a node tells of. */
function appends({ entries }: Node, { first, extents }: Replacement): boolean {
  const last = entries.at(-1);
  return extents.length > 0 && (last === undefined || first > last.logical);
}

/** What of a change concerns a range; null where nothing does. */
function partOf(
  { first, end, extents }: Replacement,
  from: number,
  to: number,
): Replacement | null {
  const start = Math.max(first, from);
  const stop = Math.min(end, to);
  if (start >= stop) return null;
  const inside = extents
    .map((extent) => clipped(extent, start, stop))
    .filter((extent) => extent !== null);
  return { first: start, end: stop, extents: inside };
}

/** The extents of a leaf after a change, as long as entries can be. */
function spliced(entries: readonly Extent[], { first, end, extents }: Replacement): Extent[] {
  const joined: Extent[] = [];
  const add = (extent: Extent | null) => {
    if (extent) appendExtent(joined, extent);
  };
  for (const extent of entries) add(clipped(extent, 0, first));
  for (const extent of extents) add(extent);
  for (const extent of entries) add(clipped(extent, end, Infinity));
  return joined.flatMap(splitLong);
}

/** What of an extent lies in a range; null where nothing does. */
function clipped(extent: Extent, from: number, to: number): Extent | null {
  const start = Math.max(extent.logical, from);
  const end = Math.min(extent.logical + extent.length, to);
  if (start >= end) return null;
  const physical = extent.physical + start - extent.logical;
  return { ...extent, logical: start, physical, length: end - start };
}
