import type { NodeId, NodeType } from '../filesystem/node';

/** A directory, and perhaps one of its entries. */
export interface EntryPlace {
  readonly volume: number;
  /** The directory that is shown, and its absolute path. */
  readonly directory: NodeId;
  readonly directoryPath: string;
  /** The chosen entry in it, if any, and its absolute path. */
  readonly node?: NodeId;
  readonly path?: string;
  readonly type?: NodeType;
  /** Whether it is deleted; absent where it is not. */
  readonly deleted?: boolean;
}

/** An entry of a directory. */
export type PlacedEntry = EntryPlace & Required<Pick<EntryPlace, 'node' | 'path' | 'type'>>;
