import type { DirectoryRecord, RawDirectoryBlock } from '../../src/protocol/requests';
import { formatAmount, formatCount } from '../words/formats';
import type { RecordBlocks, Records } from './record-blocks';
import { layOutRecords, type Piece } from './record-scale';
import { stateWords } from '../words/record-words';

/** What is drawn of a block, and what its head says. */
export interface BlockFacts {
  readonly pieces: readonly Piece[];
  /** What it holds, in words: `12 live, 3 deleted, 62 bytes of slack`. */
  readonly summary: string;
  /** The records that violate a rule. */
  readonly broken: readonly DirectoryRecord[];
}

/** The facts of blocks, each found out when it is first drawn. */
export class BlockFactsCache {
  private readonly known = new WeakMap<
    Records,
    { readonly facts: BlockFacts; readonly before: DirectoryRecord | undefined }
  >();

  constructor(private readonly blocks: RecordBlocks) {}

  /** Undefined while the records have not come. */
  get(block: number): BlockFacts | undefined {
    const records = this.blocks.get(block);
    if (!records) return undefined;
    const before = block > 0 ? this.blocks.get(block - 1)?.at(-1) : undefined;
    const known = this.known.get(records);
    if (known && known.before === before) return known.facts;
    const facts = findFacts(this.blocks.blocks[block], records, before);
    this.known.set(records, { facts, before });
    return facts;
  }
}

function findFacts(
  block: RawDirectoryBlock,
  records: Records,
  before: DirectoryRecord | undefined,
): BlockFacts {
  const pieces = layOutRecords(block, records, before);
  return {
    pieces,
    summary: summarize(pieces),
    broken: records.filter(({ problem }) => problem !== undefined),
  };
}

function summarize(pieces: readonly Piece[]): string {
  const counts = new Map<string, number>();
  let slack = 0;
  for (const { record, nested, start, needed, end } of pieces) {
    const { word } = stateWords[record.state];
    counts.set(word, (counts.get(word) ?? 0) + 1);
    if (record.state === 'live') slack += end - needed;
    // The entries of the root lie where others would see the slack of `..`.
    else if (record.state === 'htree' && nested) slack -= end - start;
  }
  const parts = [...counts].map(([word, count]) => `${formatCount(count)} ${word}`);
  if (slack > 0) parts.push(`${formatAmount(slack, 'byte')} of slack`);
  return parts.join(', ');
}
