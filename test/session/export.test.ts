import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { VolumeBytes } from '../../src/image/bytes';
import { ImageError } from '../../src/image/errors';
import { MemoryBytes } from '../../src/image/memory-bytes';
import { MappedContent } from '../../src/filesystem/file-content';
import type { Finding } from '../../src/filesystem/finding';
import type { Progress } from '../../src/filesystem/progress';
import { exportNode } from '../../src/session/export';
import { OpenVolume } from '../../src/session/open-volume';
import { temporaryFolder } from '../image/support';
import {
  directory,
  file,
  link,
  rootId,
  TreeFileSystem,
  type TreeNode,
} from './support/tree-filesystem';

type Nodes = Record<number, TreeNode>;

function run(nodes: Nodes, target: string, id = rootId, more: { progress?: Progress } = {}) {
  return exportNode({ fileSystem: new TreeFileSystem(nodes), present: 1e6, ...more }, id, target);
}

/** Everything below a folder: what kind it is, and what it holds or where it leads. */
function treeOf(folder: string, prefix = ''): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    const stat = lstatSync(path);
    if (stat.isSymbolicLink()) tree[prefix + name] = `-> ${readlinkSync(path)}`;
    else if (stat.isFile()) tree[prefix + name] = readFileSync(path, 'utf8');
    else Object.assign(tree, { [prefix + name]: '/' }, treeOf(path, `${prefix}${name}/`));
  }
  return tree;
}

describe('an exported directory', () => {
  const nodes: Nodes = {
    [rootId]: directory({ sub: 10, 'a.txt': 11, link: 12 }),
    10: directory({ 'b.txt': 13, up: 14, empty: 15 }, { mode: 0o40750, modified: time(1e9) }),
    11: file('alpha', { mode: 0o106640, modified: time(1_100_000_000) }),
    12: link('sub/b.txt'),
    13: file('beta'),
    14: link('../a.txt'),
    15: directory({}),
  };

  it('has what it had in the image', () => {
    const target = join(temporaryFolder(), 'out');
    expect(run(nodes, target)).toEqual({
      files: 2,
      directories: 3,
      symlinks: 2,
      bytes: 9,
      refused: 0,
      leftOut: 0,
      notes: [],
    });
    expect(treeOf(target)).toEqual({
      sub: '/',
      'a.txt': 'alpha',
      link: '-> sub/b.txt',
      'sub/b.txt': 'beta',
      'sub/up': '-> ../a.txt',
      'sub/empty': '/',
    });
    expect(statSync(join(target, 'a.txt')).mode & 0o7777).toBe(0o640);
    expect(statSync(join(target, 'a.txt')).mtimeMs).toBe(1_100_000_000_000);
    expect(statSync(join(target, 'sub')).mode & 0o7777).toBe(0o750);
    expect(statSync(join(target, 'sub')).mtimeMs).toBe(1e12);
  });

  it('has what the host gives new files where the image has no modes', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'new'), '');
    mkdirSync(join(folder, 'newer'));
    const target = join(folder, 'out');
    run({ [rootId]: directory({ sub: 10, file: 11 }), 10: directory({}), 11: file('x') }, target);
    const modeOf = (path: string) => statSync(path).mode;
    expect(modeOf(join(target, 'file'))).toBe(modeOf(join(folder, 'new')));
    expect(modeOf(join(target, 'sub'))).toBe(modeOf(join(folder, 'newer')));
  });

  it('can be written a second time, over itself', () => {
    const target = join(temporaryFolder(), 'out');
    run(nodes, target);
    const before = treeOf(target);
    expect(run({ ...nodes, 11: file('ALPHA') }, target).notes).toEqual([]);
    expect(treeOf(target)).toEqual({ ...before, 'a.txt': 'ALPHA' });
  });

  it('ends up where the directory is read-only', () => {
    const target = join(temporaryFolder(), 'out');
    run({ ...nodes, 10: { ...nodes[10], mode: 0o40500 } }, target);
    expect(readFileSync(join(target, 'sub/b.txt'), 'utf8')).toBe('beta');
    expect(statSync(join(target, 'sub')).mode & 0o777).toBe(0o500);
    chmodSync(join(target, 'sub'), 0o700);
  });

  it('tells how far it is, and can be given up', () => {
    const reports: [number, number][] = [];
    run(nodes, join(temporaryFolder(), 'out'), rootId, {
      progress: { report: (done, total) => reports.push([done, total]) },
    });
    expect(reports.at(-1)).toEqual([9, 9]);

    const target = join(temporaryFolder(), 'out');
    const report = (done: number) => {
      if (done > 0) throw new ImageError('cancelled', 'Enough.');
    };
    expect(() => run(nodes, target, rootId, { progress: { report } })).toThrow('Enough.');
    // What was begun is gone, what was finished before it stays.
    expect(treeOf(target)).toEqual({ sub: '/', 'sub/empty': '/' });
  });
});

describe('what an image must not do to the host', () => {
  it('leave the target by a name', () => {
    const folder = temporaryFolder();
    const { notes } = run(
      {
        [rootId]: directory({ '../up': 10, '..': 11, '.': 12, 'a\\b': 10, '\x1b[2J': 10 }),
        10: file('x'),
        11: directory({ inner: 10 }),
        12: directory({}),
      },
      join(folder, 'out'),
    );
    expect(Object.keys(treeOf(folder)).sort()).toEqual([
      'out',
      'out/.._up',
      'out/_',
      'out/_[2J',
      'out/__',
      'out/__/inner',
      'out/a_b',
    ]);
    expect(notes).toHaveLength(5);
    expect(notes).toContain('/../up is written as .._up.');
  });

  it('leave the target by a symlink, its own or one that was there', () => {
    const folder = temporaryFolder();
    const outside = join(folder, 'outside');
    const target = join(folder, 'out');
    mkdirSync(outside);
    mkdirSync(target);
    writeFileSync(join(outside, 'victim'), 'kept');
    symlinkSync(outside, join(target, 'planted'));
    symlinkSync(join(outside, 'victim'), join(target, 'file'));
    symlinkSync(join(outside, 'new'), join(target, 'dangling'));
    const { notes, files } = run(
      {
        [rootId]: {
          type: 'directory',
          entries: [
            { name: 'own', node: 10 },
            { name: 'own', node: 11 }, // the same name again, now as a directory
            { name: 'planted', node: 11 },
            { name: 'file', node: 12 },
            { name: 'dangling', node: 12 },
            { name: 'absolute', node: 13 },
          ],
        },
        10: link('../outside'),
        11: directory({ victim: 12 }),
        12: file('overwritten'),
        13: link('/etc/passwd'),
      },
      target,
    );
    expect(treeOf(outside)).toEqual({ victim: 'kept' });
    expect(files).toBe(1);
    expect(treeOf(target)).toEqual({
      planted: `-> ${outside}`,
      file: `-> ${join(outside, 'victim')}`,
      dangling: `-> ${join(outside, 'new')}`,
      own: '/',
      'own/victim': 'overwritten',
    });
    expect(notes.join('\n')).toContain(
      '/own is left out: it leads out of the export, to ../outside.',
    );
    expect(notes.join('\n')).toContain('/absolute is left out');
    expect(notes.join('\n')).toContain('planted exists, and is not a folder.');
    expect(notes.filter((note) => note.includes('exists, and is a symlink'))).toHaveLength(2);
  });

  it('leave the target by a step up from a symlink', () => {
    const target = join(temporaryFolder(), 'out');
    const { notes, symlinks } = run(
      {
        [rootId]: directory({ sub: 10, here: 11, harmless: 12, escape: 13 }),
        10: directory({}),
        11: link('.'),
        12: link('sub/../sub/../here'),
        13: link('here/../victim'),
      },
      target,
    );
    expect(symlinks).toBe(2);
    expect(treeOf(target)).toEqual({ sub: '/', here: '-> .', harmless: '-> sub/../sub/../here' });
    expect(notes).toEqual(['/escape is left out: it leads out of the export, to here/../victim.']);
  });

  it('make devices', () => {
    const target = join(temporaryFolder(), 'out');
    const { notes, refused, leftOut } = run(
      {
        [rootId]: directory({ null: 10, sda: 11, pipe: 12, log: 13 }),
        10: { type: 'chardev', device: { major: 1, minor: 3 } },
        11: { type: 'blockdev', device: { major: 8, minor: 0 } },
        12: { type: 'fifo' },
        13: { type: 'socket' },
      },
      target,
    );
    expect(treeOf(target)).toEqual({});
    expect({ refused, leftOut }).toEqual({ refused: 0, leftOut: 4 });
    expect(notes).toEqual([
      '/log is left out: it is a socket.',
      '/null is left out: it is a chardev.',
      '/pipe is left out: it is a fifo.',
      '/sda is left out: it is a blockdev.',
    ]);
  });

  it('write into a file that has another name elsewhere', () => {
    const folder = temporaryFolder();
    const target = join(folder, 'out');
    mkdirSync(target);
    writeFileSync(join(folder, 'original'), 'kept');
    linkSync(join(folder, 'original'), join(target, 'a'));
    run({ [rootId]: directory({ a: 10 }), 10: file('new') }, target);
    expect(readFileSync(join(folder, 'original'), 'utf8')).toBe('kept');
    expect(readFileSync(join(target, 'a'), 'utf8')).toBe('new');
  });

  it('overwrite the image that is being read', () => {
    const folder = temporaryFolder();
    const image = join(folder, 'disk.img');
    writeFileSync(image, 'image');
    const fileSystem = new TreeFileSystem({
      [rootId]: directory({ 'disk.img': 10, other: 10 }),
      10: file('x'),
    });
    const source = { fileSystem, present: 1e6, imagePath: image };
    expect(() => exportNode(source, 10, image)).toThrow('is the image itself');
    const { notes, files } = exportNode(source, rootId, folder);
    expect(files).toBe(1);
    expect(notes.join()).toContain('/disk.img is left out');
    expect(readFileSync(image, 'utf8')).toBe('image');
  });
});

describe('names that are the same to a host', () => {
  it('are told apart', () => {
    const target = join(temporaryFolder(), 'out');
    const names = ['twice.txt', 'twice.txt', 'twice.txt', 'a/b', 'a\\b'];
    const entries = names.map((name, i) => ({ name, node: 10 + i }));
    const nodes: Nodes = { [rootId]: { type: 'directory', entries } };
    for (const [i, name] of names.entries()) nodes[10 + i] = file(`${i} ${name}`);
    const { files } = run(nodes, target);
    expect(files).toBe(5);
    expect(Object.keys(treeOf(target)).sort()).toEqual([
      'a_b',
      'a_b~2',
      'twice.txt',
      'twice~2.txt',
      'twice~3.txt',
    ]);
  });

  it('stay as they are where the host tells them apart by case', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'case'), '');
    const sensitive = !existsSync(join(folder, 'CASE'));
    const target = join(folder, 'out');
    const nodes = { [rootId]: directory({ File: 10, file: 11 }), 10: file('1'), 11: file('2') };
    run(nodes, target);
    run(nodes, target);
    const expected = sensitive ? { File: '1', file: '2' } : { File: '2', 'file~2': '1' };
    expect(Object.keys(treeOf(target))).toEqual(Object.keys(expected));
  });
});

describe('the content of an exported file', () => {
  it('takes room only where it has content', () => {
    const unit = 1024;
    const bytes = new Uint8Array(200 * unit).fill(7);
    const volume = new VolumeBytes(new MemoryBytes(bytes), 0, bytes.length);
    const extents = [
      { logical: 0, physical: 10, length: 4 },
      { logical: 1000, physical: 20, length: 100, unwritten: true },
      { logical: 2 ** 30, physical: 30, length: 8 },
    ];
    const size = 2 ** 40 + 3000;
    const place = (block: number) => block * unit;
    const content = new MappedContent(volume, size, unit, place, extents, 112 * unit, []);
    const target = join(temporaryFolder(), 'file');
    const report = run({ [rootId]: { type: 'file', content } }, target);
    expect(report).toMatchObject({ files: 1, bytes: size });
    expect(statSync(target).size).toBe(size);
    expect(statSync(target).blocks * 512).toBeLessThan(100_000);
  });

  it('is not written where the host has no room for it', async () => {
    const target = join(temporaryFolder(), 'out');
    const huge = {
      ...{ size: 2 ** 50, allocated: 2 ** 50, extents: [], problems: [] },
      read: vi.fn(() => 0),
    };
    const nodes: Nodes = {
      [rootId]: directory({ a: 10, b: 11 }),
      10: { type: 'file', content: huge },
      11: file('small'),
    };
    const { files, notes, refused } = run(nodes, target);
    expect(files).toBe(1);
    expect(refused).toBe(1);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/^\/a is left out: .* needs 1125899906842624 bytes, and the host has/);
    expect(existsSync(join(target, 'a'))).toBe(false);
    expect(() => run(nodes, join(target, 'c'), 10)).toThrow('needs 1125899906842624 bytes');
  });

  it('is not copied any further when the host has no room', () => {
    const target = join(temporaryFolder(), 'out');
    const large = { size: 2 ** 50, allocated: 2 ** 50, extents: [], problems: [], read: () => 0 };
    const nodes: Nodes = {
      [rootId]: directory({ a: 10, b: 11, c: 10 }),
      10: file('small'),
      11: { type: 'file', content: large },
    };
    const source = { fileSystem: new TreeFileSystem(nodes), present: 2 ** 51 };
    expect(() => exportNode(source, rootId, target)).toThrow(
      /b needs 1125899906842624 bytes, .* The copy is incomplete\.$/,
    );
    expect(treeOf(target)).toEqual({ a: 'small' });
  });

  it('keeps what can be read when its node is broken, and notes it', () => {
    const target = join(temporaryFolder(), 'out');
    const nodes: Nodes = {
      [rootId]: {
        type: 'directory',
        entries: [
          { name: 'gone', node: 99, type: 'file' },
          { name: 'here', node: 10 },
        ],
      },
      10: file('x'),
    };
    expect(run(nodes, target)).toMatchObject({
      files: 1,
      notes: ['/gone is left out: There is no node 99.'],
    });
  });
});

describe('the notes of an export', () => {
  it('name the paths inside the image', () => {
    const message = 'A block is missing.';
    const problem: Finding = {
      code: 'x',
      severity: 'error',
      message,
      offset: 0,
      length: 1,
      fixable: false,
    };
    const broken = { size: 0, allocated: 0, extents: [], problems: [problem], read: () => 0 };
    const nodes: Nodes = {
      [rootId]: directory({ sub: 10 }),
      10: directory({ pipe: 11, broken: 12 }),
      11: { type: 'fifo' },
      12: { type: 'file', content: broken },
    };
    const bytes = new VolumeBytes(new MemoryBytes(new Uint8Array(10_000)), 0, 10_000);
    const volume = new OpenVolume(new TreeFileSystem(nodes), bytes);
    const folder = temporaryFolder();
    expect(volume.exportPath('/sub', folder).notes).toEqual([
      '/sub/broken: A block is missing.',
      '/sub/pipe is left out: it is a fifo.',
    ]);
    expect(volume.exportPath('/sub/broken', folder).notes).toEqual([
      '/sub/broken: A block is missing.',
    ]);
  });
});

describe('the place of an export', () => {
  const nodes: Nodes = {
    [rootId]: directory({ sub: 10, link: 12 }),
    10: directory({ 'a.txt': 11 }),
    11: file('alpha'),
    12: link('sub/a.txt'),
  };
  const open = () => {
    const bytes = new VolumeBytes(new MemoryBytes(new Uint8Array(10_000)), 0, 10_000);
    return new OpenVolume(new TreeFileSystem(nodes), bytes);
  };

  it('is the target, or inside of it under its own name where that is a folder', () => {
    const folder = temporaryFolder();
    open().exportPath('/sub/a.txt', join(folder, 'renamed'));
    open().exportPath('/sub/a.txt', folder);
    open().exportPath('/link', folder);
    open().exportPath('/sub', folder);
    open().exportPath('/sub', join(folder, 'copy'));
    expect(treeOf(folder)).toEqual({
      renamed: 'alpha',
      'a.txt': 'alpha',
      link: 'alpha',
      sub: '/',
      'sub/a.txt': 'alpha',
      copy: '/',
      'copy/a.txt': 'alpha',
    });
    const root = temporaryFolder();
    open().exportPath('/', root);
    expect(Object.keys(treeOf(root))).toEqual(['link', 'sub', 'sub/a.txt']);
  });

  it.each([
    ['a folder for a file', 'folder', 11, 'is a folder'],
    ['a file for a directory', 'file', 10, 'is not a folder'],
    ['a symlink', 'symlink', 11, 'is a symlink'],
    ['a folder that is not there', 'missing/a', 11, 'there is no such folder'],
    ['a folder that is not there, by its slash', 'missing/', 11, 'There is no folder'],
    ['below a file', 'file/a', 11, 'a part of its path is not a folder'],
  ])('is refused: %s', (_name, place, id, message) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'folder'));
    writeFileSync(join(folder, 'file'), 'kept');
    symlinkSync('file', join(folder, 'symlink'));
    const before = treeOf(folder);
    expect(() => run(nodes, join(folder, place), id)).toThrow(message);
    expect(treeOf(folder)).toEqual(before);
  });

  it('is none for what is neither file nor directory', () => {
    const target = join(temporaryFolder(), 'out');
    expect(() => run(nodes, target, 12)).toThrow('It is a symlink, which cannot be exported.');
  });
});

function time(seconds: number) {
  return { seconds, nanoseconds: 0 };
}
