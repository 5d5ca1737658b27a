/**
 * What an open image answers: plain data, ready for JSON and for the wire. Front doors print or
 * draw it; none of them asks a filesystem itself.
 */
import type { Extent } from '../filesystem/extents';
import type { UnitGeometry, VolumeFacts } from '../filesystem/filesystem';
import type { Finding } from '../filesystem/finding';
import type { NodeId, NodeType } from '../filesystem/node';
import type { DescribedStructure } from '../filesystem/structure';
import type { Partition, PartitionScheme } from '../volume/partition';

/** `fat12` … `ext4`, the filesystems that are read; `xfs`, `ntfs` …, only named; or `unknown`. */
export type VolumeType = string;

export type { PartitionScheme };

/** What a volume allocates, and where that is. */
export interface PlacedUnits extends UnitGeometry {
  /** Where the first unit starts in the image, in bytes; the others follow it. */
  readonly offset: number;
}

/** One volume of an image; facts are null where its filesystem is not one that is read. */
export interface VolumeSummary extends Omit<VolumeFacts, 'type' | 'blockSize' | 'blocks'> {
  /** From 0, in the order of the partition table. */
  readonly index: number;
  /** Where it starts in the image and how long it is, in bytes. */
  readonly offset: number;
  readonly length: number;
  readonly type: VolumeType;
  /** Its entry in the partition table; null where the image has none. */
  readonly partition: Partition | null;
  readonly blockSize: number | null;
  readonly blocks: number | null;
  /** Null when the volume cannot be opened. */
  readonly unit: PlacedUnits | null;
  /** What it holds, in words, when that is recognised, but not read: `XFS`; else null. */
  readonly foreign: string | null;
  /** Why it cannot be opened; null when it can. */
  readonly unreadable: string | null;
  /** Shown as it will be after the replay of its journal, not as it is on disk. */
  readonly replayed: boolean;
  /** Why it cannot be changed, as a whole sentence; null when it can. */
  readonly whyReadOnly: string | null;
}

export interface ImageSummary {
  readonly image: { readonly size: number; readonly allocated: number };
  readonly scheme: PartitionScheme;
  /** Whole sentences about the partition table: a bad checksum, an overlap, the backup in use. */
  readonly notes: readonly string[];
  readonly volumes: readonly VolumeSummary[];
  /** The first volume that can be opened; null where there is none. */
  readonly first: number | null;
  /** Why the image cannot be written on the host, as a whole sentence; null when it can. */
  readonly whyReadOnly: string | null;
}

/** A column that a listing can be sorted by. */
export type SortColumn = 'disk' | 'name' | 'size' | 'modified' | 'mode' | 'number' | 'fragments';

/** One screen of a directory. Equal queries but for the window are answered from one sorted list. */
export interface ListQuery {
  readonly volume: number;
  readonly directory: NodeId;
  readonly deleted: boolean;
  /** Keeps names that contain it, without regard to case; empty keeps all. */
  readonly filter: string;
  readonly sort: SortColumn;
  readonly descending: boolean;
  /** First row and number of rows wanted. */
  readonly start: number;
  readonly count: number;
}

/** What is known of an entry without looking at where its content lies. Times are ISO in UTC. */
export interface EntryFacts {
  readonly name: string;
  /** The name's bytes, where `name` loses some of them. */
  readonly nameHex?: string;
  readonly node: NodeId;
  /** The inode number, or the first cluster on FAT (0 where it has none). */
  readonly number: number;
  readonly type: NodeType;
  readonly size: number;
  readonly modified: string | null;
  readonly accessed?: string | null;
  readonly created?: string | null;
  /** When the inode last changed; ext only. */
  readonly changed?: string | null;
  readonly mode?: number;
  readonly uid?: number;
  readonly gid?: number;
  readonly links?: number;
  readonly attributes: readonly string[];
  /** Where a symlink leads. */
  readonly target?: string;
  readonly deleted: boolean;
  /** Where the record or slot lies in the image, in bytes. */
  readonly offset: number;
  /** Why the node behind the name cannot be read. */
  readonly problem?: string;
}

/** One row of a listing. */
export interface EntryRow extends EntryFacts {
  /** Pieces on the volume; null where it cannot be known (deleted, unreadable). */
  readonly fragments: number | null;
}

export interface ListPage {
  /** Entries in the directory, before the filter. */
  readonly total: number;
  /** Entries that passed the filter: the rows of the whole table. */
  readonly matched: number;
  readonly start: number;
  readonly rows: readonly EntryRow[];
  /** What is wrong with the directory itself. */
  readonly problems: readonly Finding[];
}

/** One step of a path: the root has the empty name. */
export interface PathStep {
  readonly name: string;
  readonly node: NodeId;
  readonly type: NodeType;
}

/** Everything there is to say about one node. */
export interface NodeDetails extends Omit<EntryFacts, 'name' | 'nameHex' | 'deleted'> {
  readonly fragments: number;
  /** What the volume has allocated for it, in bytes. */
  readonly allocated: number;
  /** In logical order; long lists are cut at the length that was asked for. */
  readonly extents: readonly Extent[];
  readonly extentCount: number;
  readonly structures: readonly DescribedStructure[];
  readonly problems: readonly Finding[];
  readonly device?: { readonly major: number; readonly minor: number };
}

/** What the bitmaps or the FAT say is free. */
export interface FreeSpaceSummary {
  /** In bytes. */
  readonly unit: number;
  /** In units, as are all that follow. */
  readonly total: number;
  readonly free: number;
  readonly extents: number;
  readonly largest: number;
  readonly histogram: readonly {
    readonly minimum: number;
    readonly extents: number;
    readonly units: number;
  }[];
}

/** What an export wrote to the host, and what it left out. */
export interface ExportReport {
  readonly files: number;
  readonly directories: number;
  readonly symlinks: number;
  readonly bytes: number;
  /** Entries that the host could not or must not take; not those that are left out by design. */
  readonly refused: number;
  /** Entries that are not in the copy: those that were refused, and what no copy can hold. */
  readonly leftOut: number;
  /** One sentence for each thing that was not written, or written under another name. */
  readonly notes: readonly string[];
}
