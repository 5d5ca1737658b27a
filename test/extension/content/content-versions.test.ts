import { expect, it } from 'vitest';
import { ContentVersions } from '../../../src/extension/content/content-versions';

const text = (content: string) => new TextEncoder().encode(content);

function versionsAt() {
  const clock = { now: 1000 };
  return { clock, versions: new ContentVersions(() => clock.now) };
}

it('tells a file whose content has become another', () => {
  const { clock, versions } = versionsAt();
  versions.saw('a', text('one'));
  expect(versions.changed('a')).toBe(0);
  clock.now = 2000;
  versions.saw('a', text('one'));
  expect(versions.changed('a')).toBe(0);
  versions.saw('a', text('two'));
  expect(versions.changed('a')).toBe(2000);
  clock.now = 3000;
  versions.saw('a', text('one')); // undone
  expect(versions.changed('a')).toBe(3000);
});

it('keeps the files apart, and knows which were read', () => {
  const { versions } = versionsAt();
  versions.asked('a');
  versions.saw('b', text('one'));
  versions.saw('b', text('two'));
  expect(versions.known).toEqual(['a', 'b']);
  expect([versions.isRead('a'), versions.isRead('b'), versions.isRead('c')]).toEqual([
    false,
    true,
    false,
  ]);
  expect([versions.changed('a'), versions.changed('b')]).toEqual([0, 1000]);
  versions.forget('b');
  expect(versions.known).toEqual(['a']);
});

it('takes what is too long to look at for changed', () => {
  const { versions } = versionsAt();
  versions.saw('a', text('one'));
  versions.touched('a');
  versions.touched('b');
  expect([versions.changed('a'), versions.changed('b')]).toEqual([1000, 0]);
});
