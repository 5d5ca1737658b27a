import { expect, it } from 'vitest';
import { formatTimestamp, parseTimestamp } from '../../src/filesystem/timestamp';

it('timestamps print as ISO 8601, with the nanoseconds they have', () => {
  expect(formatTimestamp({ seconds: 0, nanoseconds: 0 })).toBe('1970-01-01T00:00:00Z');
  expect(formatTimestamp({ seconds: -1, nanoseconds: 5 })).toBe('1969-12-31T23:59:59.000000005Z');
  expect(formatTimestamp({ seconds: 15032385535, nanoseconds: 0 })).toBe('2446-05-10T22:38:55Z');
});

it.each([
  ['1970-01-01T00:00:00Z', 0, 0],
  ['1969-12-31T23:59:59.000000005Z', -1, 5],
  ['2024-03-01', 1709251200, 0],
  ['2024-03-01 12:00', 1709294400, 0],
  ['2024-03-01T12:00:00.5+02:00', 1709287200, 500_000_000],
])('%s is read', (text, seconds, nanoseconds) => {
  expect(parseTimestamp(text)).toEqual({ seconds, nanoseconds });
});

it.each(['', 'now', '2024-13-01', '2024-03-01T25:00', '12:00', '2024-03-01T12:00:00Z!'])(
  'is no time: %s',
  (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  },
);
