import { describe, expect, it, vi } from 'vitest';
import { ImageError } from '../../src/image/errors';
import { PathIndex } from '../../src/session/path-index';
import { FakeFileSystem, type FakeNode } from './support/fake-filesystem';

const directory = (entries: Readonly<Record<string, number>>): FakeNode => ({
  type: 'directory',
  entries: Object.entries(entries).map(([name, node]) => ({ name, node })),
});
const file: FakeNode = { type: 'file' };

const index = (nodes: Readonly<Record<number, FakeNode>>) =>
  new PathIndex(new FakeFileSystem({ nodes }));

describe('the paths of a node', () => {
  it('are those of its entries, in the order of the walk', () => {
    const paths = index({
      2: directory({ b: 12, hard: 20, a: 13 }),
      12: directory({ deep: 14 }),
      13: directory({ 'hård link': 20 }),
      14: directory({ x: 21, again: 20 }),
      20: file,
      21: file,
    });
    expect(paths.pathsOf(14)).toEqual(['/b/deep']);
    expect(paths.pathsOf(21)).toEqual(['/b/deep/x']);
    expect(paths.pathsOf(20)).toEqual(['/hard', '/a/hård link', '/b/deep/again']);
    expect(paths.pathsOf(99)).toEqual([]);
  });

  it('of an empty tree are none', () => {
    expect(index({ 2: directory({}) }).pathsOf(3)).toEqual([]);
    expect(index({ 2: file }).pathsOf(3)).toEqual([]);
  });

  it('are found once where directories loop, are linked twice, or share their clusters', () => {
    const paths = index({
      2: directory({ a: 12, b: 12, root: 2, twin: 14, broken: 99 }),
      12: directory({ up: 2, self: 12, f: 20 }),
      14: { ...directory({ f: 20 }), number: 12 },
      20: file,
    });
    expect(paths.pathsOf(12)).toEqual(['/a', '/b', '/a/self']);
    expect(paths.pathsOf(20)).toEqual(['/a/f']);
    expect(paths.pathsOf(99)).toEqual(['/broken']);
  });

  it('ask the inode where the record has no type', () => {
    const paths = index({
      2: {
        type: 'directory',
        entries: [
          { name: 'd', node: 12, type: 'unknown' },
          { name: 'no', node: 13, type: 'unknown' },
          { name: 'lie', node: 20, type: 'directory' },
        ],
      },
      12: directory({ f: 20 }),
      20: file,
    });
    expect(paths.pathsOf(20)).toEqual(['/lie', '/d/f']);
  });

  it('are found in a large tree, whatever numbers its nodes have', () => {
    const nodes: Record<number, FakeNode> = { 2: directory({}) };
    const parts = Array.from({ length: 20 }, (_, d) => {
      const id = 2 ** 33 + 32 * d;
      const files = Array.from({ length: 1000 }, (_, i) => 2 ** 35 + 4096 * (1000 * d + i));
      for (const file of files) nodes[file] = { type: 'file' };
      nodes[id] = directory(Object.fromEntries(files.map((file, i) => [`file ${i}`, file])));
      return [`d${d}`, id] as const;
    });
    nodes[2] = directory(Object.fromEntries(parts));
    const paths = index(nodes);
    for (const n of [0, 1, 999, 1000, 12_345, 19_999]) {
      const expected = `/d${Math.floor(n / 1000)}/file ${n % 1000}`;
      expect(paths.pathsOf(2 ** 35 + 4096 * n)).toEqual([expected]);
    }
  });

  it('end at a depth that no real tree has', () => {
    const nodes: Record<number, FakeNode> = {};
    for (let id = 2; id < 1500; id++) nodes[id] = directory({ d: id + 1 });
    nodes[1500] = file;
    const paths = index(nodes);
    expect(paths.pathsOf(1002)).toEqual(['/d'.repeat(1000)]);
    expect(paths.pathsOf(1004)).toEqual([]);
  });

  it('can be cancelled while they are looked for', () => {
    const nodes = { 2: directory({ a: 12 }), 12: directory({ b: 13 }), 13: directory({}) };
    const fileSystem = new FakeFileSystem({ nodes });
    const report = vi.fn((done: number) => {
      if (done === 1) throw new ImageError('cancelled', 'The work was cancelled.');
    });
    expect(() => new PathIndex(fileSystem, { report })).toThrow('cancelled');
    expect(fileSystem.asked.entries).toBe(1);
  });
});
