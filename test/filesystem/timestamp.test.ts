import { expect, it } from 'vitest';
import { formatTimestamp } from '../../src/filesystem/timestamp';

it('timestamps print as ISO 8601, with the nanoseconds they have', () => {
  expect(formatTimestamp({ seconds: 0, nanoseconds: 0 })).toBe('1970-01-01T00:00:00Z');
  expect(formatTimestamp({ seconds: -1, nanoseconds: 5 })).toBe('1969-12-31T23:59:59.000000005Z');
  expect(formatTimestamp({ seconds: 15032385535, nanoseconds: 0 })).toBe('2446-05-10T22:38:55Z');
});
