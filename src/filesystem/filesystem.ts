import type { CheckReport, Problem } from './check';
import type { DiskLayout } from './disk-layout';
import type { Editing } from './editing';
import type { EntryTable } from './entry-table';
import type { FileContent } from './file-content';
import type { FreeSpace } from './free-space';
import type { Journal } from './journal';
import type { Node, NodeId } from './node';
import type { Progress } from './progress';
import type { DescribedStructure } from './structure';

export type FileSystemType = 'fat12' | 'fat16' | 'fat32' | 'ext2' | 'ext3' | 'ext4';

/** What a family allocates: blocks on ext, clusters on FAT. */
export interface UnitGeometry {
  readonly name: 'block' | 'cluster';
  /** In bytes. */
  readonly size: number;
  /** Number of the first unit that can be allocated: 0 or 1 on ext, 2 on FAT. */
  readonly first: number;
  readonly count: number;
}

/** What a volume says of itself, without counting anything. */
export interface VolumeFacts {
  readonly type: FileSystemType;
  readonly label: string;
  readonly uuid: string;
  /** In bytes; the cluster size on FAT. */
  readonly blockSize: number;
  readonly blocks: number;
  /** What the superblock or FSInfo says is free; null where it says nothing. */
  readonly freeBlocks: number | null;
  /** Null on FAT, which has no inodes. */
  readonly inodes: number | null;
  readonly freeInodes: number | null;
  /** `clean`, or what it says is wrong: `not clean`, `has errors`, `needs recovery`. */
  readonly state: string;
  readonly features: readonly string[];
  /** Whole sentences on what is unusual: truncated, a backup in use, an unknown feature. */
  readonly notes: readonly string[];
}

/** What a volume does not say of itself. */
export interface ReadOptions {
  /** Number of the OEM code page of short names and labels on FAT: 437, 850, 932 and so on. */
  readonly codePage?: number;
}

export interface EntryOptions {
  /** Also the deleted names that survive on disk. */
  readonly deleted?: boolean;
}

/**
 * One filesystem, read. The one interface that everything above the families sees. All methods
 * are synchronous and bounded by the image's own size; corrupt structures end up in `problems`,
 * and `ImageError` is thrown only where there is no answer at all.
 */
export interface FileSystem extends DiskLayout {
  readonly facts: VolumeFacts;
  readonly unit: UnitGeometry;
  readonly root: NodeId;
  /** Set where names that differ in case only are the same name, as on FAT. */
  readonly ignoresCase?: boolean;
  /** Absent where the volume has none. */
  readonly journal?: Journal;

  /** @throws ImageError when no node can have this id */
  node(id: NodeId): Node;

  /** @throws ImageError `not-a-directory` */
  entries(directory: NodeId, options?: EntryOptions): EntryTable;

  /** The content of a file or symlink, or the raw bytes of a directory. */
  content(id: NodeId): FileContent;

  /** The structures that make the node: its inode or slots first. */
  structures(id: NodeId): DescribedStructure[];

  /** Free extents as the bitmaps or the FAT have them. */
  freeSpace(progress?: Progress): FreeSpace;

  /** Where a unit starts in the image, in bytes. */
  offsetOf(unit: number): number;

  /** How it can be changed. */
  readonly editing: Editing;

  /** The table of what `check` can find. */
  readonly problemTable: readonly Problem[];

  /** Looks for everything that is wrong, without a change of a byte. */
  check(progress?: Progress): CheckReport;
}
