/** What an open image answers about how it lies on disk: plain data, ready for JSON and the wire. */
import type { Finding } from '../filesystem/finding';
import type { JournalSummary } from '../filesystem/journal';
import type { NodeId } from '../filesystem/node';
import type { Role } from '../filesystem/ownership';
import type { IndexNode, RawDirectoryBlock, RecordColumn } from '../filesystem/raw-directory';

/** A directory as it lies on disk; its records are asked for by block. */
export interface RawDirectorySummary {
  readonly columns: readonly RecordColumn[];
  readonly blocks: readonly RawDirectoryBlock[];
  readonly index: readonly IndexNode[];
  readonly problems: readonly Finding[];
}

/** A stretch of the volume, and in how many cells it is wanted. */
export interface SpaceMapQuery {
  readonly volume: number;
  readonly first: number;
  readonly units: number;
  readonly cells: number;
  /** A node whose own units are to be told apart from those of others. */
  readonly highlight: NodeId | null;
}

/**
 * A stretch of the volume in equal cells, for drawing. A cell that holds several roles says how
 * much of it each one takes.
 */
export interface SpaceMap {
  readonly firstUnit: number;
  readonly units: number;
  /**
   * Fewer than asked for where the stretch has fewer units. Cell `i` begins at unit
   * `firstUnit + floor(i * units / cells)` and ends where the next one begins.
   */
  readonly cells: number;
  /** All roles there are, in the order of the legend. */
  readonly roles: readonly Role[];
  /**
   * For each cell one byte for each role, in the order of `roles`: its share, 255 being all. A
   * role that takes any of the cell has 1 at least.
   */
  readonly shares: Uint8Array;
  /** For each cell the share of the highlighted node; null where none was asked for. */
  readonly highlighted: Uint8Array | null;
  /** Units of the whole volume by role, in the order of `roles`. */
  readonly totals: Float64Array;
  /** False while only the volume's own structures and free space are known. */
  readonly hasOwners: boolean;
}

/** How a list of free extents is sorted. */
export type FreeExtentSort = 'place' | 'length';

export interface FreeExtentQuery {
  readonly volume: number;
  /** Leaves out what is shorter, in units. */
  readonly minimum: number;
  readonly sort: FreeExtentSort;
  readonly descending: boolean;
  readonly start: number;
  readonly count: number;
}

export interface FreeExtentPage {
  readonly total: number;
  readonly start: number;
  /** [first unit, length in units] */
  readonly extents: readonly (readonly [number, number])[];
}

/** Who owns a unit of the volume; also of a free one its run. */
export interface OwnerAnswer {
  /** The whole run around it that has this owner, in units. */
  readonly start: number;
  readonly length: number;
  /** Where the run starts in the image, in bytes. */
  readonly offset: number;
  readonly role: Role;
  /** What it is, in words: `block bitmap of group 3`, `free`; for a node its first path. */
  readonly name: string;
  readonly node?: NodeId;
  /** The inode number of the node, or its first cluster on FAT. */
  readonly number?: number;
  /** The paths that lead to the node; several for hard links, none when nothing leads to it. */
  readonly paths?: readonly string[];
  /** Place in the node's content, in units. */
  readonly logical?: number;
  /** Set where it is in use and yet marked free: whoever writes next may take it. */
  readonly markedFree?: true;
}

/** What lies at a byte of the image. */
export interface ImagePlace {
  /** Null outside of every volume. */
  readonly volume: number | null;
  /** Null outside of the volume's units, and where the volume cannot be opened. */
  readonly unit: number | null;
}

/** Bytes to look for, and where. */
export interface SearchQuery {
  readonly pattern: Uint8Array;
  /** First offset in the image to look at, in bytes; the last one when `backwards`. */
  readonly from: number;
  readonly backwards: boolean;
  /** Without regard to the case of ASCII letters. */
  readonly ignoreCase: boolean;
  /**
   * How many offsets to look at; what lies beyond is for the next question, and questions of
   * another kind can come between.
   */
  readonly places: number;
}

/** The journal of a volume that has one, and how the volume is shown. */
export interface JournalAnswer extends JournalSummary {
  /** Whether the volume is shown as it will be after the replay. */
  readonly isReplayed: boolean;
}
