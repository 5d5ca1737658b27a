import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileSystem } from '../../src/filesystem/filesystem';
import type { DirectoryRecord } from '../../src/filesystem/raw-directory';
import { makeImage, mounted, opened, run, withFolder, type Format } from './support/ext-tools';

interface Case extends Omit<Format, 'size'> {
  readonly name: string;
  readonly files: number;
}

const cases: readonly Case[] = [
  { name: 'linear', blockSize: 1024, base: 'ext2', features: '^dir_index', files: 400 },
  { name: 'without types', blockSize: 1024, base: 'none', options: '-r 0', files: 400 },
  { name: 'indexed, with checksums', blockSize: 1024, base: 'ext4', files: 3000 },
  {
    name: 'indexed, without checksums',
    blockSize: 4096,
    base: 'ext4',
    features: '^metadata_csum',
    files: 3000,
  },
  { name: 'indexed, with 50,000 entries', blockSize: 4096, base: 'ext4', files: 50_000 },
  { name: 'of 64 KiB', blockSize: 65536, base: 'ext4', files: 3000 },
  {
    name: 'of 64 KiB, without types',
    blockSize: 65536,
    base: 'none',
    options: '-r 0',
    files: 3000,
  },
];

describe.each(cases)('directory blocks of $blockSize bytes, $name', (test) => {
  it('hold the records that a plain decoder and debugfs find', async () => {
    await withFolder((folder) => {
      const image = path.join(folder, 'image');
      makeWithDirectory(folder, image, test);
      // Through debugfs, for the kernel wipes what it removes.
      const before = new Set(namesByDebugfs(image).live);
      const removed = Array.from({ length: 40 }, (_, i) => `/d/file-${i * 9}`);
      run('debugfs', ['-w', '-f', '-', image], removed.map((name) => `rm ${name}`).join('\n'));

      opened(image, (fileSystem) => {
        const directory = idOf(fileSystem, 'd');
        const raw = fileSystem.rawDirectory(directory);
        const records = raw.blocks.flatMap((_, i) => raw.records(i));
        expect(raw.problems).toEqual([]);
        expect(records.filter(({ problem }) => problem !== undefined)).toEqual([]);

        const decoded = decodeImage(image, test, blocksOf(image, test));
        expect(decoded.length).toBeGreaterThan(test.files - removed.length);
        expect(firstDifference(chainOf(records), decoded)).toBeUndefined();
        const { live, deleted } = namesByDebugfs(image);
        expect(firstDifference(namesIn(records, 'live'), live)).toBeUndefined();
        // Splitting a block of an index leaves parts of names behind, which debugfs reads as names.
        const whole = deleted.filter((name) => before.has(name));
        const found = namesIn(records, 'deleted');
        expect(found).toEqual(expect.arrayContaining(whole));
        expect(found.filter((name) => !before.has(name))).toEqual([]);
        expect(whole.length).toBeGreaterThan(20);
        expectDeletedEntries(fileSystem, directory, removed);
      });
    });
  });
});

it.each([1024, 4096])('the index of a directory is what debugfs dumps, %i', async (blockSize) => {
  await withFolder((folder) => {
    const image = path.join(folder, 'image');
    const test = { name: 'indexed', blockSize, base: 'ext4', files: 12_000 } as const;
    makeWithDirectory(folder, image, test);
    const dump = run('debugfs', ['-R', 'htree_dump /d', image]);
    const entries = [
      ...dump.matchAll(/^Entry #\d+: Hash 0x([0-9a-f]+)(?: \(\w+\))?, block (\d+)/gm),
    ];
    opened(image, (fileSystem) => {
      const { index } = fileSystem.rawDirectory(idOf(fileSystem, 'd'));
      const [root, ...others] = index;
      expect(root).toMatchObject({ level: 0, lowest: 0, highest: 0xffffffff, isLeaf: false });
      // The dump lists every entry of a node, and then each of them again before what it leads to.
      const dumped = new Map(entries.map(([, hash, block]) => [Number(block), parseInt(hash, 16)]));
      expect(dumped.size).toBe(others.length);
      for (const { logical, lowest } of others) {
        const hash = dumped.get(logical) ?? NaN;
        const isFirst = hash === 0;
        if (!isFirst) expect(lowest, `block ${logical}`).toBe((hash & ~1) >>> 0);
      }
      expect(others.some(({ level }) => level === 2)).toBe(blockSize === 1024);
      // The leaves cover all hashes without a gap.
      const leaves = others.filter(({ isLeaf }) => isLeaf);
      expect([leaves[0].lowest, leaves.at(-1)?.highest]).toEqual([0, 0xffffffff]);
      leaves.slice(1).forEach(({ lowest }, i) => {
        expect([lowest - 1, lowest]).toContain(leaves[i].highest);
      });
    });
  });
});

/** What is listed as deleted was removed, and is not the remains of a name that only moved. */
function expectDeletedEntries(
  fileSystem: FileSystem,
  directory: number,
  removed: readonly string[],
): void {
  const table = fileSystem.entries(directory, { deleted: true });
  const names = new Set(removed.map((name) => name.replace('/d/', '')));
  let count = 0;
  for (let i = 0; i < table.length; i++) {
    if (!table.isDeleted(i)) continue;
    expect(names).toContain(table.name(i));
    count += 1;
  }
  expect(count).toBeGreaterThan(20);
}

function makeWithDirectory(folder: string, image: string, test: Case): void {
  const format = {
    ...test,
    options: `${test.options ?? ''} -N ${Math.max(16_384, test.files + 100)}`.trim(),
    size: '64M',
  };
  const fill = (root: string) => {
    fs.mkdirSync(path.join(root, 'd'));
    for (let i = 0; i < test.files; i++) {
      fs.writeFileSync(path.join(root, 'd', `file-${i}`), '');
    }
  };
  if (test.blockSize <= 4096) {
    makeImage(image, format);
    mounted(image, 'rw', fill);
    return;
  }
  const source = path.join(folder, 'source');
  fs.mkdirSync(source);
  fill(source);
  makeImage(image, format, source);
}

function idOf(fileSystem: FileSystem, name: string): number {
  const table = fileSystem.entries(fileSystem.root);
  for (let i = 0; i < table.length; i++) if (table.name(i) === name) return table.nodes[i];
  throw new Error(`${name} is missing`);
}

/** Blocks of the directory on the volume, in their order, without those of its extent tree. */
function blocksOf(image: string, test: Case): number[] {
  if (test.base !== 'ext4') {
    return run('debugfs', ['-R', 'blocks /d', image]).trim().split(/\s+/).map(Number);
  }
  const leaves = run('debugfs', ['-R', 'dump_extents -l /d', image]);
  const runs = leaves.matchAll(/^ *\d+\/ *\d+ +\d+\/ *\d+ +\d+ - +\d+ +(\d+) - +(\d+)/gm);
  return [...runs].flatMap(([, first, last]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => Number(first) + i),
  );
}

/** The first place in which two long lists differ: a whole diff of them would not end. */
function firstDifference(found: readonly unknown[], wanted: readonly unknown[]): unknown {
  const length = Math.max(found.length, wanted.length);
  for (let i = 0; i < length; i++) {
    const [one, other] = [found[i], wanted[i]].map((item) => JSON.stringify(item));
    if (one !== other) return { place: i, found: one, wanted: other };
  }
  return undefined;
}

interface Plain {
  readonly offset: number;
  readonly inode: number;
  readonly recLen: number;
  readonly name: string;
}

/** A decoder of its own, after the text of the format: offsets, numbers, names. */
function decodeImage(image: string, test: Case, blocks: readonly number[]): Plain[] {
  const { blockSize } = test;
  const hasTypes = test.base !== 'none';
  const file = fs.openSync(image, 'r');
  const found: Plain[] = [];
  for (const block of blocks) {
    const bytes = Buffer.alloc(blockSize);
    fs.readSync(file, bytes, 0, blockSize, block * blockSize);
    for (let at = 0; at < blockSize;) {
      const stored = bytes.readUInt16LE(at + 4);
      let recLen = stored;
      if (blockSize === 65536) {
        recLen = stored === 65535 || stored === 0 ? 65536 : (stored & ~3) + (stored & 3) * 65536;
      }
      const nameLen = hasTypes ? bytes[at + 6] : bytes.readUInt16LE(at + 6);
      const name = bytes.toString('latin1', at + 8, at + 8 + nameLen);
      const offset = block * blockSize + at;
      found.push({ offset, inode: bytes.readUInt32LE(at), recLen, name });
      at += recLen;
    }
  }
  fs.closeSync(file);
  return found;
}

/** The records on the chain, without those in the slack of others. */
function chainOf(records: readonly DirectoryRecord[]): Plain[] {
  return records
    .filter(({ partOf }) => partOf === undefined)
    .map(({ offset, name, values }) => ({
      offset,
      inode: Number(values.inode),
      recLen: Number(values.recLen),
      name,
    }));
}

function namesIn(records: readonly DirectoryRecord[], state: string): string[] {
  return records
    .filter((record) => record.state === state && record.values.inode !== 0)
    .map(({ name, values }) => `${values.inode} ${name}`)
    .sort();
}

/** `ls -d` puts the inode of a removed record in angle brackets; those without one moved away. */
function namesByDebugfs(image: string): { live: string[]; deleted: string[] } {
  const live: string[] = [];
  const deleted: string[] = [];
  const listing = run('debugfs', ['-R', 'ls -d /d', image]);
  for (const [, bracket, inode, name] of listing.matchAll(/(<?)(\d+)>? +\(\d+\) (\S+)/g)) {
    if (inode !== '0') (bracket ? deleted : live).push(`${inode} ${name}`);
  }
  return { live: live.sort(), deleted: deleted.sort() };
}
