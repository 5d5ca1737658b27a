import { describe, expect, it } from 'vitest';
import {
  describeRecord,
  formatValue,
  namesOf,
  recordTitle,
} from '../../../webview/words/record-words';
import { columns, record, slot } from '../records';

describe('a record in words', () => {
  it('is told with its fields, its name and its state', () => {
    const core = record(0, 16, {
      name: 'core.img',
      values: { inode: 12, recLen: 16, minimum: 16 },
    });
    expect(describeRecord(columns, core)).toBe('inode 12, "core.img", rec_len 16, needs 16, live');
  });

  it('ends with the rule that it violates', () => {
    const broken = record(0, 16, { state: 'broken', problem: 'rec_len 6 is below 12' });
    expect(describeRecord(columns, broken)).toMatch(/, broken, rec_len 6 is below 12$/);
  });

  it('is told by its length where it has neither fields nor a name', () => {
    expect(describeRecord(columns, slot(0, 'free', { name: '' }))).toBe('32 bytes, free');
  });

  it('hides nothing behind characters that cannot be seen', () => {
    const name = 'a\u202etxt.exe';
    expect(describeRecord(columns, record(0, 24, { name }))).toContain('a‹U+202E›txt.exe');
    expect(recordTitle(record(0, 24, { name }))).toBe('a‹U+202E›txt.exe');
  });

  it('bears its name, or what it is instead', () => {
    expect(recordTitle(slot(0, 'end', { name: '' }))).toBe('end');
    expect(recordTitle(slot(0, 'unreachable', { name: '' }))).toBe('');
    expect(recordTitle(record(0, 16, { name: 'x' }))).toBe('x');
  });
});

describe('a value', () => {
  it('is written as what it is', () => {
    expect(formatValue('recLen', 4072)).toBe('4,072');
    expect(formatValue('inode', 120_000)).toBe('120000');
    expect(formatValue('checksum', 7)).toBe('0x07');
    expect(formatValue('fileType', 2)).toBe('2 directory');
    expect(formatValue('fileType', 222)).toBe('222');
    expect(formatValue('modified', '2024-03-01T12:00:09Z')).toBe('2024-03-01 12:00:09');
    expect(formatValue('attributes', 'archive')).toBe('archive');
  });

  it('is empty where there is none', () => {
    expect(formatValue('checksum', undefined)).toBe('');
    expect(formatValue('modified', '')).toBe('');
  });
});

describe('the names of a record', () => {
  it('are its own and the long one', () => {
    expect(namesOf(record(0, 16, { name: 'x' }))).toEqual(['x']);
    expect(namesOf(slot(0, 'short', { name: 'X~1', values: { longName: 'xyz' } }))).toEqual([
      'X~1',
      'xyz',
    ]);
  });
});
