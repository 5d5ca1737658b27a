import { EntryTableBuilder, type EntryTable } from '../../../src/filesystem/entry-table';
import { InlineContent, type FileContent } from '../../../src/filesystem/file-content';
import type { FileSystem, UnitGeometry, VolumeFacts } from '../../../src/filesystem/filesystem';
import type { Finding } from '../../../src/filesystem/finding';
import { FreeSpaceBuilder, type FreeSpace } from '../../../src/filesystem/free-space';
import type { Node, NodeId, NodeType } from '../../../src/filesystem/node';
import { ImageError } from '../../../src/image/errors';
import { WithoutLayout } from './without-layout';

export interface TreeEntry {
  readonly name: string | Uint8Array;
  readonly node: NodeId;
  /** As the record says; the node's own unless given. */
  readonly type?: NodeType;
  readonly deleted?: boolean;
}

export interface TreeNode extends Partial<Omit<Node, 'id' | 'type'>> {
  readonly type: NodeType;
  /** Of a file or a symlink. */
  readonly content?: string | FileContent;
  readonly entries?: readonly TreeEntry[];
  readonly problems?: readonly Finding[];
}

export const rootId = 2;

/** A filesystem whose nodes are given as they are, possible or not. Counts how often it is asked. */
export class TreeFileSystem extends WithoutLayout implements FileSystem {
  readonly root = rootId;
  readonly unit: UnitGeometry = { name: 'block', size: 1024, first: 1, count: 100 };
  readonly facts: VolumeFacts = {
    type: 'ext2',
    label: '',
    uuid: '',
    blockSize: 1024,
    blocks: 100,
    freeBlocks: 0,
    inodes: 10,
    freeInodes: 0,
    state: 'clean',
    features: [],
    notes: [],
  };
  readonly asked = { node: 0, content: 0, entries: 0 };

  constructor(
    private readonly nodes: Readonly<Record<NodeId, TreeNode>>,
    readonly ignoresCase = false,
  ) {
    super();
  }

  node(id: NodeId): Node {
    this.asked.node += 1;
    const { type, content, ...rest } = this.find(id);
    const size = rest.size ?? (typeof content === 'string' ? content.length : (content?.size ?? 0));
    return {
      ...{ number: id, modified: null, attributes: [], offset: 0 },
      ...rest,
      ...{ id, type, size },
    };
  }

  entries(directory: NodeId, { deleted = false } = {}): EntryTable {
    this.asked.entries += 1;
    const { type, entries = [], problems = [] } = this.find(directory);
    if (type !== 'directory') throw new ImageError('not-a-directory', 'It is no directory.');
    const builder = new EntryTableBuilder('utf-8');
    for (const entry of entries) {
      if (entry.deleted && !deleted) continue;
      const { name, node } = entry;
      builder.add({
        name: typeof name === 'string' ? new TextEncoder().encode(name) : name,
        node,
        number: node,
        type: entry.type ?? (this.nodes[node] as TreeNode | undefined)?.type ?? 'unknown',
        deleted: entry.deleted ?? false,
        offset: 0,
      });
    }
    return builder.build(problems);
  }

  content(id: NodeId): FileContent {
    this.asked.content += 1;
    const { content = '' } = this.find(id);
    if (typeof content !== 'string') return content;
    const bytes = new TextEncoder().encode(content);
    return new InlineContent(bytes, bytes.length);
  }

  structures() {
    return [];
  }

  freeSpace(): FreeSpace {
    return new FreeSpaceBuilder().build();
  }

  offsetOf(unit: number): number {
    return unit * this.unit.size;
  }

  private find(id: NodeId): TreeNode {
    const node = this.nodes[id] as TreeNode | undefined;
    if (!node) throw new ImageError('not-found', `There is no node ${id}.`);
    return node;
  }
}

/** A directory that holds nodes under their names. */
export const directory = (
  entries: Readonly<Record<string, NodeId>>,
  more: Partial<TreeNode> = {},
): TreeNode => ({
  type: 'directory',
  entries: Object.entries(entries).map(([name, node]) => ({ name, node })),
  ...more,
});
export const file = (content: string, more: Partial<TreeNode> = {}): TreeNode => ({
  type: 'file',
  content,
  ...more,
});
export const link = (target: string): TreeNode => ({ type: 'symlink', content: target });
