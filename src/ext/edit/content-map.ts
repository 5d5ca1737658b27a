import type { Extent } from '../../filesystem/extents';
import type { UnitRun } from '../../filesystem/sorted-runs';

/** A run of content as the map of an inode has it. */
export interface MapPiece {
  /** In blocks, from the start of the content. */
  readonly logical: number;
  /** First block on the volume; 0 is a hole. */
  readonly physical: number;
  readonly length: number;
  /** Has blocks that were never written: reads as zeros. */
  readonly unwritten?: boolean;
}

/** Blocks of content, in blocks from its start. */
export interface LogicalRun {
  readonly logical: number;
  readonly length: number;
}

/** Where the content of an inode lies: block pointers, or a tree of extents. */
export interface ContentMap {
  /** Blocks of content that the map can tell of. */
  readonly reach: number;

  /** All of a range, holes too, in pieces that do not continue each other. */
  pieces(first: number, end: number): Iterable<MapPiece>;

  /** How many blocks the map needs for itself before runs of holes can be assigned. */
  countMissing(holes: readonly LogicalRun[]): number;

  /**
   * Makes content lie in these extents, whatever the map said of their range.
   * @param own blocks for the map itself, as many as `countMissing` told
   * @returns how many blocks more the map has taken for itself; less than none where it gave some
   *   back
   * @throws ImageError `full`
   */
  assign(extents: readonly Extent[], own: readonly UnitRun[]): number;

  /**
   * Ends the content: nothing behind that is mapped any more.
   * @param blocks what stays of it
   * @returns what nothing leads to any more: content, and blocks of the map itself
   */
  cut(blocks: number): { data: UnitRun[]; own: UnitRun[] };
}
