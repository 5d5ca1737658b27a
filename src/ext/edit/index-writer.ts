import { crc32c, inodeSeed } from '../checksums';
import {
  checkedPart,
  indexCounts,
  indexEntry,
  indexRoot,
  indexTailSize,
  nodeEntriesAt,
  readEntryBlock,
  recordsBefore,
  rootEntriesAt,
} from '../htree';
import type { Inode } from '../inode';
import type { NewRecord } from '../record-writer';
import {
  directoryRecord,
  encodeRecordLength,
  recordMinimum,
  type BlockRecord,
  type BlockRole,
} from '../records';
import type { Geometry } from '../superblock';
import { bytesOf } from '../volume-writer';

const { size: entrySize } = indexEntry;
const dotRecord = recordMinimum(1);

/** What an indexed directory lets its index change. Blocks are those of the directory. */
export interface IndexedBlocks {
  readonly geometry: Geometry;
  /** What the index sorts names by; even. */
  hashOf(name: Uint8Array): number;
  /** The root or a node, to be read; null where the block is neither. */
  node(logical: number): DataView | null;
  editNode(logical: number, change: (view: DataView) => void): void;
  /** Adds a block for a node, without entries. */
  appendNode(): number;
  /** The records of a leaf; null where the block is none. */
  leaf(logical: number): BlockRecord[] | null;
  /** @returns false where the leaf has no room */
  insert(leaf: number, record: NewRecord): boolean;
  rewriteLeaf(leaf: number, records: readonly NewRecord[]): void;
  appendLeaf(records: readonly NewRecord[]): number;
}

/** A node on the way to a leaf, and the entry that leads further. */
interface Step {
  readonly logical: number;
  readonly entriesAt: number;
  readonly count: number;
  readonly limit: number;
  /** Number of the entry, from 0. */
  readonly entry: number;
}

/** More changes than any index needs to make room for one name. */
const mostSplits = 8;

/** Adds names to directories through their index, as `ext4_dx_add_entry` of Linux does. */
export class IndexWriter {
  /** Levels of the root and the nodes. */
  private readonly mostLevels: number;

  constructor(private readonly blocks: IndexedBlocks) {
    this.mostLevels = blocks.geometry.features.has('large_dir') ? 3 : 2;
  }

  /** @returns null when the name is added, else why it is not: a clause */
  add(record: NewRecord): string | null {
    const hash = this.blocks.hashOf(record.name);
    for (let splits = 0; splits < mostSplits; splits++) {
      const way = this.find(hash);
      if (!way) break;
      if (this.blocks.insert(way.leaf, record)) return null;
      const last = way.steps[way.steps.length - 1];
      if (last.count < last.limit) {
        if (!this.splitLeaf(last, way.leaf)) break;
      } else if (!this.makeRoom(way.steps)) {
        return 'its index is full';
      }
    }
    return 'its index is broken';
  }

  /** The way from the root to the leaf that a hash belongs to; null where there is none. */
  private find(hash: number): { steps: Step[]; leaf: number } | null {
    const steps: Step[] = [];
    for (let logical = 0; steps.length <= this.mostLevels;) {
      const view = this.blocks.node(logical);
      if (!view) return steps.length > 0 ? { steps, leaf: logical } : null;
      const entriesAt = logical === 0 ? rootEntriesAt(view) : nodeEntriesAt;
      if (entriesAt === null || (logical === 0 && steps.length > 0)) return null;
      const { count, limit } = indexCounts.read(view, entriesAt);
      if (count === 0 || count > limit || limit !== entryRoom(this.blocks.geometry, entriesAt))
        return null;
      const entry = lastNotAbove(view, entriesAt, count, hash);
      steps.push({ logical, entriesAt, count, limit, entry });
      logical = readEntryBlock(view, entriesAt + entry * entrySize);
    }
    return null;
  }

  /** Moves the records with the higher hashes, half of the bytes if possible, to a new leaf. */
  private splitLeaf(parent: Step, leaf: number): boolean {
    const records = (this.blocks.leaf(leaf) ?? []).filter(({ state }) => state === 'live');
    const hashed = records
      .map((record) => ({ record, hash: this.blocks.hashOf(record.name) }))
      .sort((a, b) => a.hash - b.hash);
    if (hashed.length < 2) return false;
    const split = this.splitPoint(hashed.map(({ record }) => record.minimum));
    const { hash } = hashed[split];
    const continues = hashed[split - 1].hash === hash;
    const [low, high] = [hashed.slice(0, split), hashed.slice(split)];
    const added = this.blocks.appendLeaf(high.map(({ record }) => record));
    this.blocks.rewriteLeaf(
      leaf,
      low.map(({ record }) => record),
    );
    this.insertEntry(parent, continues ? hash + 1 : hash, added);
    return true;
  }

  /** The first record that moves, such that neither block is over half full if that can be. */
  private splitPoint(sizes: readonly number[]): number {
    const half = this.blocks.geometry.blockSize / 2;
    let moved = 0;
    for (let i = sizes.length - 1; i > 0; i--) {
      if (moved + sizes[i] / 2 > half) return i + 1;
      moved += sizes[i];
    }
    return sizes.length >>> 1;
  }

  /** @returns false where the index has as many levels as it can have, all of them full */
  private makeRoom(steps: readonly Step[]): boolean {
    const withRoom = steps.findLastIndex(({ count, limit }) => count < limit);
    if (withRoom >= 0) this.splitNode(steps[withRoom], steps[withRoom + 1]);
    else if (steps.length < this.mostLevels) this.addLevel(steps[0]);
    else return false;
    return true;
  }

  private splitNode(parent: Step, node: Step): void {
    const kept = node.count >>> 1;
    const source = this.entries(node);
    const moved = source.subarray(kept * entrySize);
    const hash = new DataView(moved.slice().buffer).getUint32(0, true);
    const added = this.blocks.appendNode();
    this.fillNode(added, moved);
    this.blocks.editNode(node.logical, (view) => {
      indexCounts.set(view, 'count', kept, node.entriesAt);
    });
    this.insertEntry(parent, hash, added);
  }

  /** Puts a node between the root and what it leads to. */
  private addLevel(root: Step): void {
    const added = this.blocks.appendNode();
    this.fillNode(added, this.entries(root));
    this.blocks.editNode(0, (view) => {
      indexCounts.set(view, 'count', 1, root.entriesAt);
      indexCounts.set(view, 'block', added, root.entriesAt);
      const levels = indexRoot.read(view, recordsBefore).indirect_levels;
      indexRoot.set(view, 'indirect_levels', levels + 1, recordsBefore);
    });
  }

  /** A copy of the entries of a node, the counts before them in place of the first hash. */
  private entries({ logical, entriesAt, count }: Step): Uint8Array {
    const view = this.blocks.node(logical);
    if (!view) return new Uint8Array(0);
    return bytesOf(view).slice(entriesAt, entriesAt + count * entrySize);
  }

  private fillNode(logical: number, entries: Uint8Array): void {
    this.blocks.editNode(logical, (view) => {
      bytesOf(view).set(entries, nodeEntriesAt);
      indexCounts.set(view, 'limit', entryRoom(this.blocks.geometry, nodeEntriesAt), nodeEntriesAt);
      indexCounts.set(view, 'count', entries.length / entrySize, nodeEntriesAt);
    });
  }

  /** Adds an entry behind the one that the way led through. */
  private insertEntry({ logical, entriesAt, count, entry }: Step, hash: number, to: number): void {
    const at = entriesAt + (entry + 1) * entrySize;
    this.blocks.editNode(logical, (view) => {
      bytesOf(view).copyWithin(at + entrySize, at, entriesAt + count * entrySize);
      indexEntry.set(view, 'hash', hash, at);
      indexEntry.set(view, 'block', to, at);
      indexCounts.set(view, 'count', count + 1, entriesAt);
    });
  }
}

/** Makes a block with `.` and `..` the root of an index that leads to one leaf. */
export function startRoot(view: DataView, geometry: Geometry, leaf: number): void {
  // The record of `..` covers all of the index, also where blocks without one end in a checksum.
  const covered = encodeRecordLength(geometry.blockSize - dotRecord, geometry.blockSize);
  directoryRecord.set(view, 'rec_len', covered, dotRecord);
  bytesOf(view).fill(0, recordsBefore);
  indexRoot.set(view, 'hash_version', geometry.values.s_def_hash_version, recordsBefore);
  indexRoot.set(view, 'info_length', indexRoot.size, recordsBefore);
  const entriesAt = recordsBefore + indexRoot.size;
  indexCounts.set(view, 'limit', entryRoom(geometry, entriesAt), entriesAt);
  indexCounts.set(view, 'count', 1, entriesAt);
  indexCounts.set(view, 'block', leaf, entriesAt);
}

/** Makes a block of zeros a node: an unused record covers it. */
export function startNode(view: DataView, geometry: Geometry): void {
  directoryRecord.set(view, 'rec_len', encodeRecordLength(view.byteLength, geometry.blockSize));
  indexCounts.set(view, 'limit', entryRoom(geometry, nodeEntriesAt), nodeEntriesAt);
  indexCounts.set(view, 'count', 0, nodeEntriesAt);
}

/** Gives a node that was changed the checksum that belongs to it, where nodes have one. */
export function sealNode(view: DataView, role: BlockRole, geometry: Geometry, inode: Inode): void {
  if (!geometry.features.has('metadata_csum')) return;
  const entriesAt = role === 'htree-root' ? rootEntriesAt(view) : nodeEntriesAt;
  if (entriesAt === null) return;
  const { checked, at } = checkedPart(view, entriesAt, indexCounts.read(view, entriesAt).count);
  const seed = inodeSeed(geometry, inode.number, inode.generation);
  view.setUint32(at, crc32c(seed, checked), true);
}

/** Entries that fit between a place in a node and its end. */
function entryRoom({ blockSize, features }: Geometry, entriesAt: number): number {
  const tail = features.has('metadata_csum') ? indexTailSize : 0;
  return Math.floor((blockSize - entriesAt - tail) / entrySize);
}

/** The last entry whose hash is not above the given one; the first has none. */
function lastNotAbove(view: DataView, entriesAt: number, count: number, hash: number): number {
  let low = 1;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (view.getUint32(entriesAt + middle * entrySize, true) > hash) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}
