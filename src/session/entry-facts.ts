import { countFragments } from '../filesystem/extents';
import type { EntryTable } from '../filesystem/entry-table';
import type { FileSystem } from '../filesystem/filesystem';
import type { Node, NodeId } from '../filesystem/node';
import { formatTimestamp, type Timestamp } from '../filesystem/timestamp';
import { readBytes } from '../image/bytes';
import { ImageError } from '../image/errors';
import type { EntryFacts, EntryRow } from './answers';

const targetLimit = 4096; // PATH_MAX of Linux; longer targets lead nowhere

/** The node behind an id, or the sentence that says why there is none to read. */
export function tryNode(fileSystem: FileSystem, id: NodeId): Node | string {
  return attempt(() => fileSystem.node(id));
}

/** The result, or the message of the `ImageError` that came instead. */
export function attempt<Result>(answer: () => Result): Result | string {
  try {
    return answer();
  } catch (error) {
    if (error instanceof ImageError && error.code !== 'cancelled') return error.message;
    throw error;
  }
}

/** Names a node after the structure that makes it: `inode 12`. */
export function describeNode(fileSystem: FileSystem, id: NodeId): string {
  const structures = attempt(() => fileSystem.structures(id));
  return (typeof structures === 'string' ? undefined : structures.at(0)?.name) ?? `node ${id}`;
}

/** Whether an entry leads to a directory; records without a file type leave it to the inode. */
export function leadsToDirectory(
  fileSystem: FileSystem,
  table: EntryTable,
  index: number,
): boolean {
  const type = table.type(index);
  if (type !== 'unknown') return type === 'directory';
  const node = tryNode(fileSystem, table.nodes[index]);
  return typeof node !== 'string' && node.type === 'directory';
}

/** Where a symlink leads; an `ImageError` where its content cannot be read. */
export function readTarget(fileSystem: FileSystem, id: NodeId): string {
  const content = fileSystem.content(id);
  const bytes = readBytes(content, 0, Math.min(content.size, targetLimit));
  return new TextDecoder().decode(bytes);
}

const time = (stamp: Timestamp | null) => stamp && formatTimestamp(stamp);

/** What a node says of itself, as listings and details show it. */
export function nodeFacts(fileSystem: FileSystem, node: Node) {
  const target =
    node.type === 'symlink' ? attempt(() => readTarget(fileSystem, node.id)) : undefined;
  return {
    node: node.id,
    number: node.number,
    type: node.type,
    size: node.size,
    modified: time(node.modified),
    ...(node.accessed !== undefined && { accessed: time(node.accessed) }),
    ...(node.created !== undefined && { created: time(node.created) }),
    ...(node.changed !== undefined && { changed: time(node.changed) }),
    ...(node.mode !== undefined && { mode: node.mode }),
    ...(node.uid !== undefined && { uid: node.uid }),
    ...(node.gid !== undefined && { gid: node.gid }),
    ...(node.links !== undefined && { links: node.links }),
    attributes: node.attributes,
    ...(target !== undefined && { target }),
  };
}

/**
 * The node behind an entry, or why there is none. What a deleted name led to may have been given to
 * another file since; what that one says of itself must not stand beside the old name.
 */
function nodeOfEntry(fileSystem: FileSystem, table: EntryTable, index: number): Node | string {
  const node = tryNode(fileSystem, table.nodes[index]);
  const isTaken = table.isDeleted(index) && typeof node !== 'string' && (node.links ?? 0) > 0;
  return isTaken ? `Inode ${node.number} is in use, by another name or another file.` : node;
}

/** An entry of a directory with what its node says; a node that cannot be read is a problem. */
export function entryFacts(
  fileSystem: FileSystem,
  table: EntryTable,
  index: number,
  name = table.name(index),
): EntryFacts {
  const nameHex = table.nameHex(index);
  const node = nodeOfEntry(fileSystem, table, index);
  return {
    name,
    ...(nameHex !== undefined && { nameHex }),
    ...(typeof node === 'string'
      ? {
          node: table.nodes[index],
          number: table.numbers[index],
          type: table.type(index),
          size: 0,
          modified: null,
          attributes: [],
          problem: node,
        }
      : nodeFacts(fileSystem, node)),
    deleted: table.isDeleted(index),
    offset: table.offsets[index],
  };
}

/** The entry with the number of pieces that its content lies in. */
export function entryRow(
  fileSystem: FileSystem,
  table: EntryTable,
  index: number,
  name?: string,
): EntryRow {
  const facts = entryFacts(fileSystem, table, index, name);
  const known = !facts.deleted && facts.problem === undefined;
  return { ...facts, fragments: known ? fragmentsOf(fileSystem, facts.node) : null };
}

/** Null where the map of the content cannot be read at all. */
export function fragmentsOf(fileSystem: FileSystem, id: NodeId): number | null {
  const extents = attempt(() => fileSystem.content(id).extents);
  return typeof extents === 'string' ? null : countFragments(extents);
}
