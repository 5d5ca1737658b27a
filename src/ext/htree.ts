import type { IndexNode } from '../filesystem/raw-directory';
import { structure, u16, u32, u8 } from '../filesystem/structure';
import type { Problems } from './problems';

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

export const recordsBefore = 24; // those of `.` and `..`, before the root's own fields
export const nodeEntriesAt = 8; // after a record that covers the block
const entrySize = 8;
/** What a node ends with where there is metadata_csum: four unused bytes, then the checksum. */
export const indexTailSize = 8;
const blockMask = 0x0fffffff; // the four high bits once held a fill level
const largestLevels = 2; // with large_dir, 1 without
const highestHash = 0xffffffff;

/** The index of a directory. */
export interface DirectoryIndex {
  readonly hashVersion: number;
  /** Its root, nodes and leaves, from the root down in the order of their hashes. */
  readonly nodes: readonly IndexNode[];
  /** Logical blocks that hold the root or a node, and no names. */
  readonly interior: ReadonlySet<number>;
}

/** What the index of a directory is read from. */
export interface IndexSource {
  /** Blocks of the directory. */
  readonly blocks: number;
  /** Whether nodes end in a checksum. */
  readonly hasChecksums: boolean;
  /** A block of the directory, or null where it has none. */
  read(logical: number): IndexBlock | null;
  /** Whether the checksum is that of the first bytes of a node, its tail without it included. */
  checksumMatches(checked: Uint8Array, checksum: number): boolean;
}

export interface IndexBlock {
  readonly view: DataView;
  /** Where it starts in the image, in bytes. */
  readonly place: number;
}

/** Where the entries of an index node start in its block; null where block 0 is no root. */
export function rootEntriesAt(root: DataView): number | null {
  if (root.byteLength < recordsBefore + indexRoot.size + entrySize) return null;
  const info = indexRoot.read(root, recordsBefore);
  const isRoot =
    info.reserved_zero === 0 &&
    info.info_length >= indexRoot.size &&
    info.info_length % 4 === 0 &&
    info.indirect_levels <= largestLevels;
  return isRoot ? recordsBefore + info.info_length : null;
}

/** Reads the index of a directory; null where its block 0 is no index root. */
export function readDirectoryIndex(source: IndexSource, problems: Problems): DirectoryIndex | null {
  const root = source.read(0);
  const entriesAt = root && rootEntriesAt(root.view);
  if (!root || entriesAt === null) return null;
  const walk = new IndexWalk(source, problems);
  const info = indexRoot.read(root.view, recordsBefore);
  walk.addRoot(root, entriesAt, info.indirect_levels);
  return { hashVersion: info.hash_version, nodes: walk.nodes, interior: walk.interior };
}

/** The block of the directory that an entry leads to. @param at where the entry starts */
export function readEntryBlock(view: DataView, at: number): number {
  return view.getUint32(at + indexEntry.fields.block.offset, true) & blockMask;
}

/**
 * What the checksum of a node is made over, the entries in use and the tail, the checksum itself
 * as zeros; and where in the node it lies.
 */
export function checkedPart(
  view: DataView,
  entriesAt: number,
  count: number,
): { checked: Uint8Array; at: number } {
  const tailAt = view.byteLength - indexTailSize - ((view.byteLength - entriesAt) % entrySize);
  const used = Math.min(entriesAt + count * entrySize, tailAt);
  const checked = new Uint8Array(used + indexTailSize);
  checked.set(new Uint8Array(view.buffer, view.byteOffset, used));
  checked.set(new Uint8Array(view.buffer, view.byteOffset + tailAt, indexTailSize - 4), used);
  return { checked, at: tailAt + 4 };
}

class IndexWalk {
  readonly nodes: IndexNode[] = [];
  readonly interior = new Set<number>();

  constructor(
    private readonly source: IndexSource,
    private readonly problems: Problems,
  ) {}

  addRoot(root: IndexBlock, entriesAt: number, levels: number): void {
    const range = { lowest: 0, highest: highestHash };
    const node = { logical: 0, level: 0, ...range, entryOffset: root.place, isLeaf: false };
    this.addNode(node, root, entriesAt, levels);
  }

  /** @param below levels of nodes below this one */
  private addNode(node: IndexNode, block: IndexBlock, entriesAt: number, below: number): void {
    this.nodes.push(node);
    this.interior.add(node.logical);
    const { view, place } = block;
    const { limit, count } = indexCounts.read(view, entriesAt);
    const tail = this.source.hasChecksums ? indexTailSize : 0;
    const room = Math.floor((view.byteLength - entriesAt - tail) / entrySize);
    const at = place + entriesAt;
    if (limit !== room) {
      this.report(node, `says that it has room for ${limit} entries, not ${room}`, at);
    }
    if (count === 0 || count > limit) this.report(node, `claims ${count} entries`, at);
    if (limit === room && this.source.hasChecksums) this.verify(node, block, entriesAt, count);
    const entries = Math.min(count, room);
    for (let i = 0; i < entries; i++) {
      const next = i + 1 < entries ? view.getUint32(entriesAt + (i + 1) * entrySize, true) : null;
      this.addEntry(node, block, entriesAt + i * entrySize, i === 0, next, below);
    }
  }

  /** @param next the hash of the entry after it, null for the last one */
  private addEntry(
    parent: IndexNode,
    { view, place }: IndexBlock,
    at: number,
    isFirst: boolean,
    next: number | null,
    below: number,
  ): void {
    const entry = indexEntry.read(view, at);
    const logical = readEntryBlock(view, at);
    // A set bit 0 tells that names with the hash before it went on into this block.
    const lowest = isFirst ? parent.lowest : (entry.hash & ~1) >>> 0;
    const highest = next === null ? parent.highest : Math.max(next - 1, 0);
    if (lowest < parent.lowest || lowest > highest || highest > parent.highest) {
      this.report(parent, 'has hashes out of order', place + at);
    }
    if (logical >= this.source.blocks) {
      this.report(parent, `leads to block ${logical}, past the end of the directory`, place + at);
    }
    const { level } = parent;
    const node = { logical, level: level + 1, lowest, highest, entryOffset: place + at };
    const child = below > 0 && !this.interior.has(logical) ? this.source.read(logical) : null;
    if (child) this.addNode({ ...node, isLeaf: false }, child, nodeEntriesAt, below - 1);
    else this.nodes.push({ ...node, isLeaf: below === 0 });
    if (below > 0 && !child) {
      this.report(parent, `leads to block ${logical}, which is no node below it`, place + at);
    }
  }

  private verify(node: IndexNode, { view, place }: IndexBlock, entriesAt: number, count: number) {
    const { checked, at } = checkedPart(view, entriesAt, count);
    if (this.source.checksumMatches(checked, view.getUint32(at, true))) return;
    this.report(node, 'has a checksum that does not match', place + at - 4);
  }

  private report(node: IndexNode, what: string, place: number): void {
    const name = node.level === 0 ? 'The index root' : `The index node in block ${node.logical}`;
    this.problems.error('directory-index', `${name} of the directory ${what}.`, place, entrySize);
  }
}
