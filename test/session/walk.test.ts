import { describe, expect, it } from 'vitest';
import { ImageError } from '../../src/image/errors';
import { walk, type WalkOptions } from '../../src/session/walk';
import { directory, file, rootId, TreeFileSystem, type TreeNode } from './support/tree-filesystem';

function visit(nodes: Record<number, TreeNode>, options: WalkOptions = {}, present = 1e6) {
  const problems: string[] = [];
  const report = (path: string, message: string) => problems.push(`${path}: ${message}`);
  const entries = [...walk(new TreeFileSystem(nodes), present, rootId, '/', report, options)];
  return { paths: entries.map(({ path }) => path), entries, problems };
}

describe('a walk', () => {
  it('meets each directory before what it holds', () => {
    const { paths, entries, problems } = visit({
      [rootId]: directory({ b: 10, a: 11, z: 12 }),
      10: directory({ c: 13 }),
      11: directory({}),
      12: file('x'),
      13: directory({ d: 14 }),
      14: file('y'),
    });
    expect(paths).toEqual(['/a', '/b', '/b/c', '/b/c/d', '/z']);
    expect(entries.map(({ depth }) => depth)).toEqual([1, 1, 2, 3, 1]);
    expect(problems).toEqual([]);
  });

  it('goes no deeper when it is not to', () => {
    const nodes = { [rootId]: directory({ a: 10 }), 10: directory({ b: 11 }), 11: file('') };
    expect(visit(nodes, { recursive: false }).paths).toEqual(['/a']);
  });

  it('never enters a directory twice', () => {
    const { paths, problems } = visit({
      [rootId]: directory({ a: 10 }),
      10: directory({ back: rootId, own: 10, twin: 11 }),
      11: directory({ x: 12 }, { number: 10 }), // another slot with the same first cluster
      12: file(''),
    });
    expect(paths).toEqual(['/a', '/a/back', '/a/own', '/a/twin']);
    expect(problems).toHaveLength(3);
    expect(problems[0]).toContain('/a/back: The directory has been listed before');
  });

  it('enters every directory that has no number of its own', () => {
    const { paths } = visit({
      [rootId]: directory({ a: 10, b: 11 }, { number: 0 }),
      10: directory({ x: 12 }, { number: 0 }),
      11: directory({ y: 12 }, { number: 0 }),
      12: file(''),
    });
    expect(paths).toEqual(['/a', '/a/x', '/b', '/b/y']);
  });

  it('ends a chain of directories that no path can spell', () => {
    const nodes: Record<number, TreeNode> = {};
    for (let i = 0; i < 5000; i++) nodes[rootId + i] = directory({ d: rootId + i + 1 });
    nodes[rootId + 5000] = file('');
    const { paths, problems } = visit(nodes);
    expect(paths).toHaveLength(1000);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('nested more than 1000 deep');
  });

  it('ends when there are more entries than the image has room for', () => {
    const names = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}`, 99]));
    const { paths, problems } = visit({ [rootId]: directory(names), 99: file('') }, {}, 1200);
    expect(paths).toHaveLength(100);
    expect(problems.join()).toContain('more entries than the image has room for');
  });

  it('passes over what cannot be read, and tells of it', () => {
    const finding = {
      ...{ code: 'x', severity: 'error' as const, message: 'A record is too short.' },
      ...{ offset: 0, length: 1, fixable: false },
    };
    const { paths, entries, problems } = visit({
      [rootId]: {
        type: 'directory',
        problems: [finding],
        entries: [
          { name: 'gone', node: 98, type: 'directory' },
          { name: 'odd', node: 10, type: 'directory' },
        ],
      },
      10: file(''),
    });
    expect(paths).toEqual(['/gone', '/odd']);
    expect(entries[0].problem).toBe('There is no node 98.');
    expect(entries[1].type).toBe('file');
    expect(problems).toEqual(['/: A record is too short.']);
  });

  it('lists deleted directories when they are wanted, but never enters them', () => {
    const nodes: Record<number, TreeNode> = {
      [rootId]: { type: 'directory', entries: [{ name: 'old', node: 10, deleted: true }] },
      10: directory({ x: 11 }),
      11: file(''),
    };
    expect(visit(nodes).paths).toEqual([]);
    expect(visit(nodes, { deleted: true }).paths).toEqual(['/old']);
  });

  it('can be given up', () => {
    const progress = {
      report: () => {
        throw new ImageError('cancelled', 'Enough.');
      },
    };
    const nodes = { [rootId]: directory({ a: 10 }), 10: file('') };
    expect(() => visit(nodes, { progress })).toThrow('Enough.');
  });
});
