import { describe, expect, it } from 'vitest';
import { VolumeBytes } from '../../src/image/bytes';
import { MemoryBytes } from '../../src/image/memory-bytes';
import { OpenVolume } from '../../src/session/open-volume';
import { pathOf, splitPath } from '../../src/session/paths';
import {
  directory,
  file,
  link,
  rootId,
  TreeFileSystem,
  type TreeNode,
} from './support/tree-filesystem';

const tree: Record<number, TreeNode> = {
  [rootId]: directory({ usr: 10, bin: 11, etc: 12, loop: 13, self: 14, deep: 18, empty: 19 }),
  10: directory({ bin: 15, share: 16 }),
  11: link('usr/bin'),
  12: directory({ motd: 17, up: 20, absolute: 21 }),
  13: link('/loop2/../loop'),
  14: link('self/self'),
  15: directory({ Tool: 30 }),
  16: directory({}),
  17: file('hello'),
  18: link('usr/share/../../etc/./motd'),
  19: link(''),
  20: link('../bin/Tool'),
  21: link('/usr'),
  30: file('tool'),
};

function open(nodes = tree, ignoresCase = false) {
  const size = 10_000;
  const bytes = new VolumeBytes(new MemoryBytes(new Uint8Array(size)), 0, size);
  return new OpenVolume(new TreeFileSystem(nodes, ignoresCase), bytes);
}

describe('a path in text', () => {
  it.each([
    ['/', []],
    ['//a///b/', ['a', 'b']],
    ['/a/./b/../c', ['a', 'c']],
    ['/../../a', ['a']],
    ['/a/../..', []],
  ])('%s', (path, expected) => expect(splitPath(path)).toEqual(expected));

  it.each(['', 'a/b', './a'])('must start at the root: %j', (path) => {
    expect(() => splitPath(path)).toThrow('start with a slash');
  });
});

describe('a path', () => {
  it('leads from the root to its end', () => {
    expect(open().resolve('/etc/motd')).toEqual([
      { name: '', node: rootId, type: 'directory' },
      { name: 'etc', node: 12, type: 'directory' },
      { name: 'motd', node: 17, type: 'file' },
    ]);
    expect(open().resolve('/')).toHaveLength(1);
  });

  it('passes through symlinks, absolute and relative', () => {
    expect(pathOf(open().resolve('/bin/Tool'))).toBe('/usr/bin/Tool');
    expect(pathOf(open().resolve('/etc/absolute/bin/Tool'))).toBe('/usr/bin/Tool');
  });

  it('ends at a symlink, unless that is to be followed too', () => {
    expect(open().resolve('/etc/up').at(-1)).toMatchObject({ node: 20, type: 'symlink' });
    expect(pathOf(open().resolve('/etc/up', true))).toBe('/usr/bin/Tool');
    expect(pathOf(open().resolve('/deep', true))).toBe('/etc/motd');
  });

  it('takes .. from its own text, before any symlink is followed', () => {
    expect(pathOf(open().resolve('/bin/../etc'))).toBe('/etc');
  });

  it.each([
    ['/nothing', 'not-found', 'There is no /nothing.'],
    ['/usr/nothing/more', 'not-found', 'There is no /usr/nothing.'],
    ['/etc/motd/more', 'not-a-directory', '/etc/motd is not a directory.'],
    ['/self/more', 'not-found', 'passes through more than 40 symlinks'],
    ['/empty/more', 'corrupt', 'The symlink empty is empty.'],
    ['/loop/more', 'not-found', 'There is no /loop2'],
    ['/USR', 'not-found', 'There is no /USR.'],
  ])('%s is refused', (path, code, message) => {
    const refusal = { code, message: expect.stringContaining(message) as string };
    expect(() => open().resolve(path)).toThrow(expect.objectContaining(refusal));
  });

  it('finds a name whatever its case, where the filesystem ignores it; the exact one first', () => {
    const nodes = {
      [rootId]: directory({ 'READ ME.TXT': 10, a: 11, A: 12 }),
      10: file('x'),
      11: file('lower'),
      12: file('upper'),
    };
    const volume = open(nodes, true);
    expect(volume.resolve('/read me.txt').at(-1)).toMatchObject({ name: 'READ ME.TXT', node: 10 });
    expect(volume.resolve('/A').at(-1)?.node).toBe(12);
    expect(() => open(nodes).resolve('/read me.txt')).toThrow('There is no');
  });
});

describe('the file of a path', () => {
  it('is a regular one', () => {
    expect(open().file('/deep')).toBe(17);
    expect(() => open().file('/etc')).toThrow('/etc is a directory, not a file.');
  });

  it('is read in parts, and not past its end', () => {
    const volume = open();
    const text = (offset: number, length: number) =>
      Buffer.from(volume.read(17, offset, length)).toString();
    expect(text(0, 100)).toBe('hello');
    expect(text(1, 3)).toBe('ell');
    expect(text(5, 3)).toBe('');
    expect(text(500, 3)).toBe('');
    expect(() => volume.read(17, -1, 3)).toThrow('There are no 3 bytes from byte -1 on.');
    expect(Buffer.concat([...volume.chunks(17)]).toString()).toBe('hello');
  });
});

describe('the entries at a path', () => {
  const list = (path: string, recursive: boolean) =>
    [...open().entriesAt(path, () => undefined, { recursive })].map((entry) => entry.path);

  it('are what a directory holds, under the path that was asked for', () => {
    expect(list('/etc/absolute', false)).toEqual(['/etc/absolute']);
    expect(list('/etc/absolute/', false)).toEqual(['/etc/absolute/bin', '/etc/absolute/share']);
    expect(list('/etc/absolute/bin', false)).toEqual(['/etc/absolute/bin/Tool']);
    expect(list('/usr', true)).toEqual(['/usr/bin', '/usr/bin/Tool', '/usr/share']);
    expect(list('/usr', false)).toEqual(['/usr/bin', '/usr/share']);
  });

  it('are a file itself', () => {
    expect(list('/etc/motd', true)).toEqual(['/etc/motd']);
    expect(() => list('/etc/motd/', true)).toThrow('It is no directory.');
  });
});
