import { describe, expect, it } from 'vitest';
import type { IndexNode } from '../../../src/protocol/requests';
import { entryAt, lineEntries, scaleHashes, stepInTree } from '../../../webview/records/hash-scale';
import { HashTree } from '../../../webview/records/hash-tree';
import { RecordBlocks } from '../../../webview/records/record-blocks';
import { blocks } from '../records';

const top = 0xffffffff;
const node = (
  logical: number,
  level: number,
  lowest: number,
  highest: number,
  entryOffset = 0x10020 + 8 * logical,
): IndexNode => ({ logical, level, lowest, highest, entryOffset, isLeaf: level === 2 });

/** A root, two nodes below it, and two leaves below each of these. */
const nodes = [
  node(0, 0, 0, top, 0x10000),
  node(1, 1, 0, 0x7fffffff),
  node(3, 2, 0, 0x3fffffff),
  node(4, 2, 0x40000000, 0x7fffffff),
  node(2, 1, 0x80000000, top),
  node(5, 2, 0x80000000, 0xbfffffff),
  node(6, 2, 0xc0000000, top),
];

describe('scaleHashes', () => {
  it('draws each level over the whole range of hashes', () => {
    const levels = scaleHashes(nodes, 400);
    const places = levels.map((spans) => spans.map(({ left, width }) => [left, width]));
    expect(places).toEqual([
      [[0, 400]],
      [
        [0, 200],
        [200, 200],
      ],
      [
        [0, 100],
        [100, 100],
        [200, 100],
        [300, 100],
      ],
    ]);
    expect(levels[2].map(({ first }) => nodes[first].logical)).toEqual([3, 4, 5, 6]);
  });

  it('loses none of more nodes than there are pixels', () => {
    const share = 2 ** 32 / 4096;
    const many = Array.from({ length: 4096 }, (_, i) =>
      node(i + 1, 1, i * share, (i + 1) * share - 1),
    );
    const [, leaves] = scaleHashes([nodes[0], ...many], 300);
    expect(leaves.length).toBeLessThanOrEqual(300);
    let next = 1;
    for (const { first, last } of leaves) {
      expect(first).toBe(next);
      next = last + 1;
    }
    expect(next).toBe(4097);
  });

  it('gives a node of a broken tree a pixel', () => {
    const [, spans] = scaleHashes([nodes[0], node(1, 1, top, 5)], 100);
    expect(spans).toEqual([{ left: 99, width: 1, first: 1, last: 1 }]);
  });

  it('draws nothing without room', () => {
    expect(scaleHashes(nodes, 0)).toEqual([]);
  });
});

describe('stepInTree', () => {
  const step = (from: number, to: Parameters<typeof stepInTree>[2]) =>
    nodes[
      stepInTree(
        nodes,
        nodes.findIndex(({ logical }) => logical === from),
        to,
      )
    ].logical;

  it('goes along a level', () => {
    expect(step(3, 'after')).toBe(4);
    expect(step(4, 'after')).toBe(5);
    expect(step(5, 'before')).toBe(4);
    expect(step(1, 'after')).toBe(2);
  });

  it('goes up and down', () => {
    expect(step(6, 'parent')).toBe(2);
    expect(step(4, 'parent')).toBe(1);
    expect(step(2, 'child')).toBe(5);
    expect(step(0, 'child')).toBe(1);
  });

  it('stays at the edges', () => {
    expect(step(0, 'parent')).toBe(0);
    expect(step(0, 'after')).toBe(0);
    expect(step(3, 'before')).toBe(3);
    expect(step(6, 'child')).toBe(6);
  });
});

describe('the entries of a node', () => {
  const entries = [nodes[1], nodes[4]];

  it('lie in their line as wide as they are', () => {
    expect(lineEntries(entries, 0x10000, 64, 640)).toEqual([
      { node: nodes[1], left: 400, width: 80 },
      { node: nodes[4], left: 480, width: 80 },
    ]);
    expect(lineEntries(entries, 0x10040, 64, 640)).toEqual([]);
  });

  it('are found by a byte', () => {
    expect(entryAt(entries, 0x10028)).toBe(nodes[1]);
    expect(entryAt(entries, 0x1002f)).toBe(nodes[1]);
    expect(entryAt(entries, 0x10030)).toBe(nodes[4]);
    expect(entryAt(entries, 0x10038)).toBeUndefined();
  });
});

describe('a hash tree', () => {
  const all = new RecordBlocks(
    blocks(7),
    () => Promise.resolve([]),
    () => undefined,
  );
  const tree = new HashTree(nodes, all);

  it('knows what each block is', () => {
    expect(tree.nodeOf(4)).toBe(nodes[3]);
    expect(tree.nodeOf(9)).toBeUndefined();
  });

  it('knows the entries that lie in a block; the root has none of its own', () => {
    expect(tree.entriesIn(0)).toEqual(nodes.slice(1));
    expect(tree.entriesIn(3)).toEqual([]);
  });
});
