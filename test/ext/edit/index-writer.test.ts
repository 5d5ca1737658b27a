import { describe, expect, it } from 'vitest';
import {
  IndexWriter,
  startNode,
  startRoot,
  type IndexedBlocks,
} from '../../../src/ext/edit/index-writer';
import { indexCounts, nodeEntriesAt, readEntryBlock, rootEntriesAt } from '../../../src/ext/htree';
import type { NewRecord } from '../../../src/ext/record-writer';
import { recordMinimum, type BlockRecord } from '../../../src/ext/records';
import { writerOf } from '../support/writer';
import { HandMade } from '../support/hand-made';

const { geometry } = writerOf(new HandMade({ superblock: { s_feature_compat: 0x20 } })).volume;

interface Leaf {
  /** As the entry that leads to it has it. */
  readonly hash: number;
  readonly names: Uint8Array[];
}

/** A directory of leaves that are lists, for hashes of one's own choice. */
class ListedLeaves implements IndexedBlocks {
  readonly geometry = geometry;
  private readonly blocks: (DataView | NewRecord[])[] = [];

  constructor(readonly hashOf: (name: Uint8Array) => number) {
    const root = new DataView(new ArrayBuffer(geometry.blockSize));
    this.blocks.push(root, []);
    startRoot(root, geometry, 1);
  }

  node(logical: number): DataView | null {
    const block = this.blocks[logical];
    return block instanceof DataView ? block : null;
  }

  editNode(logical: number, change: (view: DataView) => void): void {
    change(this.node(logical) ?? new DataView(new ArrayBuffer(0)));
  }

  appendNode(): number {
    const view = new DataView(new ArrayBuffer(geometry.blockSize));
    startNode(view, geometry);
    return this.blocks.push(view) - 1;
  }

  leaf(logical: number): BlockRecord[] | null {
    const block = this.blocks[logical];
    if (block instanceof DataView) return null;
    const rest = { offset: 0, recLen: 0, length: 0, nameLen: 0, slack: 0, state: 'live' as const };
    return block.map((record) => ({
      ...record,
      ...rest,
      minimum: recordMinimum(record.name.length),
    }));
  }

  insert(leaf: number, record: NewRecord): boolean {
    const records = [...(this.leaf(leaf) ?? []), record];
    const size = records.reduce((sum, { name }) => sum + recordMinimum(name.length), 0);
    if (size > geometry.blockSize) return false;
    this.rewriteLeaf(leaf, records);
    return true;
  }

  rewriteLeaf(leaf: number, records: readonly NewRecord[]): void {
    this.blocks[leaf] = [...records];
  }

  appendLeaf(records: readonly NewRecord[]): number {
    return this.blocks.push([...records]) - 1;
  }

  /** As Linux searches: the leaf of the hash, and those in which names with it go on. */
  has(name: Uint8Array, leaves: readonly Leaf[]): boolean {
    const hash = this.hashOf(name);
    let at = leaves.findLastIndex((leaf) => leaf.hash <= hash);
    do {
      if (leaves[at].names.includes(name)) return true;
      at += 1;
    } while (leaves[at]?.hash === hash + 1);
    return false;
  }

  leaves(logical = 0, hash = 0): Leaf[] {
    const block = this.blocks[logical];
    if (!(block instanceof DataView)) return [{ hash, names: block.map(({ name }) => name) }];
    const at = logical === 0 ? (rootEntriesAt(block) ?? 0) : nodeEntriesAt;
    const { count } = indexCounts.read(block, at);
    return Array.from({ length: count }, (_, i) => {
      const lowest = i === 0 ? hash : block.getUint32(at + 8 * i, true);
      return this.leaves(readEntryBlock(block, at + 8 * i), lowest);
    }).flat();
  }
}

describe('names whose hashes are the same', () => {
  it.each([1, 2, 3, 10, 1000])('of %i hashes in all are found again', (hashes) => {
    const directory = new ListedLeaves((name) => 2 * ((name[0] * 251 + name[1]) % hashes));
    const names = Array.from({ length: 4000 }, (_, i) =>
      Uint8Array.of(i >> 8, i & 0xff, ...Array<number>(i % 60).fill(65)),
    );
    for (const name of names) {
      expect(new IndexWriter(directory).add({ inode: 12, name, fileType: 1 })).toBeNull();
    }
    const leaves = directory.leaves();
    expect(names.filter((name) => !directory.has(name, leaves))).toEqual([]);
  });
});
