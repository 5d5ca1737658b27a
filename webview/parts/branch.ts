/** Where a row stands in a table that is a tree. */
export interface Branch {
  /** From 1. */
  readonly level: number;
  /** Null where nothing is below it. */
  readonly unfolded: boolean | null;
}
