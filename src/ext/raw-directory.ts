import { toHex } from '../filesystem/hex';
import type {
  DirectoryRecord,
  IndexNode,
  RawDirectory,
  RawDirectoryBlock,
  RecordColumn,
} from '../filesystem/raw-directory';
import type { Finding } from '../filesystem/finding';
import { Directory, type DirectoryPart } from './directory';
import type { Inode } from './inode';
import type { BlockRecord } from './records';
import type { ExtVolume } from './volume';

const columns: readonly RecordColumn[] = [
  { key: 'inode', title: 'Inode', meaning: 'inode the name leads to, 0 for none' },
  { key: 'recLen', title: 'rec_len', meaning: 'bytes to the next record' },
  { key: 'nameLen', title: 'name_len', meaning: 'length of the name in bytes' },
  { key: 'fileType', title: 'Type', meaning: 'file type as the record has it, 0 where unknown' },
  { key: 'minimum', title: 'Needs', meaning: 'bytes the record needs for its name' },
  { key: 'slack', title: 'Slack', meaning: 'bytes it has beyond that' },
];

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A directory as it lies on disk; a block is read when its records are asked for. */
export class ExtRawDirectory implements RawDirectory {
  readonly columns = columns;
  readonly blocks: readonly RawDirectoryBlock[];
  readonly index: readonly IndexNode[];
  private readonly directory: Directory;
  private readonly parts: readonly DirectoryPart[];

  /** @throws ImageError `not-a-directory` */
  constructor(volume: ExtVolume, inode: Inode) {
    this.directory = new Directory(volume, inode);
    this.parts = [...this.directory.parts()];
    this.blocks = this.parts.map(({ block, logical, place, length }) => ({
      unit: block,
      logical,
      offset: place,
      length,
    }));
    this.index = this.directory.index?.nodes ?? [];
  }

  get problems(): readonly Finding[] {
    return this.directory.problems.list;
  }

  records(block: number): DirectoryRecord[] {
    const part = this.parts[block];
    return this.directory.records(part, true).map((record) => describe(record, part.place));
  }
}

/** @param place where the block starts in the image, in bytes */
function describe(record: BlockRecord, place: number): DirectoryRecord {
  const { inode, recLen, nameLen, fileType, minimum, slack, state, within, problem } = record;
  const text = decode(record.name);
  // Written field by field: a directory has tens of thousands of records.
  const described: Described = {
    offset: place + record.offset,
    length: record.length,
    used: Math.min(minimum, record.length),
    state,
    name: text ?? decoder.decode(record.name),
    values: { inode, recLen, nameLen, fileType, minimum, slack },
  };
  if (text === undefined) described.nameHex = toHex(record.name);
  if (inode !== 0) described.node = inode;
  if (within !== undefined) described.partOf = place + within;
  if (problem !== undefined) described.problem = problem;
  return described;
}

type Described = { -readonly [Key in keyof DirectoryRecord]: DirectoryRecord[Key] };

/** The name as text; undefined where its bytes are none. */
function decode(name: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(name);
  } catch {
    return undefined;
  }
}
