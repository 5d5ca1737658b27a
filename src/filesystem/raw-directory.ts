import type { Finding } from './finding';
import type { NodeId } from './node';

/**
 * What a directory record or slot is. ext: `live deleted empty htree tail broken`. FAT: `short
 * long label deleted free end`. `unreachable`: lies behind a break in the chain or the end mark,
 * where no driver looks.
 */
export type RecordState =
  | 'live'
  | 'deleted'
  | 'empty'
  | 'htree'
  | 'tail'
  | 'broken'
  | 'short'
  | 'long'
  | 'label'
  | 'free'
  | 'end'
  | 'unreachable';

/** A field of the family's own records, for table headings and JSON. */
export interface RecordColumn {
  /** As in JSON: `recLen`, `firstCluster`. */
  readonly key: string;
  readonly title: string;
  readonly meaning: string;
}

/** One directory record (ext) or slot (FAT) as it lies on disk. */
export interface DirectoryRecord {
  /** In the image, in bytes. */
  readonly offset: number;
  /** Bytes it covers on disk: `rec_len`, or 32. */
  readonly length: number;
  /** Bytes of `length` that it needs; the rest is slack. */
  readonly used: number;
  readonly state: RecordState;
  /** Empty where it has none. */
  readonly name: string;
  /** The name's bytes, where `name` loses some of them. */
  readonly nameHex?: string;
  /** The node it leads to, where it leads to one. */
  readonly node?: NodeId;
  /** Offset of the record that it belongs to: of a long slot its short one; of a deleted name in
   * slack the live record that covers it. */
  readonly partOf?: number;
  /** The exact rule that it violates. */
  readonly problem?: string;
  /** The values of the family's columns, under their keys. */
  readonly values: Readonly<Record<string, number | string>>;
}

/** A block or cluster of a directory; the record chain never crosses its end. */
export interface RawDirectoryBlock {
  /** The unit's number on the volume; null for an inline directory and the fixed root of FAT. */
  readonly unit: number | null;
  /** Position in the directory, in blocks or clusters. */
  readonly logical: number;
  /** In the image, in bytes. */
  readonly offset: number;
  readonly length: number;
}

/** A block of an ext hash tree. */
export interface IndexNode {
  /** Logical block of the directory. */
  readonly logical: number;
  /** 0 for the root. */
  readonly level: number;
  /** The hashes it is responsible for, both inclusive, as the tree's nodes say. */
  readonly lowest: number;
  readonly highest: number;
  /** Where the entry that points to it lies in the image, in bytes; its own offset for the root. */
  readonly entryOffset: number;
  readonly isLeaf: boolean;
}

/** A directory as it lies on disk. Blocks are decoded when they are looked at. */
export interface RawDirectory {
  readonly columns: readonly RecordColumn[];
  readonly blocks: readonly RawDirectoryBlock[];
  /** The hash tree from the root down, in the order of its hashes; empty where there is none. */
  readonly index: readonly IndexNode[];
  /** What is wrong with the directory beyond single records. */
  readonly problems: readonly Finding[];

  /** The records of a block in the order of their offsets. @param block index into `blocks` */
  records(block: number): DirectoryRecord[];
}
