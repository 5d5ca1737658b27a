/** Questions about how an image lies on disk. */
import type { NodeId } from '../filesystem/node';
import type { StructureBranch } from '../filesystem/disk-layout';
import type { DirectoryRecord } from '../filesystem/raw-directory';
import type { DescribedStructure } from '../filesystem/structure';
import type {
  FreeExtentPage,
  FreeExtentQuery,
  ImagePlace,
  JournalAnswer,
  OwnerAnswer,
  RawDirectorySummary,
  SearchQuery,
  SpaceMap,
  SpaceMapQuery,
} from '../session/layout-answers';
import type { TaskId } from './task';

/** The words of the answers, for the webview. */
export type { StructureBranch } from '../filesystem/disk-layout';
export type { JournalSummary, JournalTransaction } from '../filesystem/journal';
export type { Role } from '../filesystem/ownership';
export type {
  DirectoryRecord,
  IndexNode,
  RawDirectoryBlock,
  RecordColumn,
  RecordState,
} from '../filesystem/raw-directory';
export type { DescribedField, DescribedStructure } from '../filesystem/structure';
export type * from '../session/layout-answers';

export interface LayoutRequests {
  rawDirectory(volume: number, directory: NodeId): RawDirectorySummary;
  /** The records of `count` blocks from index `first` on. */
  records(
    volume: number,
    directory: NodeId,
    first: number,
    count: number,
  ): (readonly DirectoryRecord[])[];

  spaceMap(query: SpaceMapQuery, task: TaskId): SpaceMap;
  freeExtents(query: FreeExtentQuery, task: TaskId): FreeExtentPage;
  /** Finds out who owns what, once; after it `spaceMap` and `owner` know. */
  findOwners(volume: number, task: TaskId): void;
  /** Who owns a unit. Before `findOwners`, nodes are not known: their units are `allocated`. */
  owner(volume: number, unit: number, task: TaskId): OwnerAnswer;
  /** The absolute paths that lead to a node; the first question walks the whole tree. */
  pathsOf(volume: number, node: NodeId, task: TaskId): string[];
  /** The volume and unit that hold a byte of the image. */
  placeAt(offset: number): ImagePlace;

  /** A level of the tree of structures: of a volume, or with null of the partition table. */
  structureBranches(volume: number | null, key: string | null): StructureBranch[];
  structure(volume: number | null, key: string): DescribedStructure;
  /** The structures that cover a range of the image, the outermost first. */
  structuresAt(offset: number, length: number): DescribedStructure[];
  /** Bytes of the image as it is shown (see `showReplayed`); shorter at its end. */
  bytes(offset: number, length: number): Uint8Array;
  /** Where the pattern next stands, in bytes; null where it does not, as far as is looked at. */
  search(query: SearchQuery, task: TaskId): number | null;

  /** Null for a volume without a journal. */
  journal(volume: number, task: TaskId): JournalAnswer | null;
  /** Shows the volume as it is on disk, or as it will be after its journal is replayed. */
  showReplayed(volume: number, replayed: boolean, task: TaskId): void;
}

/** Those that run long enough to be watched and cancelled. */
export const longLayoutRequests = [
  'spaceMap',
  'freeExtents',
  'findOwners',
  'owner',
  'pathsOf',
  'search',
  'journal',
  'showReplayed',
] as const satisfies readonly (keyof LayoutRequests)[];
