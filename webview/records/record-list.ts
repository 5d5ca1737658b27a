import type { DirectoryRecord, RecordState } from '../../src/protocol/requests';
import { messageOf } from '../inspection/errors';
import type { RecordBlocks } from './record-blocks';
import { namesOf, stateWords } from '../words/record-words';

/** No more blocks are looked at when there are so many rows; a filter brings others in. */
const mostRows = 100_000;

export const stateFilters = ['all', 'live', 'deleted', 'broken'] as const;
export type StateFilter = (typeof stateFilters)[number];

export interface RecordFilter {
  readonly state: StateFilter;
  /** Keeps names that contain it, without regard to case; empty keeps all. */
  readonly name: string;
}

/** Whether a record is one of those that are asked for. */
export function matches(record: DirectoryRecord, { state, name }: RecordFilter): boolean {
  if (!stateMatches(record, state)) return false;
  const wanted = name.toLowerCase();
  return wanted === '' || namesOf(record).some((one) => one.toLowerCase().includes(wanted));
}

function stateMatches({ state, problem }: DirectoryRecord, wanted: StateFilter): boolean {
  switch (wanted) {
    case 'all':
      return true;
    case 'live':
      return state === 'live' || state === 'short' || state === 'long' || state === 'label';
    case 'deleted':
      return state === 'deleted';
    case 'broken':
      return state === 'broken' || state === 'unreachable' || problem !== undefined;
  }
}

export interface RecordOrder {
  /** `disk`, `state`, `name`, `problem`, or the key of a column. */
  readonly sort: string;
  readonly descending: boolean;
}

export interface RecordRow {
  /** Index of its block in the directory. */
  readonly block: number;
  readonly record: DirectoryRecord;
}

const collator = new Intl.Collator('en', { numeric: true });

/** Rows that come first, before those without a value. */
function compare(sort: string): (a: RecordRow, b: RecordRow) => number {
  const value = ({ record }: RecordRow) => {
    switch (sort) {
      case 'name':
        return record.name || undefined;
      case 'state':
        return stateWords[record.state].word;
      case 'problem':
        return record.problem;
    }
    return record.values[sort];
  };
  return (a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === undefined || y === undefined)
      return Number(x === undefined) - Number(y === undefined);
    return typeof x === 'number' && typeof y === 'number'
      ? x - y
      : collator.compare(String(x), String(y));
  };
}

/** The records of a whole directory that pass a filter, gathered block by block. */
export class RecordList {
  /** How many blocks have been looked at. */
  looked = 0;
  /** Records in those blocks. */
  total = 0;
  failure: string | null = null;
  /** How many records have which state, whether they pass or not. */
  readonly counts = new Map<RecordState, number>();
  /** Whether one of them violates a rule. */
  hasProblems = false;
  /** Those that pass, as they lie on disk. */
  readonly found: RecordRow[] = [];

  private sorted: readonly RecordRow[] = [];
  private sortedAs = '';
  private state: 'gathering' | 'ended' | 'closed' = 'ended';

  constructor(
    private readonly source: RecordBlocks,
    private readonly filter: RecordFilter,
    private readonly changed: () => void,
  ) {}

  /** How many blocks there are. */
  get blocks(): number {
    return this.source.blocks.length;
  }

  /** Whether all blocks have been looked at. */
  get done(): boolean {
    return this.looked === this.blocks;
  }

  /** Whether there is no room for more rows. */
  get full(): boolean {
    return this.found.length >= mostRows;
  }

  /** Whether blocks are being looked at. */
  get gathering(): boolean {
    return this.state === 'gathering';
  }

  /** Looks at the blocks that have not been looked at; ends early when it is stopped or full. */
  async gather(): Promise<void> {
    this.state = 'gathering';
    try {
      while (this.gathering && !this.done && !this.full) {
        const { first, blocks } = await this.source.load(this.looked);
        if (!this.gathering) return;
        for (const records of blocks.slice(this.looked - first)) this.take(records);
        this.changed();
      }
    } catch (error) {
      this.failure = messageOf(error);
    }
    if (!this.gathering) return;
    this.state = 'ended';
    this.changed();
  }

  /** Looks at no more blocks, until it is asked to again. */
  stop(): void {
    if (!this.gathering) return;
    this.state = 'ended';
    this.changed();
  }

  /** Looks at nothing more, and tells nothing more. */
  close(): void {
    this.state = 'closed';
  }

  /** All rows found so far. */
  rows({ sort, descending }: RecordOrder): readonly RecordRow[] {
    const { found } = this;
    const key = `${sort} ${descending} ${found.length}`;
    if (this.sortedAs === key) return this.sorted;
    this.sortedAs = key;
    const upwards = sort === 'disk' ? found : [...found].sort(compare(sort));
    this.sorted = descending ? [...upwards].reverse() : upwards;
    return this.sorted;
  }

  private take(records: readonly DirectoryRecord[]): void {
    const block = this.looked++;
    this.total += records.length;
    for (const record of records) {
      this.hasProblems ||= record.problem !== undefined;
      this.counts.set(record.state, (this.counts.get(record.state) ?? 0) + 1);
      if (matches(record, this.filter)) this.found.push({ block, record });
    }
  }
}
