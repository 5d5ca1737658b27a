import { createHash } from 'node:crypto';
import { readBytes } from '../../../src/image/bytes';
import type { FileSystem } from '../../../src/filesystem/filesystem';
import type { Node, NodeId } from '../../../src/filesystem/node';
import type { FoundNode } from './fat-tools';

export interface TreeNode extends FoundNode {
  readonly node: Node;
  readonly isDeleted: boolean;
  /** First and last cluster of each run. */
  readonly runs: number[][];
}

/** Everything in a filesystem as the code under test reads it, by path. */
export function treeOf(fileSystem: FileSystem, withDeleted = false): Map<string, TreeNode> {
  const found = new Map<string, TreeNode>();
  const visit = (directory: NodeId, inside: string) => {
    const table = fileSystem.entries(directory, { deleted: withDeleted });
    for (let i = 0; i < table.length; i++) {
      const name = `${inside}/${table.name(i)}`;
      if (found.has(name)) throw new Error(`${name} is there twice`);
      found.set(name, treeNode(fileSystem, table.nodes[i], table.isDeleted(i)));
      if (table.type(i) === 'directory') visit(table.nodes[i], name);
    }
    const errors = table.problems.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) throw new Error(`${inside}: ${errors[0].message}`);
  };
  visit(fileSystem.root, '');
  return found;
}

function treeNode(fileSystem: FileSystem, id: NodeId, isDeleted: boolean): TreeNode {
  const node = fileSystem.node(id);
  const content = fileSystem.content(id);
  const errors = content.problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors[0].message);
  const type = node.type === 'directory' ? 'directory' : 'file';
  const bytes = type === 'file' ? readBytes(content, 0, content.size) : undefined;
  return {
    type,
    ...(bytes && { size: node.size, sha256: createHash('sha256').update(bytes).digest('hex') }),
    modified: node.modified?.seconds,
    node,
    isDeleted,
    runs: content.extents.map(({ physical, length }) => [physical, physical + length - 1]),
  };
}

/** What mtools can tell too, for comparing. */
export function comparable(tree: ReadonlyMap<string, FoundNode>): Record<string, FoundNode> {
  return Object.fromEntries(
    [...tree]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { type, size, sha256, modified }]) => [name, { type, size, sha256, modified }]),
  );
}
