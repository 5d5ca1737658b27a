/** Directory blocks and records as the engine tells them, for tests of what shows them. */
import type { DirectoryRecord, RawDirectoryBlock } from '../../src/protocol/requests';

export const columns = [
  { key: 'inode', title: 'Inode', meaning: 'inode the name leads to' },
  { key: 'recLen', title: 'rec_len', meaning: 'bytes to the next record' },
  { key: 'minimum', title: 'Needs', meaning: 'bytes it needs' },
];

/** Blocks of 1 KiB, each of which lies 4 KiB behind the one before it. */
export function blocks(count: number, length = 1024): RawDirectoryBlock[] {
  return Array.from({ length: count }, (_, logical) => ({
    unit: 100 + 4 * logical,
    logical,
    offset: 0x10000 + 4 * length * logical,
    length,
  }));
}

/** A record at a byte of the first of these blocks. */
export function record(
  byte: number,
  length: number,
  change: Partial<DirectoryRecord> = {},
): DirectoryRecord {
  const name = change.name ?? `at-${byte}`;
  const used = change.used ?? Math.min(length, (8 + name.length + 3) & ~3);
  return {
    offset: 0x10000 + byte,
    length,
    used,
    state: 'live',
    name,
    node: 1000 + byte,
    values: { inode: 1000 + byte, recLen: length, minimum: used },
    ...change,
  };
}

/** A slot of FAT. */
export function slot(
  index: number,
  state: DirectoryRecord['state'],
  change: Partial<DirectoryRecord> = {},
): DirectoryRecord {
  const used = state === 'short' || state === 'long' ? 32 : 0;
  return record(32 * index, 32, { state, used, node: undefined, values: {}, ...change });
}

/** A block of live records, all of them 16 bytes long. */
export function fullBlock(block: RawDirectoryBlock): DirectoryRecord[] {
  return Array.from({ length: block.length / 16 }, (_, i) =>
    record(block.offset - 0x10000 + 16 * i, 16, { name: `b${block.logical}-${i}` }),
  );
}
