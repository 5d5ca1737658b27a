import type { IndexNode } from '../../src/protocol/requests';
import type { RecordBlocks } from './record-blocks';

/** The hash tree of a directory, by its blocks. */
export class HashTree {
  private readonly byLogical: ReadonlyMap<number, IndexNode>;
  private readonly byHolder = new Map<number, IndexNode[]>();

  /** @param nodes from the root down, in the order of the hashes; none without a tree */
  constructor(
    readonly nodes: readonly IndexNode[],
    blocks: RecordBlocks,
  ) {
    this.byLogical = new Map(nodes.map((node) => [node.logical, node]));
    for (const node of nodes) {
      // The root has no entry that leads to it.
      if (node.level === 0) continue;
      const holder = blocks.find(node.entryOffset);
      const entries = this.byHolder.get(holder);
      if (entries) entries.push(node);
      else this.byHolder.set(holder, [node]);
    }
  }

  /** What a block of the directory is in the tree. */
  nodeOf(logical: number): IndexNode | undefined {
    return this.byLogical.get(logical);
  }

  /** The nodes whose entries lie in a block. @param block index into the blocks */
  entriesIn(block: number): readonly IndexNode[] {
    return this.byHolder.get(block) ?? [];
  }
}
