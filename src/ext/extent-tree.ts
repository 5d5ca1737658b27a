import type { Extent } from '../filesystem/extents';
import { appendExtent } from '../filesystem/extents';
import type { BlockMapping, MapBlock } from './block-map';
import { crc32c, inodeSeed } from './checksums';
import { branchAt, extentHeader, extentMagic, leafAt } from './extent-node';
import type { Inode } from './inode';
import type { Problems } from './problems';
import { holdsBlocks } from './superblock';
import { imageOffset, readBlock, type ExtVolume } from './volume';

const entrySize = 12;
const usualDepth = 5; // EXT4_MAX_EXTENT_DEPTH; e2fsck follows deeper trees and calls them clean
const largestDepth = 32;
const checksumSize = 4;

/** Follows the extent tree of an inode; no block is followed as a node twice. */
export function readExtentTree(volume: ExtVolume, inode: Inode, problems: Problems): BlockMapping {
  const walk = new ExtentTreeWalk(volume, inode, problems);
  const { blockBytes } = inode;
  walk.node({
    view: new DataView(blockBytes.buffer, blockBytes.byteOffset, blockBytes.length),
    place: inode.blockPlace,
    block: 0,
    depth: undefined,
    start: 0,
    end: 2 ** 32,
  });
  return { extents: walk.finish(), mapBlocks: walk.mapBlocks };
}

interface ExtentNode {
  readonly view: DataView;
  /** Where it starts in the image, in bytes. */
  readonly place: number;
  /** The block it fills, 0 for the root. */
  readonly block: number;
  /** What its parent says it must be; nobody says it of the root. */
  readonly depth: number | undefined;
  /** First logical block it may speak of, and the first one past it. */
  readonly start: number;
  readonly end: number;
}

const nameOf = ({ block }: ExtentNode) => (block === 0 ? 'the inode' : `block ${block}`);

/** Where an entry of a node starts in the image, in bytes. */
const placeOf = ({ place }: ExtentNode, index: number) =>
  place + extentHeader.size + index * entrySize;

/** The fields that count, without the detour over the declaration: every file has a tree. */
const readHeader = (view: DataView) => ({
  eh_magic: view.getUint16(0, true),
  eh_entries: view.getUint16(2, true),
  eh_max: view.getUint16(4, true),
  eh_depth: view.getUint16(6, true),
});

class ExtentTreeWalk {
  readonly mapBlocks: MapBlock[] = [];
  private extents: Extent[] = [];
  private nextLogical = 0;
  private disordered = false;
  private readonly seen = new Set<number>();

  constructor(
    private readonly volume: ExtVolume,
    private readonly inode: Inode,
    private readonly problems: Problems,
  ) {}

  node(node: ExtentNode): void {
    const header = readHeader(node.view);
    const capacity = Math.floor((node.view.byteLength - extentHeader.size) / entrySize);
    const wrong = this.headerProblem(header, capacity, node.depth);
    if (wrong) {
      this.report('extent-header', `The extent node in ${nameOf(node)} ${wrong}`, node.place, 12);
      return;
    }
    if (node.depth === undefined && header.eh_depth > usualDepth) {
      const message = `The extent tree of inode ${this.inode.number} has ${header.eh_depth} levels`;
      const limit = `the Linux driver follows ${usualDepth}`;
      this.problems.warning('extent-tree-deep', `${message}; ${limit}.`, node.place, 12);
    }
    const entries = Math.min(header.eh_entries, header.eh_max);
    if (header.eh_entries > header.eh_max) {
      const claim = `claims ${header.eh_entries} entries in room for ${header.eh_max}`;
      this.report('extent-header', `The extent node in ${nameOf(node)} ${claim}`, node.place, 12);
    }
    for (let i = 0; i < entries; i++) {
      if (header.eh_depth === 0) this.leaf(node, i);
      else this.index(node, i, i + 1 < entries, header.eh_depth);
    }
  }

  finish(): Extent[] {
    if (!this.disordered) return this.extents;
    const sorted: Extent[] = [];
    for (const extent of this.extents.sort((a, b) => a.logical - b.logical)) {
      const last = sorted.at(-1);
      if (!last || last.logical + last.length <= extent.logical) appendExtent(sorted, extent);
    }
    return sorted;
  }

  private headerProblem(
    header: ReturnType<typeof readHeader>,
    capacity: number,
    expectedDepth: number | undefined,
  ): string | null {
    if (header.eh_magic !== extentMagic) {
      const magic = header.eh_magic.toString(16).toUpperCase().padStart(4, '0');
      return `starts with ${magic}, not F30A`;
    }
    if (header.eh_depth > largestDepth) return `claims ${header.eh_depth} levels below it`;
    if (expectedDepth !== undefined && header.eh_depth !== expectedDepth) {
      return `claims depth ${header.eh_depth} where ${expectedDepth} is due`;
    }
    if (header.eh_max > capacity) return `claims room for ${header.eh_max} entries`;
    return null;
  }

  private leaf(node: ExtentNode, index: number): void {
    const place = placeOf(node, index);
    const { logical, physical, length, unwritten = false } = leafAt(node.view, index);
    const name = `The extent at block ${logical}`;
    if (length === 0) {
      this.report('extent-empty', `${name} has no length`, place, entrySize);
    } else if (!holdsBlocks(this.volume.geometry, physical, length)) {
      const run = `${length} blocks from block ${physical} on`;
      const message = `${name} claims ${run}, which are not all in the volume`;
      this.report('extent-out-of-range', message, place, entrySize);
    } else if (logical < node.start || logical + length > node.end) {
      this.report('extent-outside-node', `${name} is not where its index says`, place, entrySize);
      this.keep(logical, physical, length, unwritten);
    } else if (logical < this.nextLogical) {
      this.report('extent-order', `${name} is not in order or overlaps`, place, entrySize);
      this.keep(logical, physical, length, unwritten);
    } else {
      this.keep(logical, physical, length, unwritten);
    }
  }

  private keep(logical: number, physical: number, length: number, unwritten: boolean): void {
    if (logical < this.nextLogical) this.disordered = true;
    this.nextLogical = Math.max(this.nextLogical, logical + length);
    const extent = { logical, physical, length };
    const whole = unwritten ? { ...extent, unwritten } : extent;
    if (this.disordered) this.extents.push(whole);
    else appendExtent(this.extents, whole);
  }

  private index(node: ExtentNode, index: number, hasNext: boolean, depth: number): void {
    const { view } = node;
    const place = placeOf(node, index);
    const { logical: start, block } = branchAt(view, index);
    if (!holdsBlocks(this.volume.geometry, block)) {
      const message = `An extent node is said to be in block ${block}, outside of the volume`;
      this.report('extent-index-out-of-range', message, place, entrySize);
      return;
    }
    if (this.seen.has(block)) {
      const message = `Block ${block} is an extent node more than once`;
      this.report('extent-node-repeated', message, place, entrySize);
      return;
    }
    if (start < node.start || start >= node.end) {
      const message = `The extent node in block ${block} is not where its own index says`;
      this.report('extent-order', message, place, entrySize);
    }
    this.seen.add(block);
    this.mapBlocks.push({
      kind: 'extent block',
      block,
      parent: node.block,
      depth: depth - 1,
      logical: start,
    });
    const child = readBlock(this.volume, block);
    this.verifyChecksum(child, block);
    this.node({
      view: child,
      place: imageOffset(this.volume, block),
      block,
      depth: depth - 1,
      start,
      end: hasNext ? branchAt(view, index + 1).logical : node.end,
    });
  }

  /** The checksum follows the room for entries. */
  private verifyChecksum(view: DataView, block: number): void {
    const { geometry } = this.volume;
    if (!geometry.features.has('metadata_csum')) return;
    const max = extentHeader.fields.eh_max.read(view, extentHeader.fields.eh_max.offset);
    const at = extentHeader.size + max * entrySize;
    if (at + checksumSize > view.byteLength) return; // the header itself is reported
    const seed = inodeSeed(geometry, this.inode.number, this.inode.generation);
    if (crc32c(seed, new Uint8Array(view.buffer, 0, at)) === view.getUint32(at, true)) return;
    const message = `The checksum of the extent node in block ${block} does not match`;
    const place = imageOffset(this.volume, block) + at;
    this.report('extent-checksum', message, place, checksumSize);
  }

  private report(code: string, message: string, place: number, length: number): void {
    this.problems.error(code, `${message} (inode ${this.inode.number}).`, place, length);
  }
}
