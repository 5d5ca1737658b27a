/** A run of records: a block, or what an inode keeps. */
export interface RecordRoom {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Where the room starts in the image, in bytes. */
  place: number;
  /** Block of the directory. */
  logical: number;
  /** Whether only names lie here: no index. */
  isLeaf: boolean;
}
