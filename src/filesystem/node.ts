import type { Timestamp } from './timestamp';

/**
 * Names a node within its volume: the inode number on ext; on FAT the place of its short slot in
 * the volume, in bytes (a first cluster is not unique, and empty files have none), 0 for the root.
 */
export type NodeId = number;

export const nodeTypes = [
  'file',
  'directory',
  'symlink',
  'chardev',
  'blockdev',
  'fifo',
  'socket',
  'unknown',
] as const;
export type NodeType = (typeof nodeTypes)[number];

/** A file, directory, symlink or special file. */
export interface Node {
  readonly id: NodeId;
  /** What people call it by: the inode number, or the first cluster on FAT (0 where none). */
  readonly number: number;
  readonly type: NodeType;
  /** Length of its content, in bytes. */
  readonly size: number;
  /** Times are null where the format keeps them but this node's is unset or no valid date. */
  readonly modified: Timestamp | null;
  readonly accessed?: Timestamp | null;
  readonly created?: Timestamp | null;
  /** When the inode last changed; ext only. */
  readonly changed?: Timestamp | null;
  /** When it was deleted; ext only, absent on live inodes. */
  readonly deleted?: Timestamp;
  /** Type and permission bits as in `stat(2)`; absent on FAT. */
  readonly mode?: number;
  readonly uid?: number;
  readonly gid?: number;
  readonly links?: number;
  /** Names of the attributes or inode flags that are set: `read-only`, `immutable`. */
  readonly attributes: readonly string[];
  /** Of character and block devices. */
  readonly device?: { readonly major: number; readonly minor: number };
  /** Where its inode or short slot lies in the image, in bytes; 0 for the root of FAT. */
  readonly offset: number;
}
