import { structure, u16, u32, u8 } from '../filesystem/structure';

/** Layout: Documentation/filesystems/ext4/directory.rst, `struct dx_root_info`. */
export const indexRoot = structure('directory index root', 8, {
  reserved_zero: u32(0, 'zero'),
  hash_version: u8(4, '0 legacy, 1 half MD4, 2 tea, 3 to 5 the same unsigned, 6 siphash'),
  info_length: u8(5, 'length of this, 8'),
  indirect_levels: u8(6, 'levels of nodes between the root and the records'),
  unused_flags: u8(7, 'unused'),
});

/** Before the entries; overlaps the hash of the first one, which is always 0. */
export const indexCounts = structure('directory index counts', 8, {
  limit: u16(0, 'entries there is room for'),
  count: u16(2, 'entries in use, this one included'),
  block: u32(4, 'block of the directory for hashes below the second entry'),
});

export const indexEntry = structure('directory index entry', 8, {
  hash: u32(0, 'smallest hash in the block; bit 0 tells that it began in the one before'),
  block: u32(4, 'block of the directory'),
});

const infoAt = 24; // after the records of `.` and `..`, 12 bytes each
const nodeEntriesAt = 8; // after a record that covers the block
const entrySize = 8;
const blockMask = 0x0fffffff; // the four high bits once held a fill level
const largestLevels = 2; // with large_dir, 1 without

/** An entry of an index node: records with these hashes are in or below that block. */
export interface IndexEntry {
  readonly hash: number;
  /** Logical block of the directory. */
  readonly block: number;
}

/** A node of a directory's index. */
export interface IndexNode {
  /** Logical block of the directory. */
  readonly block: number;
  /** 0 for nodes whose entries lead to blocks of records. */
  readonly level: number;
  readonly limit: number;
  readonly count: number;
  readonly entries: readonly IndexEntry[];
}

/** The index of a directory: its root in block 0, and the nodes below. */
export interface DirectoryIndex {
  readonly hashVersion: number;
  readonly levels: number;
  /** The root first, then the others in the order of their hashes. */
  readonly nodes: readonly IndexNode[];
}

/**
 * Reads the index of a directory.
 * @param readLogical gives a block of the directory, or null where it has none
 * @returns null where block 0 is no index root
 */
export function readDirectoryIndex(
  readLogical: (block: number) => DataView | null,
): DirectoryIndex | null {
  const root = readLogical(0);
  if (!root || root.byteLength < infoAt + indexRoot.size + entrySize) return null;
  const info = indexRoot.read(root, infoAt);
  if (info.reserved_zero !== 0 || info.info_length < indexRoot.size) return null;
  if (info.indirect_levels > largestLevels) return null;

  const nodes: IndexNode[] = [];
  const seen = new Set([0]);
  const visit = (block: number, view: DataView, entriesAt: number, level: number) => {
    const node = readNode(block, view, entriesAt, level);
    nodes.push(node);
    if (level === 0) return;
    for (const entry of node.entries) {
      const below = seen.has(entry.block) ? null : readLogical(entry.block);
      seen.add(entry.block);
      if (below) visit(entry.block, below, nodeEntriesAt, level - 1);
    }
  };
  visit(0, root, infoAt + info.info_length, info.indirect_levels);
  return { hashVersion: info.hash_version, levels: info.indirect_levels, nodes };
}

function readNode(block: number, view: DataView, entriesAt: number, level: number): IndexNode {
  const room = Math.max(0, Math.floor((view.byteLength - entriesAt) / entrySize));
  if (room === 0) return { block, level, limit: 0, count: 0, entries: [] };
  const { limit, count } = indexCounts.read(view, entriesAt);
  const entries: IndexEntry[] = [];
  for (let i = 0; i < Math.min(count, limit, room); i++) {
    const entry = indexEntry.read(view, entriesAt + i * entrySize);
    entries.push({ hash: i === 0 ? 0 : entry.hash, block: entry.block & blockMask });
  }
  return { block, level, limit, count, entries };
}
