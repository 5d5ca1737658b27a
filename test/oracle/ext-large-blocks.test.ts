import * as fs from 'node:fs';
import * as path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkErrors } from './support/check-errors';
import { fillPlainly } from './support/ext-filling';
import {
  freeExtentsOf,
  makeImage,
  opened,
  run,
  withFolder,
  type Format,
} from './support/ext-tools';
import { extentsByDebugfs, joined, readHostTree, readTree, type Tree } from './support/ext-tree';

interface Case extends Omit<Format, 'size'> {
  readonly name: string;
}

/** Blocks that no kernel here can mount, and features that this one does not know. */
const cases: readonly Case[] = [
  ...[8192, 16384, 32768, 65536].flatMap((blockSize): Case[] => [
    { name: 'revision 0', blockSize, base: 'none', options: '-r 0' },
    { name: 'ext2', blockSize, base: 'ext2', options: '-I 128' },
    { name: 'ext4', blockSize, base: 'ext4' },
  ]),
  {
    name: 'inline data',
    blockSize: 65536,
    base: 'ext4',
    features: 'inline_data',
    options: '-I 2048',
  },
  { name: 'no filetype', blockSize: 65536, base: 'ext4', features: '^filetype' },
  {
    name: 'meta groups',
    blockSize: 16384,
    base: 'ext4',
    features: '^resize_inode,meta_bg',
    options: '-g 256',
  },
  { name: 'quotas', blockSize: 1024, base: 'ext4', features: 'quota,project,casefold,verity' },
  { name: 'wide descriptors', blockSize: 1024, base: 'ext4', options: '-E desc_size=256' },
];

describe.each(cases.map((test) => ({ ...test, title: `${test.name}, ${test.blockSize}` })))(
  '$title bytes a block',
  (test) => {
    it('reads as the folder it was made of, and as debugfs and dumpe2fs do', async () => {
      await withFolder((folder) => {
        const image = path.join(folder, 'image');
        const options = `-N 1024 ${test.options ?? ''}`.trim();
        makeImage(image, { ...test, options, size: '96M' }, sourceFolder);
        opened(image, (fileSystem) => {
          const tree = readTree(fileSystem);
          expect(comparable(tree)).toEqual(comparable(source));
          const inodes = [...new Set([...tree.values()].map(({ id }) => id))];
          extentsByDebugfs(image, inodes).forEach((extents, i) => {
            const ours = fileSystem.content(inodes[i]).extents;
            expect(joined(ours), `inode ${inodes[i]}`).toEqual(joined(extents));
          });
          const free = fileSystem.freeSpace();
          const listed = Array.from(free.starts, (start, i) => [start, free.lengths[i]]);
          expect(listed).toEqual(freeExtentsOf(image));
          expect(fileSystem.facts.blockSize).toBe(test.blockSize);
          expect(checkErrors(fileSystem)).toEqual([]);
        });
      });
    });
  },
);

let sourceFolder: string;
let source: Tree;
let finish: () => void;

beforeAll(async () => {
  await new Promise<void>((ready, fail) => {
    withFolder(async (folder) => {
      await fillPlainly(folder, 200);
      // mke2fs 1.47.0 loses what lies behind a socket, and cannot store such years.
      for (const name of ['socket', 'early', 'late']) fs.rmSync(path.join(folder, name));
      run('truncate', ['-s', '20M', path.join(folder, 'hole')]);
      sourceFolder = folder;
      source = readHostTree(folder);
      await new Promise<void>((done) => {
        finish = done;
        ready();
      });
    }).catch(fail);
  });
});

afterAll(() => finish());

/** What mke2fs takes over: neither inode numbers nor fractions of seconds. */
function comparable(tree: Tree): object {
  const entries = [...tree].flatMap(([name, seen]) => {
    if (name === '/lost+found') return [];
    const size = seen.type === 'directory' ? 0 : seen.size;
    const modified = Number(seen.modified / 1_000_000_000n);
    const { type, mode, uid, gid, device, target, sha256, links } = seen;
    return [[name, { type, mode, uid, gid, device, target, sha256, links, size, modified }]];
  });
  return Object.fromEntries(entries);
}
