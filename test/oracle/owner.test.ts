import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OwnerAnswer } from '../../src/session/layout-answers';
import { ImageSession } from '../../src/session/image-session';
import { fill, makeContent } from './support/fat-filling';
import {
  makeImage as makeFatImage,
  mtoolsRuns,
  mtoolsTree,
  withFolder as withFatFolder,
} from './support/fat-tools';
import { freeExtentsOf, makeImage, run, withFolder, type Format } from './support/ext-tools';

/** The answers for all units of an image's only volume, by unit, and the paths of its nodes. */
function ownersOf<Result>(
  image: string,
  use: (owners: ReadonlyMap<number, OwnerAnswer>, pathsOf: (node: number) => string[]) => Result,
): Result {
  const session = ImageSession.open(image);
  try {
    const { layout, fileSystem } = session.volume();
    layout.findOwners();
    const { first, count } = fileSystem.unit;
    const owners = new Map<number, OwnerAnswer>();
    for (let unit = first; unit < first + count;) {
      const answer = layout.owner(unit);
      for (let i = answer.start; i < answer.start + answer.length; i++) owners.set(i, answer);
      expect(answer.start).toBeLessThanOrEqual(unit);
      unit = answer.start + answer.length;
    }
    expect(owners.size).toBe(count);
    return use(owners, (node) => layout.pathsOf(node));
  } finally {
    session.close();
  }
}

/** A tree with files of some blocks, holes, hard links and long symlinks, on the host. */
function makeTree(folder: string): string {
  const root = join(folder, 'tree');
  for (const directory of ['', 'a', 'a/b', 'a/b/c d']) {
    mkdirSync(join(root, directory));
    for (let i = 0; i < 12; i++) {
      writeFileSync(join(root, directory, `file ${i}`), Buffer.alloc(1500 * i * i, 65 + i));
    }
  }
  return root;
}

const formats: readonly Format[] = [
  { base: 'ext2', blockSize: 1024, size: '24M' },
  { base: 'ext3', blockSize: 2048, size: '32M' },
  { base: 'ext4', blockSize: 4096, size: '64M' },
];

describe('owners beside debugfs', () => {
  it.each(formats)('icheck and ncheck agree on $base', async (format) => {
    await withFolder((folder) => {
      const image = join(folder, 'image');
      makeImage(image, format, makeTree(folder));
      run(
        'debugfs',
        ['-w', '-f', '-', image],
        'ln "/a/file 9" /a/b/linked\nsif "/a/file 9" links_count 2',
      );
      ownersOf(image, (owners, pathsOf) => {
        const free = new Set(
          freeExtentsOf(image).flatMap(([start, length]) =>
            Array.from({ length }, (_, i) => start + i),
          ),
        );
        for (const [unit, { role }] of owners)
          expect([unit, role === 'free']).toEqual([unit, free.has(unit)]);
        expect([...owners.values()].filter(({ role }) => role === 'lost')).toEqual([]);

        const used = [...owners.keys()].filter((unit) => !free.has(unit));
        const nodes = new Set<number>();
        const inspected = icheck(image, used);
        for (const unit of used) {
          const { node } = owners.get(unit) ?? {};
          const inode = inspected.get(unit);
          // Of the journal and of what is reserved for growing debugfs names the inode too.
          if (inode !== undefined && inode > 10) expect([unit, node]).toEqual([unit, inode]);
          if (inode === undefined) expect([unit, node]).toEqual([unit, undefined]);
          if (node !== undefined && node > 10) nodes.add(node);
        }
        expect(nodes.size).toBeGreaterThan(40);
        const paths = ncheck(image, [...nodes]);
        for (const node of nodes) expect(pathsOf(node).sort()).toEqual(paths.get(node)?.sort());
        expect([...paths.values()].filter((list) => list.length === 2)).toHaveLength(1);
      });
    });
  });
});

/** The inode of each block that has one. */
function icheck(image: string, blocks: readonly number[]): Map<number, number> {
  const lines = run('debugfs', ['-R', `icheck ${blocks.join(' ')}`, image])
    .split('\n')
    .slice(1);
  const pairs = lines.map((line) => line.split('\t').map(Number)).filter(([, inode]) => inode > 0);
  return new Map(pairs.map(([block, inode]) => [block, inode]));
}

/** The paths of each inode. */
function ncheck(image: string, inodes: readonly number[]): Map<number, string[]> {
  const paths = new Map<number, string[]>();
  const lines = run('debugfs', ['-R', `ncheck ${inodes.join(' ')}`, image])
    .split('\n')
    .slice(1);
  for (const line of lines.filter(Boolean)) {
    const [inode, printed] = line.split('\t');
    const path = printed.replace(/^\/+/, '/'); // ncheck prints two before the names of the root
    paths.set(Number(inode), [...(paths.get(Number(inode)) ?? []), path]);
  }
  return paths;
}

describe('owners beside mshowfat', () => {
  it.each([
    { bits: 12, clusterSize: 512, clusters: 3000, rootEntries: 512 },
    { bits: 16, clusterSize: 2048, clusters: 5000, rootEntries: 512 },
    { bits: 32, clusterSize: 512, clusters: 70_000 },
  ] as const)('agree on the files of FAT$bits', (shape) => {
    withFatFolder((folder) => {
      const image = join(folder, 'image');
      const format = { sectorSize: 512, fats: 2, reserved: 32, ...shape };
      const content = join(folder, 'content');
      mkdirSync(content);
      makeContent(content);
      makeFatImage(image, format);
      fill(image, format, content, folder);
      const tree = mtoolsTree(image, join(folder, 'copied'));
      const files = [...tree].filter(([, { size = 0 }]) => size > 0).map(([path]) => path);
      expect(files.length).toBeGreaterThan(10);
      ownersOf(image, (owners) => {
        for (const [path, runs] of mtoolsRuns(image, files)) {
          for (const [first, last] of runs) {
            for (let cluster = first; cluster <= last; cluster++) {
              expect(owners.get(cluster)).toMatchObject({ role: 'file', name: path });
            }
          }
        }
        expect([...owners.values()].filter(({ role }) => role === 'lost')).toEqual([]);
      });
    });
  });
});
