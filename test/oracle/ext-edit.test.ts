import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readInode } from '../../src/ext/inode';
import { openVolume } from '../../src/ext/open';
import type { AllocationPolicy } from '../../src/filesystem/allocation';
import { readBytes, VolumeBytes } from '../../src/image/bytes';
import {
  attributesOf,
  comparableTree,
  expectedAttributes,
  expectedTree,
} from './support/edit-model';
import { Random } from '../support/random';
import { EditRun } from './support/ext-edit-run';
import { headOf, makeImage, mounted, run, withFolder, type Format } from './support/ext-tools';
import { readHostTree, readTree } from './support/ext-tree';

/** Operations in each sequence; more of them by the environment. */
const operations = Number(process.env.EDIT_OPERATIONS ?? 300);
const sequences = Number(process.env.EDIT_SEQUENCES ?? 2);

interface Case extends Format {
  readonly name: string;
  readonly largest?: number;
  readonly policy?: AllocationPolicy;
  /** Set where it has to run full. */
  readonly fills?: boolean;
  /** What no kernel here can mount. */
  readonly unmounted?: boolean;
  /** Holds anything wherever mke2fs writes nothing. */
  readonly isUsed?: boolean;
}

const lazily = '-g 1024 -E nodiscard,lazy_itable_init=1';

const cases: readonly Case[] = [
  { name: 'revision 0', base: 'none', blockSize: 1024, options: '-r 0', size: '8M' },
  { name: 'revision 0', base: 'none', blockSize: 4096, options: '-r 0', size: '12M' },
  { name: 'ext2', base: 'ext2', blockSize: 1024, options: '-I 128', size: '20M', largest: 400_000 },
  { name: 'ext2', base: 'ext2', blockSize: 2048, size: '16M' },
  { name: 'ext2', base: 'ext2', blockSize: 4096, size: '32M', policy: 'first-fit' },
  { name: 'ext2, small groups', base: 'ext2', blockSize: 1024, options: '-g 256', size: '6M' },
  { name: 'no filetype', base: 'ext2', features: '^filetype', blockSize: 1024, size: '8M' },
  { name: 'no indexes', base: 'ext2', features: '^dir_index', blockSize: 1024, size: '8M' },
  {
    name: 'meta groups',
    base: 'ext2',
    features: '^resize_inode,meta_bg',
    blockSize: 1024,
    options: '-g 1024',
    size: '24M',
  },
  { name: 'wide blocks', base: 'ext2', blockSize: 65536, size: '32M', unmounted: true },
  { name: 'ext3', base: 'ext3', blockSize: 1024, size: '16M', policy: 'next-fit' },
  { name: 'ext3', base: 'ext3', blockSize: 4096, size: '32M', largest: 200_000 },
  { name: 'ext3, no filetype', base: 'ext3', features: '^filetype', blockSize: 2048, size: '24M' },
  { name: 'ext3, short inodes', base: 'ext3', blockSize: 4096, options: '-I 128', size: '24M' },
  { name: 'few inodes', base: 'ext2', blockSize: 1024, options: '-N 40', size: '4M', fills: true },
  { name: 'full', base: 'ext2', blockSize: 1024, size: '400K', largest: 120_000, fills: true },
  { name: 'full', base: 'ext3', blockSize: 1024, size: '2M', largest: 400_000, fills: true },
  { name: 'ext4', base: 'ext4', blockSize: 1024, options: '-I 256', size: '24M' },
  {
    name: 'ext4',
    base: 'ext4',
    blockSize: 4096,
    size: '64M',
    largest: 400_000,
    policy: 'next-fit',
  },
  {
    name: 'ext4, crc16',
    base: 'ext4',
    features: '^metadata_csum,uninit_bg',
    blockSize: 2048,
    size: '24M',
  },
  {
    name: 'ext4, no checksums',
    base: 'ext4',
    features: '^metadata_csum,^64bit,^flex_bg',
    blockSize: 1024,
    size: '16M',
    policy: 'first-fit',
  },
  { name: 'ext4, short inodes', base: 'ext4', blockSize: 4096, options: '-I 128', size: '48M' },
  { name: 'ext4, wide blocks', base: 'ext4', blockSize: 65536, size: '64M', unmounted: true },
  {
    name: 'ext4, a seed, a file for orphans',
    base: 'ext4',
    features: 'metadata_csum_seed,orphan_file,fast_commit',
    blockSize: 1024,
    size: '32M',
  },
  {
    name: 'ext4, small groups on a used disk',
    base: 'ext4',
    blockSize: 1024,
    options: lazily,
    size: '24M',
    isUsed: true,
  },
  {
    name: 'full',
    base: 'ext4',
    features: '^has_journal',
    blockSize: 1024,
    size: '400K',
    largest: 120_000,
    fills: true,
  },
];

let made = 0;

describe.each(
  cases.map((test, index) => ({ ...test, index, title: `${test.name}, ${test.blockSize}` })),
)('$title bytes a block', (test) => {
  it.each(Array.from({ length: sequences }, (_, seed) => seed))(
    'is after random changes what a model is, sequence %i',
    async (seed) => {
      await withFolder((folder) => {
        const image = path.join(folder, 'image');
        if (test.isUsed) fs.writeFileSync(image, new Random(seed).bytes(24 * 2 ** 20));
        makeImage(image, test);
        const original = fs.readFileSync(image);
        const { largest = 60_000, policy = 'contiguous' } = test;
        const hasExtents = test.base === 'ext4';
        const options = { seed: 1000 * seed + test.index, policy, largest, hasExtents };
        const edits = new EditRun(original, options);
        edits.run(operations);
        made += edits.done;
        verify(edits, image, test.unmounted !== true);
        if (test.fills && operations >= 300) expect(edits.full).toBeGreaterThan(3);
        expect(edits.notes).toEqual([]);
        edits.undoAll();
        expect(original.equals(readBytes(edits.image, 0, edits.image.size))).toBe(true);
      });
    },
  );
});

describe('a directory with thousands of names', () => {
  it.each([
    ['ext2', 1024, ''],
    ['ext3', 1024, ''],
    ['ext2', 4096, 'tea'],
    ['ext2', 1024, 'legacy'],
    ['ext3', 1024, 'unsigned'],
    ['ext4', 1024, ''],
    ['ext4', 4096, 'tea'],
  ] as const)('on %s, %i bytes a block, hash %s', async (base, blockSize, hash) => {
    await withFolder((folder) => {
      const image = path.join(folder, 'image');
      makeImage(image, { base, blockSize, size: '64M', options: '-N 8000' });
      if (hash === 'unsigned') run('debugfs', ['-w', '-R', 'ssv flags 2', image]);
      else if (hash !== '') run('tune2fs', ['-E', `hash_alg=${hash}`, image]);
      const edits = new EditRun(fs.readFileSync(image), {
        seed: blockSize,
        policy: 'contiguous',
        largest: 3000,
        hasExtents: base === 'ext4',
      });
      edits.fillDirectory(3000);
      edits.churn(30, 1);
      edits.churn(12, 60);
      verify(edits, image, true);
      expect(edits.notes).toEqual([]);
      const volume = openVolume(new VolumeBytes(edits.image, 0, edits.image.size)).opened;
      const large = edits.root.entries.get('large')?.id ?? 0;
      expect(readInode(volume, large).toNode().attributes).toContain('indexed-directory');
      made += edits.done;
    });
  });
});

it('made as many operations as it should', () => {
  if (process.env.EDIT_OPERATIONS === undefined) expect(made).toBeGreaterThan(10_000);
});

/** By e2fsck, by the kernel, and by this project. */
function verify(edits: EditRun, image: string, canMount: boolean): void {
  const bytes = readBytes(edits.image, 0, edits.image.size);
  fs.writeFileSync(image, bytes);
  run('e2fsck', ['-fn', image]);
  const precise = Number(headOf(image).get('Inode size') ?? 128) > 128;
  const expected = expectedTree(edits.root, precise);
  expect(comparableTree(readTree(edits.open()))).toEqual(expected);
  if (canMount) {
    expect(mounted(image, 'ro', (root) => comparableTree(readHostTree(root)))).toEqual(expected);
  }
  expect(attributesOf(edits.open())).toEqual(expectedAttributes(edits.root));
  expect(edits.open().facts.label).toBe(edits.expectedLabel);
}
