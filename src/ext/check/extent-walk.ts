import { crc32c, inodeSeed } from '../checksums';
import { extentHeader, extentMagic, longestWritten } from '../extent-node';
import { inodeFlags } from '../inode';
import { holdsBlocks } from '../superblock';
import { type ExtVolume } from '../volume';
import { modeTypes, type InodeCursor } from './inode-cursor';
import type { MappingSink, MappingTally } from './mapping-tally';
import { NodeBlocks } from './node-blocks';
import type { ProblemCode } from './problem-table';

const entrySize = 12;
const checksumSize = 4;
const deepestFollowed = 8; // e2fsck reports trees of more than 4 levels, and follows them
const rootBytes = 60;
const largestDirectory = 2 ** 21 * 1024; // bytes, without large_dir

/** Whether bytes start like a node: what `ext2fs_extent_header_verify` asks. */
export function isExtentNode(view: DataView, at: number, size: number): boolean {
  const capacity = Math.floor((size - extentHeader.size) / entrySize);
  const max = view.getUint16(at + 4, true);
  return (
    view.getUint16(at, true) === extentMagic &&
    view.getUint16(at + 2, true) <= max &&
    max <= capacity &&
    max >= capacity - 2 // room that a tail may take
  );
}

interface Node {
  readonly view: DataView;
  /** Where it starts in the view, in bytes. */
  readonly at: number;
  /** In the image, in bytes. */
  readonly place: number;
  /** Levels of nodes below it. */
  readonly below: number;
  /** The first logical block it may speak of. */
  readonly start: number;
  /** The last one; -1 where nobody says. */
  readonly last: number;
  /** Up to which block its last index leads. */
  readonly end: number;
}

/** Follows an extent tree in the order and by the rules of e2fsck's first pass. */
export class ExtentWalk {
  private nextLogical = 0;
  /** Entries, and room for them, by level from the root down. */
  private readonly entries = new Float64Array(deepestFollowed + 1);
  private readonly room = new Float64Array(deepestFollowed + 1);
  private readonly blocks: NodeBlocks;
  private isDirectory = false;
  private lastOfContent = -1;
  private levels = 0;
  /** The deepest level that a node was met at. */
  private reached = 0;
  private inode!: InodeCursor;
  private readonly mostDirectoryBlocks: number;
  private readonly usualLevels: number;

  constructor(
    private readonly volume: ExtVolume,
    private readonly tally: MappingTally,
    private readonly sink: MappingSink,
  ) {
    const { features, blockSize } = volume.geometry;
    this.mostDirectoryBlocks = features.has('large_dir') ? Infinity : largestDirectory / blockSize;
    this.usualLevels = usualLevels(blockSize);
    this.blocks = new NodeBlocks(volume);
  }

  walk(inode: InodeCursor): void {
    this.inode = inode;
    this.isDirectory = inode.is(modeTypes.directory);
    this.lastOfContent = Math.ceil(inode.size / this.volume.geometry.blockSize) - 1;
    this.nextLogical = 0;
    this.reached = 0;
    this.entries.fill(0);
    this.room.fill(0);
    const at = inode.at + (inode.blockPlace - inode.place);
    if (!isExtentNode(inode.view, at, rootBytes)) {
      const message = `The extent tree of inode ${inode.number} does not start like one.`;
      this.sink.report('ext-extent-root', message, inode.blockPlace, extentHeader.size);
      return;
    }
    this.levels = inode.view.getUint16(at + 6, true);
    if (this.levels > this.usualLevels) {
      const message = `The extent tree of inode ${inode.number} has ${this.levels} levels, not ${this.usualLevels} or fewer.`;
      this.sink.report('ext-extent-tree-deep', message, inode.blockPlace + 6, 2);
    }
    this.node({
      view: inode.view,
      at,
      place: inode.blockPlace,
      below: this.levels,
      start: 0,
      last: -1,
      end: this.lastOfContent + 1,
    });
    this.noteWaste();
  }

  private node(node: Node): void {
    const { view, at } = node;
    const count = view.getUint16(at + 2, true);
    this.note(node, count, view.getUint16(at + 4, true));
    let { start } = node;
    for (let i = 0; i < count; i++) {
      const entry = at + extentHeader.size + i * entrySize;
      if (node.below > 0) {
        const next = i + 1 < count ? view.getUint32(entry + entrySize, true) : node.end;
        this.index(node, entry, start, next);
      } else if (this.leaf(node, entry, start)) {
        start = this.tally.lastBlock;
      }
    }
  }

  /** @returns whether the extent counts */
  private leaf(node: Node, entry: number, start: number): boolean {
    const { view } = node;
    const { geometry } = this.volume;
    const logical = view.getUint32(entry, true);
    const raw = view.getUint16(entry + 4, true);
    const physical = view.getUint16(entry + 6, true) * 2 ** 32 + view.getUint32(entry + 8, true);
    const unwritten = raw > longestWritten;
    const length = unwritten ? raw - longestWritten : raw;
    const last = logical + length - 1;
    if (!holdsBlocks(geometry, physical)) {
      return this.wrong(
        node,
        entry,
        'ext-extent-out-of-range',
        `starts in block ${physical}, outside of the volume`,
      );
    }
    if (logical < start)
      return this.wrong(node, entry, 'ext-extent-order', 'lies before the one before it');
    if (node.last >= 0 && last > node.last && !this.mayPassEnd(last, unwritten)) {
      return this.wrong(
        node,
        entry,
        'ext-extent-outside-node',
        'goes beyond what the index says of its node',
      );
    }
    if (length === 0) return this.wrong(node, entry, 'ext-extent-empty', 'has no length');
    if (physical + length > geometry.blocks) {
      return this.wrong(
        node,
        entry,
        'ext-extent-out-of-range',
        'goes beyond the end of the volume',
      );
    }
    if (this.isDirectory && logical + length > this.mostDirectoryBlocks) {
      return this.wrong(node, entry, 'ext-directory-too-big', 'goes beyond the largest directory');
    }
    if (logical < this.nextLogical)
      return this.wrong(node, entry, 'ext-extent-order', 'overlaps the one before it');
    this.nextLogical = logical + length;
    if (this.isDirectory) {
      if (unwritten)
        this.wrong(node, entry, 'ext-directory-unwritten', 'is marked unwritten, in a directory');
      if (logical > this.tally.lastBlock + 1)
        this.wrong(node, entry, 'ext-directory-gap', 'leaves a hole before it');
    }
    if (this.tally.isMisaligned(logical, physical)) {
      this.wrong(
        node,
        entry,
        'ext-cluster-misaligned',
        'lies otherwise in its cluster than in the content',
      );
    }
    this.tally.addRun(logical, physical, length);
    if (!unwritten && !this.isDirectory) this.tally.lastWritten = last;
    this.sink.run(logical, physical, length);
    return true;
  }

  private wrong(node: Node, entry: number, code: ProblemCode, what: string): false {
    const logical = node.view.getUint32(entry, true);
    const message = `The extent at block ${logical} of inode ${this.inode.number} ${what}.`;
    this.sink.report(code, message, node.place + entry - node.at, entrySize);
    return false;
  }

  /** Blocks that are allocated past the end of the content, and never written, are legal. */
  private mayPassEnd(last: number, unwritten: boolean): boolean {
    return last > this.lastOfContent && (unwritten || this.inode.has(inodeFlags.verity));
  }

  private index(node: Node, entry: number, start: number, next: number): void {
    const { view } = node;
    const logical = view.getUint32(entry, true);
    const block = view.getUint32(entry + 4, true) + view.getUint16(entry + 8, true) * 2 ** 32;
    const place = node.place + entry - node.at;
    // As e2fsck: a length of 32 bits, which goes round where the next index comes first.
    const last = logical + ((next - logical) >>> 0) - 1;
    const name = `The extent node in block ${block} of inode ${this.inode.number}`;
    const report = (code: ProblemCode, what: string) =>
      this.sink.report(code, `${name} ${what}.`, place, entrySize);
    if (!holdsBlocks(this.volume.geometry, block)) {
      report('ext-extent-out-of-range', 'lies outside of the volume');
    } else if (logical < start) {
      report('ext-extent-order', 'is not in order');
    } else if (node.last >= 0 && last > node.last) {
      report('ext-extent-outside-node', 'goes beyond what the index above it says');
    } else if (!this.sink.mayEnter(block) || this.levels - node.below >= deepestFollowed) {
      report('ext-extent-node-repeated', 'is used more than once');
      this.tally.addNode(block);
    } else {
      this.child(node, block, logical, last, next, place);
    }
  }

  private child(
    node: Node,
    block: number,
    logical: number,
    last: number,
    end: number,
    indexPlace: number,
  ): void {
    const view = this.blocks.read(block, this.levels - node.below);
    const place = this.inode.imageOffset(block);
    const name = `The extent node in block ${block} of inode ${this.inode.number}`;
    if (!isExtentNode(view, 0, view.byteLength) || view.getUint16(2, true) === 0) {
      const message = `${name} does not start like one.`;
      this.sink.report('ext-extent-header', message, place, extentHeader.size);
      return;
    }
    if (view.getUint16(6, true) !== node.below - 1) {
      const message = `${name} claims depth ${view.getUint16(6, true)} where ${node.below - 1} is due.`;
      this.sink.report('ext-extent-depth', message, place + 6, 2);
    }
    const first = view.getUint32(extentHeader.size, true);
    if (first !== logical) {
      const message = `${name} starts with block ${first}, but its index says ${logical}.`;
      this.sink.report('ext-extent-index-start', message, indexPlace, 4);
    }
    this.node({ view, at: 0, place, below: node.below - 1, start: first, last, end });
    this.verify(view, place, name);
    this.tally.addNode(block);
  }

  /** The checksum follows the room for entries. */
  private verify(view: DataView, place: number, name: string): void {
    const { geometry } = this.volume;
    if (!geometry.features.has('metadata_csum')) return;
    const at = extentHeader.size + view.getUint16(4, true) * entrySize;
    if (at + checksumSize > view.byteLength) return;
    const seed = inodeSeed(geometry, this.inode.number, this.inode.generation);
    if (crc32c(seed, new Uint8Array(view.buffer, 0, at)) === view.getUint32(at, true)) return;
    const message = `The checksum of ${name.charAt(0).toLowerCase()}${name.slice(1)} does not match.`;
    this.sink.report('ext-extent-checksum', message, place + at, checksumSize);
  }

  private note(node: Node, count: number, max: number): void {
    const level = this.levels - node.below;
    this.reached = Math.max(this.reached, level);
    this.entries[level] += count;
    // A node that was split when it was appended to keeps one place free.
    this.room[level] += max - (level > 0 && count < max ? 1 : 0);
  }

  private noteWaste(): void {
    if (this.levels === 0) return;
    const { blockSize } = this.volume.geometry;
    const perBlock = Math.floor((blockSize - extentHeader.size) / entrySize);
    const { room, reached } = this;
    const entries = this.entries.subarray(0, reached + 1);
    const wide = entries.some((count, level) => room[level] - count > perBlock);
    const deep = entries.some((count, level) =>
      room.subarray(0, level).some((more) => count < more),
    );
    if (!wide && !deep) return;
    const { number, blockPlace } = this.inode;
    const message = `The extent tree of inode ${number} could be ${deep ? 'shorter' : 'narrower'}.`;
    this.sink.report('ext-extent-tree-wasteful', message, blockPlace, rootBytes);
  }
}

/** Levels that a tree of full nodes needs for all blocks that 32 bits can number. */
function usualLevels(blockSize: number): number {
  const log2 = (value: number) => 31 - Math.clz32(value);
  const perBlock = (blockSize - extentHeader.size) / entrySize;
  return Math.floor((31 - log2(4)) / log2(perBlock));
}
