import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UnitGeometry } from '../../src/filesystem/filesystem';
import type { FreeSpace } from '../../src/filesystem/free-space';
import type { Ownership } from '../../src/filesystem/ownership';
import { fillPlainly, fillWithExtents } from './support/ext-filling';
import { makeImage, opened, run, withFolder, type Format } from './support/ext-tools';

interface Case extends Omit<Format, 'size'> {
  readonly name: string;
  readonly clusterBlocks?: number;
}

const cases: readonly Case[] = [
  { name: 'revision 0', blockSize: 1024, base: 'none', options: '-r 0 -g 2048' },
  { name: 'ext3', blockSize: 1024, base: 'ext3', options: '-g 2048' },
  { name: 'ext4', blockSize: 1024, base: 'ext4', options: '-g 2048' },
  { name: 'ext4', blockSize: 4096, base: 'ext4', features: 'mmp' },
  {
    name: 'meta groups',
    blockSize: 1024,
    base: 'ext4',
    features: '^resize_inode,^flex_bg,meta_bg',
    options: '-g 1024',
  },
  {
    name: 'clusters',
    blockSize: 1024,
    base: 'ext4',
    features: 'bigalloc,inline_data',
    options: '-C 8192',
    clusterBlocks: 8,
  },
];

describe.each(cases)('the owners of blocks: $name, $blockSize bytes a block', (test) => {
  it('are those that debugfs and dumpe2fs name, one for each block in use', async () => {
    await withFolder(async (folder) => {
      const image = path.join(folder, 'image');
      makeImage(image, { ...test, options: `-N 4096 ${test.options ?? ''}`.trim(), size: '64M' });
      await fill(image, test);
      opened(image, (fileSystem) => {
        const owners = fileSystem.ownership();
        expectNoGaps(fileSystem.unit, owners, fileSystem.freeSpace());
        expectInodes(image, owners, test.clusterBlocks ?? 1);
        expectMetadata(image, owners);
        expectMetadata(image, fileSystem.metadata());
      });
    });
  });
});

async function fill(image: string, test: Case): Promise<void> {
  const root = `${image}.mounted`;
  fs.mkdirSync(root);
  run('mount', ['-t', 'ext4', '-o', 'loop', image, root]);
  try {
    await fillPlainly(root, 300);
    fillWithExtents(root, { blockSize: test.blockSize, unwritten: test.base === 'ext4' });
  } finally {
    run('umount', [root]);
  }
}

/** Every unit is either free or owned, and none is both. */
function expectNoGaps(unit: UnitGeometry, owners: Ownership, free: FreeSpace): void {
  const runs = [
    ...Array.from(owners.starts, (start, row) => [start, owners.lengths[row]]),
    ...Array.from(free.starts, (start, row) => [start, free.lengths[row]]),
  ].sort(([a], [b]) => a - b);
  let next = unit.first;
  for (const [start, length] of runs) {
    expect(start).toBe(next);
    next = start + length;
  }
  expect(next).toBe(unit.first + unit.count);
}

/** Which inode has the first block of each run; of a cluster it may use only another one. */
function expectInodes(image: string, owners: Ownership, clusterBlocks: number): void {
  const rows = Array.from(owners.nodes, (node, row) => (node < 0 ? -1 : row)).filter((r) => r >= 0);
  const blocks = rows.flatMap((row) => {
    const count = Math.min(clusterBlocks, owners.lengths[row]);
    return Array.from({ length: count }, (_, i) => owners.starts[row] + i);
  });
  const report = run('debugfs', ['-R', `icheck ${blocks.join(' ')}`, image]);
  const found = [...report.matchAll(/^(\d+)\t(\d+)$/gm)];
  for (const [, block, inode] of found) {
    expect(owners.at(Number(block))?.node, `block ${block}`).toBe(Number(inode));
  }
  expect(found.length).toBeGreaterThanOrEqual(rows.length);
  expect(rows.length).toBeGreaterThan(50);
}

function expectMetadata(image: string, owners: Ownership): void {
  const report = run('dumpe2fs', [image]);
  let group = -1;
  let looked = 0;
  const expectOwner = (block: number, structure: string) => {
    expect(owners.at(block)?.structure, `block ${block}`).toBe(structure);
    looked += 1;
  };
  for (const line of report.split('\n')) {
    group = Number(/^Group (\d+):/.exec(line)?.[1] ?? group);
    const copy = group === 0 ? '' : `, copy in group ${group}`;
    const patterns: readonly [RegExp, string][] = [
      [/superblock at (\d+)/, `superblock${copy}`],
      [/Group descriptors? at (\d+)(?:-(\d+))?/, `group descriptors${copy}`],
      [/Reserved GDT blocks at (\d+)-(\d+)/, `room for more group descriptors${copy}`],
      [/Block bitmap at (\d+)/, `block bitmap of group ${group}`],
      [/Inode bitmap at (\d+)/, `inode bitmap of group ${group}`],
      [/Inode table at (\d+)-(\d+)/, `inode table of group ${group}`],
    ];
    for (const [pattern, structure] of patterns) {
      const [, first, last = first] = pattern.exec(line) ?? [];
      if (first === undefined) continue;
      expectOwner(Number(first), structure);
      expectOwner(Number(last), structure);
    }
    const protection = /^MMP block number: +(\d+)/.exec(line)?.[1];
    if (protection) expectOwner(Number(protection), 'multi-mount protection');
  }
  expect(looked).toBeGreaterThan(10);
}
