import { expect, it } from 'vitest';
import { shortPath, withoutIcons } from '../../../src/extension/shared/formats';

it('keeps the end of a long path, and whole characters', () => {
  expect(shortPath('/short', 40)).toBe('/short');
  const path = `/${'🙂'.repeat(100)}/end`;
  expect(shortPath(path, 10)).toBe('…🙂🙂🙂🙂🙂/end');
  expect([...shortPath(path, 10)]).toHaveLength(10);
});

it('has no icon made of a name', () => {
  expect(withoutIcons('/$(error) $(sync~spin).txt')).toBe('/\\$(error) \\$(sync~spin).txt');
  expect(withoutIcons('/costs $5 (cheap).txt')).toBe('/costs $5 (cheap).txt');
});
