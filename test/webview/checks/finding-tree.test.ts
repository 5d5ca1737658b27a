import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growTree, keyOf, type FindingTree } from '../../../webview/checks/finding-tree';
import { finding } from './findings';

const grow = (causes: (number | undefined)[]) =>
  growTree(causes.map((cause) => finding(cause === undefined ? {} : { cause })));

/** The findings that are reached from the roots. */
function reached({ roots, following }: FindingTree): number[] {
  const found = [...roots];
  for (const index of found) found.push(...(following.get(index) ?? []));
  return found.sort((a, b) => a - b);
}

describe('a tree of findings', () => {
  it('has what follows below its cause, wherever in the list that is', () => {
    const tree = grow([undefined, 0, 3, undefined, 1, 0]);
    expect(tree.roots).toEqual([0, 3]);
    expect([...tree.following]).toEqual([
      [0, [1, 5]],
      [3, [2]],
      [1, [4]],
    ]);
  });

  it('takes a cause that is none for no cause', () => {
    expect(grow([0, 7, -1, 0.5]).roots).toEqual([0, 1, 2, 3]);
  });

  it('opens circles in one place', () => {
    const tree = grow([1, 2, 0, 2]);
    expect(tree.roots).toHaveLength(1);
    expect(reached(tree)).toEqual([0, 1, 2, 3]);
  });

  it('has each finding exactly once, whatever the causes are', () => {
    const causes = fc.array(fc.option(fc.integer({ min: -2, max: 30 }), { nil: undefined }), {
      maxLength: 25,
    });
    fc.assert(
      fc.property(causes, (list) => {
        expect(reached(grow(list))).toEqual(list.map((_, index) => index));
      }),
    );
  });

  it('may be one long chain', () => {
    const length = 10_000;
    const tree = grow(Array.from({ length }, (_, i) => (i + 1 < length ? i + 1 : undefined)));
    expect(tree.roots).toEqual([length - 1]);
    expect(reached(tree)).toHaveLength(length);
  });
});

it('knows a finding again by its code, place, field and inode', () => {
  const key = keyOf(finding({ field: 'inode.i_size', inode: 12 }));
  expect(keyOf(finding({ field: 'inode.i_size', inode: 12, message: 'Other words.' }))).toBe(key);
  for (const change of [{ code: 'x' }, { offset: 1 }, { field: 'y' }, { inode: 13 }]) {
    expect(keyOf(finding({ field: 'inode.i_size', inode: 12, ...change }))).not.toBe(key);
  }
});
