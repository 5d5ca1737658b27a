import { describe, expect, it } from 'vitest';
import {
  decodeRecordLength,
  directoryRecord,
  plainDirectoryRecord,
  recordMinimum,
  walkRecords,
  type BlockRecord,
  type BlockRole,
  type RecordRules,
} from '../../src/ext/records';
import { writeRecords, type HandRecord } from './support/hand-made';

const rules: RecordRules = { blockSize: 1024, hasFileType: true, inodes: 100, hasHash: false };

function walk(
  records: readonly HandRecord[],
  options: Partial<RecordRules> & { role?: BlockRole; deleted?: boolean } = {},
): BlockRecord[] {
  const { role = 'linear', deleted = true, ...others } = options;
  const block = new Uint8Array(others.blockSize ?? 1024);
  writeRecords(block, records);
  return walkRecords(block, { ...rules, ...others }, role, deleted);
}

const text = (record: BlockRecord) => new TextDecoder().decode(record.name);
const states = (records: readonly BlockRecord[]) =>
  records.map((record) => `${record.offset} ${record.state} ${text(record)}`);

describe('the length of a record', () => {
  it('is itself in blocks below 64 KiB', () => {
    expect(decodeRecordLength(65535, 32768)).toBe(65535);
    expect(decodeRecordLength(13, 1024)).toBe(13);
  });

  it('keeps bits 16 and 17 in its low bits in blocks of 64 KiB', () => {
    expect(decodeRecordLength(65535, 65536)).toBe(65536);
    expect(decodeRecordLength(0, 65536)).toBe(65536);
    expect(decodeRecordLength(0xfffc, 65536)).toBe(65532);
    expect(decodeRecordLength(0x0011, 65536)).toBe(65536 + 16);
    expect(decodeRecordLength(0x0012, 65536)).toBe(2 * 65536 + 16);
  });

  it('is at least what its name needs, in steps of 4', () => {
    expect([1, 4, 5, 8, 255].map(recordMinimum)).toEqual([12, 12, 16, 16, 264]);
  });
});

describe('a walk over records', () => {
  it('finds each with its name, what it needs and what it has beyond', () => {
    const records = walk([
      { inode: 5, name: 'first', type: 2 },
      { inode: 6, name: 'second' },
    ]);
    expect(records).toEqual([
      {
        ...{ offset: 0, inode: 5, recLen: 16, length: 16, nameLen: 5, fileType: 2 },
        ...{ minimum: 16, slack: 0 },
        ...{ state: 'live', name: new TextEncoder().encode('first') },
      },
      {
        ...{ offset: 16, inode: 6, recLen: 1008, length: 1008, nameLen: 6, fileType: 1 },
        ...{ minimum: 16 },
        ...{ slack: 992, state: 'live', name: new TextEncoder().encode('second') },
      },
    ]);
  });

  it('agrees with the declared structures', () => {
    const block = new Uint8Array(1024);
    writeRecords(block, [{ inode: 0x01020304 % 100, name: 'some name', type: 7 }]);
    const [record] = walkRecords(block, rules, 'linear', false);
    expect(directoryRecord.read(new DataView(block.buffer))).toEqual({
      inode: record.inode,
      rec_len: record.recLen,
      name_len: record.nameLen,
      file_type: record.fileType,
    });
    const [plain] = walkRecords(block, { ...rules, hasFileType: false }, 'linear', false);
    expect(plainDirectoryRecord.read(new DataView(block.buffer)).name_len).toBe(plain.nameLen);
    expect(plain.nameLen).toBe(0x0709);
  });

  it('reads names of 16 bits of length without filetype', () => {
    const [record] = walk([{ inode: 5, name: 'name', type: 0 }], { hasFileType: false });
    expect(record).toMatchObject({ nameLen: 4, fileType: 0, state: 'live' });
  });

  it('calls a record without inode and name empty', () => {
    expect(states(walk([{ inode: 0 }]))).toEqual(['0 empty ']);
  });

  it('tells a checksum tail from an empty record', () => {
    const records = walk([
      { inode: 5, name: 'a', recLen: 1012 },
      { inode: 0, type: 0xde },
    ]);
    expect(records[1]).toMatchObject({ offset: 1012, state: 'tail', slack: 0 });
    expect(walk([{ inode: 5, recLen: 1012 }, { inode: 0 }])[1].state).toBe('empty');
  });

  it('spans a block of 64 KiB with one record', () => {
    const [record] = walk([{ inode: 5, name: 'a', recLen: 65535 }], { blockSize: 65536 });
    expect(record).toMatchObject({ recLen: 65536, slack: 65524, state: 'live' });
  });
});

describe('a broken record', () => {
  const brokenBy = (recLen: number) =>
    walk([{ inode: 5, name: 'a long enough name', recLen }]).at(0);

  it.each([
    [8, 'rec_len 8 is below 12'],
    [14, 'rec_len 14 is no multiple of 4'],
    [24, 'rec_len 24 is too short for a name of 18 bytes'],
    [1028, 'rec_len 1028 crosses the end of the block'],
  ])('with rec_len %i says which rule it violates', (recLen, problem) => {
    expect(brokenBy(recLen)).toMatchObject({ state: 'broken', problem });
  });

  it('ends the chain, and what lies behind it cannot be reached', () => {
    const block = new Uint8Array(1024);
    writeRecords(block, [
      { inode: 4, name: 'before', recLen: 24 },
      { inode: 5, name: 'broken', recLen: 24 },
      { inode: 6, name: 'behind' },
      { inode: 7, name: 'last', recLen: 100 },
    ]);
    new DataView(block.buffer).setUint16(24 + 4, 7, true);
    expect(states(walkRecords(block, rules, 'linear', false))).toEqual([
      '0 live before',
      '24 broken broken',
    ]);
    const all = walkRecords(block, rules, 'linear', true);
    expect(states(all)).toEqual([
      '0 live before',
      '24 broken broken',
      '48 unreachable behind',
      '64 unreachable last',
      '164 unreachable ',
    ]);
    // Each byte of the block is covered once.
    expect(all.map(({ length }) => length)).toEqual([24, 24, 16, 100, 860]);
  });

  it('does not hide names that were deleted behind it', () => {
    const block = new Uint8Array(1024);
    writeRecords(block, [
      { inode: 4, name: 'broken', recLen: 16 },
      { inode: 5, name: 'behind' },
      { inode: 6, name: 'removed' },
      { inode: 7, name: 'last' },
      { inode: 8, name: 'removed too' },
    ]);
    const view = new DataView(block.buffer);
    view.setUint16(4, 7, true);
    view.setUint16(16 + 4, 16 + 16, true);
    view.setUint16(48 + 4, 1024 - 48, true);
    const all = walkRecords(block, rules, 'linear', true);
    expect(states(all)).toEqual([
      '0 broken broken',
      '16 unreachable behind',
      '32 deleted removed',
      '48 unreachable last',
      '60 deleted removed too',
    ]);
    expect(all.map(({ within }) => within)).toEqual([undefined, undefined, 16, undefined, 48]);
  });

  it('covers its rec_len when its name is longer, and not the records after it', () => {
    const block = new Uint8Array(1024);
    writeRecords(block, [
      { inode: 4, name: 'before' },
      { inode: 5, name: 'broken' },
      { inode: 6, name: 'good' },
      { inode: 7, name: 'last' },
    ]);
    block[16 + 6] = 200;
    const all = walkRecords(block, rules, 'linear', true);
    expect(states(all)).toEqual([
      '0 live before',
      '16 broken broken\0\0',
      '32 unreachable good',
      '44 unreachable last',
    ]);
    expect(all[1]).toMatchObject({ recLen: 16, length: 16, nameLen: 200 });
    expect(all[1].problem).toBe('rec_len 16 is too short for a name of 200 bytes');
    expect(walkRecords(block, rules, 'linear', false)[1]).toEqual(all[1]);
  });

  it('is not followed by a stretch too short for a record', () => {
    const lengthsBehind = (recLen: number, nameLength: number, behind: number) => {
      const block = new Uint8Array(1024);
      writeRecords(block, [
        { inode: 5, name: 'ab', recLen: behind },
        { inode: 6, name: 'good' },
      ]);
      new DataView(block.buffer).setUint16(4, recLen, true);
      block[6] = nameLength;
      return walkRecords(block, rules, 'linear', true).map(({ length }) => length);
    };
    expect(lengthsBehind(7, 2, 20)).toEqual([20, 1004]);
    expect(lengthsBehind(7, 0, 12)).toEqual([12, 1012]);
    expect(lengthsBehind(7, 2, 24)).toEqual([12, 12, 1000]);
    // What is not a guess stays as it is.
    expect(lengthsBehind(12, 50, 20)).toEqual([12, 1004]);
  });

  it('does not end the chain when only its inode is wrong', () => {
    const records = walk([
      { inode: 101, name: 'a' },
      { inode: 6, name: 'b' },
    ]);
    expect(records.map(({ state }) => state)).toEqual(['broken', 'live']);
    expect(records[0].problem).toBe('inode 101 is above the inode count 100');
  });

  it('is what is left when the chain ends too early for another record', () => {
    const records = walk([{ inode: 5, name: 'a', recLen: 1020 }], { deleted: false });
    expect(records[1]).toMatchObject({ offset: 1020, recLen: 4, state: 'broken' });
    expect(records[1].problem).toContain('4 bytes');
  });
});

describe('a deleted name', () => {
  it('survives in the slack of the record before it', () => {
    const block = new Uint8Array(1024);
    writeRecords(block, [
      { inode: 5, name: 'kept' },
      { inode: 6, name: 'removed first' },
      { inode: 7, name: 'removed too' },
      { inode: 8, name: 'last' },
    ]);
    new DataView(block.buffer).setUint16(4, 12 + 24 + 20, true);
    expect(states(walkRecords(block, rules, 'linear', true))).toEqual([
      '0 live kept',
      '12 deleted removed first',
      '36 deleted removed too',
      '56 live last',
    ]);
    expect(walkRecords(block, rules, 'linear', false)).toHaveLength(2);
  });

  it('survives when removals were made from the last to the first', () => {
    const block = new Uint8Array(1024);
    writeRecords(block, [
      { inode: 5, name: 'kept' },
      { inode: 6, name: 'outer' },
      { inode: 7, name: 'inner' },
    ]);
    const view = new DataView(block.buffer);
    view.setUint16(12 + 4, 1024 - 12, true);
    view.setUint16(4, 1024, true);
    expect(states(walkRecords(block, rules, 'linear', true))).toEqual([
      '0 live kept',
      '12 deleted outer',
      '28 deleted inner',
    ]);
  });

  it('is the first of its block when only its inode was taken', () => {
    const records = walk([
      { inode: 0, name: 'was first' },
      { inode: 6, name: 'b' },
    ]);
    expect(states(records)).toEqual(['0 deleted was first', '20 live b']);
  });

  it.each([
    ['a slash', 'a/b'],
    ['a NUL', 'a\0b'],
  ])('is not made of bytes with %s', (_, name) => {
    const block = new Uint8Array(1024);
    writeRecords(block, [
      { inode: 5, name: 'kept' },
      { inode: 6, name },
    ]);
    new DataView(block.buffer).setUint16(4, 1024, true);
    expect(walkRecords(block, rules, 'linear', true)).toHaveLength(1);
  });
});

describe('an indexed directory', () => {
  it('keeps the index of its root in the slack of the second record', () => {
    const records = walk(
      [
        { inode: 5, name: '.', type: 2 },
        { inode: 2, name: '..', type: 2 },
      ],
      { role: 'htree-root' },
    );
    expect(states(records)).toEqual(['0 live .', '12 live ..', '24 htree ']);
    expect(records[2]).toMatchObject({ recLen: 1000, slack: 0 });
  });

  it('hides its nodes behind a record that covers the block', () => {
    expect(states(walk([{ inode: 0, type: 0 }], { role: 'htree-node' }))).toEqual(['0 htree ']);
  });
});

it('leaves room for the hash of names that are encrypted and casefolded', () => {
  const [dot, name] = walk(
    [
      { inode: 5, name: '.' },
      { inode: 6, name: 'name' },
    ],
    {
      hasHash: true,
    },
  );
  expect([dot.minimum, name.minimum]).toEqual([12, 20]);
});
