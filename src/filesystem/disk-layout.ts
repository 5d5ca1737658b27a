import type { NodeId } from './node';
import type { Ownership } from './ownership';
import type { Progress } from './progress';
import type { RawDirectory } from './raw-directory';
import type { DescribedStructure } from './structure';

/** A branch or leaf of the tree of on-disk structures. */
export interface StructureBranch {
  /** Names it within its volume, for `structureChildren` and `structure`. */
  readonly key: string;
  readonly name: string;
  /** In the image, in bytes; null for a branch that only groups others. */
  readonly offset: number | null;
  readonly length: number;
  readonly hasChildren: boolean;
}

/** How a filesystem lies on disk, beside what it holds. Bounded and defensive as `FileSystem`. */
export interface DiskLayout {
  /** @throws ImageError `not-a-directory` */
  rawDirectory(directory: NodeId): RawDirectory;

  /** The volume's own structures: where they must lie, without reading any inode or chain. */
  metadata(): Ownership;

  /** Who owns each unit: everything that `metadata` says, and the runs of every node. */
  ownership(progress?: Progress): Ownership;

  /**
   * The tree of structures, a level at a time; the top level without a key. A level never has
   * more than some thousand branches: long tables are grouped.
   */
  structureBranches(key?: string): StructureBranch[];

  /** @throws ImageError `not-found` for a key that is not in the tree */
  structure(key: string): DescribedStructure;

  /** The structures that cover a range of the image (both in bytes), the outermost first. */
  structuresAt(offset: number, length: number): DescribedStructure[];
}
