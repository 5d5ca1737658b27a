import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  readMode,
  readNumber,
  readTime,
  showTime,
  writeMode,
} from '../../../../src/extension/commands/input/typed-attributes';

it.each([
  ['644', 0o644],
  ['0644', 0o644],
  [' 4755 ', 0o4755],
  ['07777', 0o7777],
  ['0', 0],
])('reads the mode %j', (typed, mode) => {
  expect(readMode(typed)).toBe(mode);
});

it.each(['', '8', '99', '77777', '0o644', 'rwxr-xr-x', '-1'])('reads no mode in %j', (typed) => {
  expect(readMode(typed)).toBeNull();
});

it('writes modes as they are read, without the type', () => {
  expect(writeMode(0o100644)).toBe('644');
  fc.assert(fc.property(fc.nat(0o7777), (mode) => readMode(writeMode(0o40000 | mode)) === mode));
});

it('reads numbers of users up to the last one', () => {
  expect(readNumber('0')).toBe(0);
  expect(readNumber('4294967295')).toBe(2 ** 32 - 1);
  for (const typed of ['', '4294967296', '-1', '1.5', 'root', '0x10', '99999999999']) {
    expect(readNumber(typed)).toBeNull();
  }
});

it.each([
  ['2024-03-01 12:00:00', '2024-03-01T12:00:00Z'],
  ['2024-03-01T12:00:00Z', '2024-03-01T12:00:00Z'],
  ['2024-03-01 12:00', '2024-03-01T12:00:00Z'],
  ['2024-02-29', '2024-02-29T00:00:00Z'],
  ['2024-03-01 12:00:00.123456789', '2024-03-01T12:00:00.123456789Z'],
])('reads the time %j', (typed, iso) => {
  expect(readTime(typed)).toBe(iso);
});

it.each(['', '2023-02-29', '2024-13-01', '2024-03-01 24:61', 'now', '1.3.2024', '2024-03-01 12'])(
  'reads no time in %j',
  (typed) => {
    expect(readTime(typed)).toBeNull();
  },
);

it('shows times as they are read', () => {
  const iso = '2024-03-01T12:00:00.5Z';
  expect(readTime(showTime(iso))).toBe(iso);
  expect(showTime(null)).toBe('');
});
