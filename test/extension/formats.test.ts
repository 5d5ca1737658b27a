import { expect, it } from 'vitest';
import { formatSize, shortPath } from '../../src/extension/formats';

it.each([
  [0, '0 B'],
  [1023, '1,023 B'],
  [1024, '1 KiB'],
  [1536, '1.5 KiB'],
  [31744, '31 KiB'],
  [50 * 2 ** 20, '50 MiB'],
  [2 ** 44, '16 TiB'],
  [2 ** 53, '8 PiB'],
  [2 ** 63, '8192 PiB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text);
});

it('keeps the end of a long path, and whole characters', () => {
  expect(shortPath('/short', 40)).toBe('/short');
  const path = `/${'🙂'.repeat(100)}/end`;
  expect(shortPath(path, 10)).toBe('…🙂🙂🙂🙂🙂/end');
  expect([...shortPath(path, 10)]).toHaveLength(10);
});
