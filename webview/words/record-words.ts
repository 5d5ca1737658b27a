/** What records, their states and their values are called, everywhere the same. */
import type { DirectoryRecord, RecordColumn, RecordState } from '../../src/protocol/requests';
import { formatCount, formatTime } from './formats';
import { visibleText } from './names';

export const stateWords: Readonly<Record<RecordState, { word: string; meaning: string }>> = {
  live: { word: 'live', meaning: 'A name in use' },
  short: { word: 'short', meaning: 'A short name in use' },
  long: { word: 'long', meaning: 'A part of a long name, before the short name it belongs to' },
  label: { word: 'label', meaning: 'The label of the volume' },
  deleted: { word: 'deleted', meaning: 'A name that was removed and whose bytes are still there' },
  empty: { word: 'empty', meaning: 'A record without a name' },
  free: { word: 'free', meaning: 'A slot that was never used' },
  end: { word: 'end', meaning: 'The end mark: nothing behind it is looked at' },
  htree: { word: 'index', meaning: 'Entries of the hash tree, where others would see slack' },
  tail: { word: 'checksum', meaning: 'The checksum of the block, dressed as an empty record' },
  broken: { word: 'broken', meaning: 'A record that violates a rule' },
  unreachable: {
    word: 'unreachable',
    meaning: 'Lies behind a break in the chain or the end mark, where nobody looks',
  },
};

/** Types as records of ext have them. */
const fileTypes = ['unknown', 'file', 'directory', 'chardev', 'blockdev', 'fifo', 'socket', 'link'];

/** How values are written that are no plain amounts. */
const valueFormats: Readonly<Record<string, (value: number | string) => string>> = {
  inode: String,
  firstCluster: String,
  checksum: (value) => `0x${Number(value).toString(16).padStart(2, '0')}`,
  fileType: (value) => `${value} ${fileTypes[Number(value)] ?? ''}`.trim(),
  modified: (value) => formatTime(String(value), true),
  longName: (value) => visibleText(String(value)),
};

/** A value of a record as it is shown; empty where it has none. */
export function formatValue(key: string, value: number | string | undefined): string {
  if (value === undefined || value === '') return '';
  const format = valueFormats[key];
  if (format) return format(value);
  return typeof value === 'number' ? formatCount(value) : value;
}

/** States that are told by their look alone where there is no name. */
const wordless = new Set<RecordState>(['unreachable', 'free', 'htree']);

/** What is written on a record: its name, or what it is instead. */
export function recordTitle({ name, state }: DirectoryRecord): string {
  if (name) return visibleText(name);
  return wordless.has(state) ? '' : stateWords[state].word;
}

/** A record in one line: `inode 12, "core.img", rec_len 16, needs 16, live`. */
export function describeRecord(columns: readonly RecordColumn[], record: DirectoryRecord): string {
  const { name, state, problem, values, length } = record;
  const facts = columns.map(({ key, title }) => {
    const text = formatValue(key, values[key]);
    return text && `${title.charAt(0).toLowerCase()}${title.slice(1)} ${text}`;
  });
  const first = facts.shift();
  const parts = [
    first,
    name && `"${visibleText(name)}"`,
    ...facts,
    first || name ? '' : `${formatCount(length)} bytes`,
    stateWords[state].word,
    problem && visibleText(problem),
  ];
  return parts.filter(Boolean).join(', ');
}

/** The names that a record is found by. */
export function namesOf({ name, values }: DirectoryRecord): string[] {
  return typeof values.longName === 'string' ? [name, values.longName] : [name];
}
