import { createHash } from 'node:crypto';
import type { FileSystem } from '../../../src/filesystem/filesystem';
import type { NodeId } from '../../../src/filesystem/node';
import type { Timestamp } from '../../../src/filesystem/timestamp';
import type { Seen, Tree } from './ext-tree';
import { readTree } from './ext-tree';

/** Numbers that look random and are the same for the same seed (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** From 0 up to below `end`. */
  below(end: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let value = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) % end;
  }

  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }

  /** Bytes of which some stretches are zeros. */
  bytes(length: number): Buffer {
    const bytes = Buffer.alloc(length);
    const step = 1 + this.below(997);
    const from = this.below(3) === 0 ? this.below(length + 1) : 0;
    for (let i = from; i < length; i++) bytes[i] = (i * step + (i >> 9)) & 0xff;
    return bytes;
  }
}

export type ModelType = 'file' | 'directory' | 'symlink';

/** What an inode is expected to be. */
export interface ModelNode {
  readonly id: NodeId;
  readonly type: ModelType;
  mode: number;
  uid: number;
  gid: number;
  links: number;
  modified: Timestamp;
  accessed: Timestamp;
  changed: Timestamp;
  content: Buffer;
  readonly target: string;
  readonly attributes: Set<string>;
  /** Of a directory: what is in it, and where it is. */
  readonly entries: Map<string, ModelNode>;
  parent: ModelNode | null;
}

export function newNode(
  fields: Pick<ModelNode, 'id' | 'type' | 'mode' | 'modified'> & Partial<ModelNode>,
): ModelNode {
  return {
    uid: 0,
    gid: 0,
    links: fields.type === 'directory' ? 2 : 1,
    accessed: fields.modified,
    changed: fields.modified,
    content: Buffer.alloc(0),
    target: '',
    attributes: new Set(),
    entries: new Map(),
    parent: null,
    ...fields,
  };
}

/** The tree of a new volume, with whatever it was made with. */
export function modelOf(fileSystem: FileSystem): ModelNode {
  const nodes = new Map<NodeId, ModelNode>();
  const root = adopt(fileSystem, fileSystem.root, nodes);
  const visit = (directory: ModelNode) => {
    const table = fileSystem.entries(directory.id);
    for (let i = 0; i < table.length; i++) {
      const child = adopt(fileSystem, table.nodes[i], nodes);
      directory.entries.set(table.name(i), child);
      if (child.type !== 'directory') continue;
      child.parent = directory;
      visit(child);
    }
  };
  visit(root);
  return root;
}

function adopt(fileSystem: FileSystem, id: NodeId, nodes: Map<NodeId, ModelNode>): ModelNode {
  const known = nodes.get(id);
  if (known) return known;
  const node = fileSystem.node(id);
  const content = fileSystem.content(id);
  const bytes = Buffer.alloc(node.type === 'directory' ? 0 : content.size);
  content.read(0, bytes);
  const none = { seconds: 0, nanoseconds: 0 };
  const adopted = newNode({
    id,
    type: node.type as ModelType,
    mode: node.mode ?? 0,
    uid: node.uid ?? 0,
    gid: node.gid ?? 0,
    links: node.links ?? 0,
    modified: node.modified ?? none,
    accessed: node.accessed ?? none,
    changed: node.changed ?? none,
    content: node.type === 'file' ? bytes : Buffer.alloc(0),
    target: node.type === 'symlink' ? bytes.toString() : '',
    attributes: new Set(node.attributes),
  });
  nodes.set(id, adopted);
  return adopted;
}

/** Every name and the node it leads to, by path. */
export function pathsOf(root: ModelNode): Map<string, ModelNode> {
  const paths = new Map<string, ModelNode>();
  const visit = (directory: ModelNode, prefix: string) => {
    for (const [name, node] of directory.entries) {
      const path = `${prefix}/${name}`;
      paths.set(path, node);
      if (node.type === 'directory') visit(node, path);
    }
  };
  visit(root, '');
  return paths;
}

/**
 * The model as a tree that was read: but for the sizes of directories.
 * @param precise whether inodes keep fractions of seconds
 */
export function expectedTree(root: ModelNode, precise: boolean): Record<string, object> {
  const moment = ({ seconds, nanoseconds }: Timestamp) =>
    BigInt(seconds) * 1_000_000_000n + (precise ? BigInt(nanoseconds) : 0n);
  const entries = [...pathsOf(root)].map(([path, node]): [string, object] => [
    Buffer.from(path).toString('latin1'),
    {
      id: node.id,
      type: node.type,
      mode: node.mode,
      uid: node.uid,
      gid: node.gid,
      links: node.links,
      modified: moment(node.modified),
      accessed: moment(node.accessed),
      changed: moment(node.changed),
      ...(node.type === 'file' && {
        size: node.content.length,
        sha256: createHash('sha256').update(node.content).digest('hex'),
      }),
      ...(node.type === 'symlink' && { target: Buffer.from(node.target).toString('latin1') }),
    },
  ]);
  return Object.fromEntries(entries.sort(byPath));
}

/** A tree that was read, for comparing with a model. */
export function comparableTree(tree: Tree): Record<string, object> {
  const entries = [...tree].map(([path, seen]): [string, object] => {
    const { size, ...rest }: Seen = seen;
    return [path, seen.type === 'file' ? { ...rest, size } : rest];
  });
  return Object.fromEntries(entries.sort(byPath));
}

const byPath = ([a]: [string, object], [b]: [string, object]) => (a < b ? -1 : 1);

/** What this project reads of a volume, attributes included where the tree has none. */
/** Attributes that tell how an inode is built. */
const builtSo = new Set(['indexed-directory', 'extents']);

export function attributesOf(fileSystem: FileSystem): Record<string, readonly string[]> {
  const tree = [...readTree(fileSystem)].map(([path, { id }]): [string, readonly string[]] => [
    path,
    fileSystem.node(id).attributes.filter((name) => !builtSo.has(name)),
  ]);
  return Object.fromEntries(tree);
}

export function expectedAttributes(root: ModelNode): Record<string, readonly string[]> {
  const order = (names: Set<string>) => knownAttributes.filter((name) => names.has(name));
  return Object.fromEntries(
    [...pathsOf(root)].map(([path, node]) => [
      Buffer.from(path).toString('latin1'),
      order(node.attributes),
    ]),
  );
}

/** Those that the model uses, in the order of their bits. */
export const knownAttributes = [
  'secure-deletion',
  'synchronous-updates',
  'immutable',
  'append-only',
  'no-dump',
  'no-atime',
  'no-tail-merging',
  'synchronous-directory-updates',
] as const;
