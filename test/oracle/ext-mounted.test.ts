import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkErrors } from './support/check-errors';
import { fillPlainly, fillWithExtents } from './support/ext-filling';
import {
  freeExtentsOf,
  headOf,
  makeImage,
  mounted,
  opened,
  run,
  type Format,
  withFolder,
} from './support/ext-tools';
import { extentsByFilefrag, joined, readHostTree, readTree, type Tree } from './support/ext-tree';

interface Case extends Omit<Format, 'size'> {
  readonly name: string;
  readonly size?: string;
  readonly clusterBlocks?: number;
  /** Names in its large directory. */
  readonly files?: number;
}

const cases: readonly Case[] = [
  { name: 'revision 0', blockSize: 1024, base: 'none', options: '-r 0' },
  { name: 'revision 0', blockSize: 4096, base: 'none', options: '-r 0', files: 2500 },
  { name: 'ext2', blockSize: 1024, base: 'ext2', options: '-I 128', files: 2500 },
  { name: 'ext2', blockSize: 2048, base: 'ext2', options: '-I 256' },
  { name: 'no filetype', blockSize: 4096, base: 'ext2', features: '^filetype,^dir_index' },
  { name: 'small groups', blockSize: 1024, base: 'ext2', options: '-g 1024' },
  {
    name: 'every superblock copied',
    blockSize: 1024,
    base: 'ext2',
    features: '^sparse_super,^resize_inode',
    options: '-g 2048',
  },
  { name: 'ext3', blockSize: 1024, base: 'ext3', options: '-I 128' },
  { name: 'ext3', blockSize: 4096, base: 'ext3', options: '-I 256', files: 2500 },
  { name: 'ext4', blockSize: 1024, base: 'ext4', files: 2500 },
  { name: 'ext4', blockSize: 2048, base: 'ext4', options: '-I 512' },
  { name: 'ext4', blockSize: 4096, base: 'ext4', options: '-I 1024' },
  { name: 'no extents', blockSize: 1024, base: 'ext4', features: '^extent,^64bit' },
  {
    name: '32 bits, descriptor checksums only',
    blockSize: 1024,
    base: 'ext4',
    features: '^64bit,^metadata_csum,uninit_bg',
  },
  { name: 'no checksums', blockSize: 4096, base: 'ext4', features: '^metadata_csum' },
  { name: 'seeded checksums', blockSize: 4096, base: 'ext4', features: 'metadata_csum_seed' },
  {
    name: 'meta groups',
    blockSize: 1024,
    base: 'ext4',
    features: '^resize_inode,meta_bg',
    options: '-g 1024',
  },
  {
    name: 'no flexible groups',
    blockSize: 1024,
    base: 'ext4',
    features: '^flex_bg',
    options: '-g 2048',
  },
  {
    name: 'two superblock copies',
    blockSize: 1024,
    base: 'ext4',
    features: '^sparse_super,^resize_inode,sparse_super2',
    options: '-g 2048',
  },
  {
    name: 'clusters',
    blockSize: 1024,
    base: 'ext4',
    features: 'bigalloc',
    options: '-C 16384',
    clusterBlocks: 16,
    size: '96M',
  },
  {
    name: 'clusters',
    blockSize: 4096,
    base: 'ext4',
    features: 'bigalloc',
    options: '-C 65536',
    clusterBlocks: 16,
    size: '160M',
  },
  { name: 'inline data', blockSize: 1024, base: 'ext4', features: 'inline_data' },
  {
    name: 'inline data',
    blockSize: 4096,
    base: 'ext4',
    features: 'inline_data',
    options: '-I 1024',
    files: 2500,
  },
  {
    name: 'large directories',
    blockSize: 1024,
    base: 'ext4',
    features: 'large_dir,ea_inode',
    files: 4500,
  },
  {
    name: 'orphan file, fast commits',
    blockSize: 4096,
    base: 'ext4',
    features: 'orphan_file,fast_commit,stable_inodes',
  },
];

const title = (test: Case) => `${test.name}, ${test.blockSize} bytes a block`;

describe.each(cases.map((test) => ({ ...test, title: title(test) })))('$title', (test) => {
  it('reads as the kernel and dumpe2fs do', async () => {
    await withFolder(async (folder) => {
      const image = path.join(folder, 'image');
      const options = `-N 6144 -L label -m 1 ${test.options ?? ''}`.trim();
      makeImage(image, { size: '40M', ...test, options });
      await fill(image, test);

      const kernel = mounted(image, 'ro', (root) => {
        const tree = readHostTree(root);
        const names = plainFilesOf(tree);
        const extents = extentsByFilefrag(names.map((name) => root + name));
        return { tree, extents: new Map(names.map((name, i) => [name, extents[i]])) };
      });
      opened(image, (fileSystem) => {
        const tree = readTree(fileSystem);
        expect(Object.fromEntries(tree)).toEqual(Object.fromEntries(kernel.tree));
        expect(kernel.extents.size).toBeGreaterThan(15);
        for (const [name, extents] of kernel.extents) {
          const ours = fileSystem.content(tree.get(name)?.id ?? 0).extents;
          expect(joined(ours), name).toEqual(joined(extents));
        }
        expectFacts(image, fileSystem.facts);
        const free = fileSystem.freeSpace();
        const listed = Array.from(free.starts, (start, i) => [start, free.lengths[i]]);
        expect(listed).toEqual(freeExtentsOf(image, test.clusterBlocks));
        expect(checkErrors(fileSystem)).toEqual([]);
      });
    });
  });
});

async function fill(image: string, test: Case): Promise<void> {
  const root = `${image}.mounted`;
  run('mkdir', [root]);
  run('mount', ['-t', 'ext4', '-o', 'loop', image, root]);
  try {
    await fillPlainly(root, test.files ?? 200);
    const unwritten = test.base === 'ext4' && !test.features?.includes('^extent');
    fillWithExtents(root, { blockSize: test.blockSize, unwritten });
  } finally {
    run('umount', [root]);
  }
}

/** Files whose names can be passed to a tool. */
function plainFilesOf(tree: Tree): string[] {
  return [...tree].flatMap(([name, { type }]) =>
    type === 'file' && /^[ -~]+$/.test(name) && !name.startsWith('/many') ? [name] : [],
  );
}

function expectFacts(image: string, facts: object): void {
  const head = headOf(image);
  const number = (name: string) => Number(head.get(name));
  expect(facts).toMatchObject({
    label: 'label',
    uuid: head.get('Filesystem UUID'),
    blockSize: number('Block size'),
    blocks: number('Block count'),
    freeBlocks: number('Free blocks'),
    inodes: number('Inode count'),
    freeInodes: number('Free inodes'),
    state: 'clean',
    features: head.get('Filesystem features')?.replace('(none)', '').split(' ').filter(Boolean),
    notes: [],
  });
}
