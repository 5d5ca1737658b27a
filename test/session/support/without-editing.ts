import type { CheckReport } from '../../../src/filesystem/check';
import type { Editing } from '../../../src/filesystem/editing';

/** What a made-up filesystem says of changes and of checks: it takes none, and finds nothing. */
export class WithoutEditing {
  readonly editing: Editing = { whyNot: 'This is a table, and nothing is written into it.' };
  readonly problemTable = [];

  check(): CheckReport {
    return { findings: [], counts: { error: 0, warning: 0, note: 0 }, isCut: false };
  }
}
