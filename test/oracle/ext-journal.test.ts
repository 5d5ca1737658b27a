import * as fs from 'node:fs';
import * as path from 'node:path';
import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openExt } from '../../src/ext/ext-filesystem';
import type { FileSystem } from '../../src/filesystem/filesystem';
import { readBytes } from '../../src/image/bytes';
import { makeImage, mounted, opened, run, withFolder, type Format } from './support/ext-tools';
import { readHostTree, readTree, type Tree } from './support/ext-tree';

interface Case extends Omit<Format, 'size'> {
  readonly name: string;
  readonly mountOptions: string;
}

const cases: readonly Case[] = [
  { name: 'without checksums', blockSize: 1024, base: 'ext3', mountOptions: 'data=journal' },
  {
    name: 'with checksums of transactions',
    blockSize: 4096,
    base: 'ext3',
    mountOptions: 'data=journal,journal_checksum',
  },
  { name: 'with checksums v3', blockSize: 1024, base: 'ext4', mountOptions: 'data=journal' },
  {
    name: 'with checksums v3 and 32 bits',
    blockSize: 4096,
    base: 'ext4',
    features: '^64bit',
    mountOptions: 'data=ordered',
  },
  {
    name: 'with asynchronous commits',
    blockSize: 2048,
    base: 'ext4',
    features: '^metadata_csum',
    mountOptions: 'data=writeback,journal_async_commit,journal_checksum',
  },
];

describe.each(cases)('a journal $name, $blockSize bytes a block', (test) => {
  it('is replayed as the kernel does it, and nothing is written', async () => {
    await withFolder((folder) => {
      const image = path.join(folder, 'crashed');
      makeCrashed(folder, image, test);
      const before = fs.readFileSync(image);

      const replayed = opened(image, (fileSystem) => {
        expect(fileSystem.facts.state).toContain('needs recovery');
        const summary = fileSystem.journal?.summary();
        expect(summary?.needsRecovery).toBe(true);
        expect(summary?.problems).toEqual([]);
        expect(summary?.transactions.filter(({ committed }) => committed).length).toBeGreaterThan(
          1,
        );
        expectTransactions(image, summary?.transactions ?? []);
        const after = replay(fileSystem);
        expect(after.facts.state).toBe('clean');
        expect(after.facts.notes).toEqual([]);
        return readTree(after);
      });
      expect(fs.readFileSync(image).equals(before)).toBe(true);

      const kernel = mounted(image, 'rw', readHostTree);
      expect(Object.fromEntries(replayed)).toEqual(Object.fromEntries(kernel));
      expect(kernel.size).toBeGreaterThan(50);
    });
  });
});

describe.each([
  { name: 'of 1 KiB blocks', blockSize: 1024, base: 'ext4', features: 'fast_commit' },
  { name: 'without 64bit', blockSize: 4096, base: 'ext4', features: '^64bit,fast_commit' },
  {
    name: 'without checksums',
    blockSize: 1024,
    base: 'ext4',
    features: '^metadata_csum,fast_commit',
    options: '-g 2048',
  },
  {
    name: 'with clusters',
    blockSize: 1024,
    base: 'ext4',
    features: 'bigalloc,fast_commit',
    options: '-C 8192',
  },
] as const)('fast commits, $name', (test) => {
  it('are replayed as the kernel does it', async () => {
    await withFolder((folder) => {
      const image = path.join(folder, 'crashed');
      makeCrashedAfterFastCommits(folder, image, test);
      const replayed = opened(image, (fileSystem) => {
        const codes = fileSystem.journal?.summary().problems.map(({ code }) => code);
        expect(codes).toEqual(['journal-fast-commits']);
        const after = replay(fileSystem);
        expectNoGaps(after);
        return readTree(after);
      });
      const kernel = mounted(image, 'rw', readHostTree);
      expect(withoutTraces(replayed)).toEqual(withoutTraces(kernel));
    });
  });
});

/** Without what the kernel's own replay leaves: new times, and directories that it enlarges. */
function withoutTraces(tree: Tree): object {
  return Object.fromEntries(
    [...tree].map(([name, seen]) => {
      const { type, id, mode, links } = seen;
      if (type === 'directory') return [name, { type, id, mode, links }];
      return [name, { ...seen, accessed: null }];
    }),
  );
}

/** Changes of every kind that a fast commit can hold, each made lasting by an fsync. */
function makeCrashedAfterFastCommits(
  folder: string,
  image: string,
  format: Omit<Format, 'size'>,
): void {
  const whole = path.join(folder, 'whole');
  makeImage(whole, { ...format, options: `-N 4096 ${format.options ?? ''}`.trim(), size: '48M' });
  const root = path.join(folder, 'root');
  fs.mkdirSync(root);
  run('mount', ['-t', 'ext4', '-o', 'loop,commit=900', whole, root]);
  const at = (name: string) => path.join(root, name);
  try {
    fs.mkdirSync(at('folder'));
    for (let i = 0; i < 400; i++) fs.writeFileSync(at(`folder/file ${i}`), `${i}`);
    fs.writeFileSync(at('grows'), Buffer.alloc(10_000, 1));
    fs.writeFileSync(at('shrinks'), Buffer.alloc(300_000, 2));
    fs.writeFileSync(at('gets a hole'), Buffer.alloc(300_000, 3));
    run('sync', ['-f', root]);

    fs.writeFileSync(at('new'), 'a new file');
    lasting(at('new'));
    for (let i = 0; i < 12; i++) writeAt(at('grows'), i * 40_000, Buffer.alloc(5000, i));
    lasting(at('grows'));
    fs.truncateSync(at('shrinks'), 1000);
    lasting(at('shrinks'));
    fs.renameSync(at('folder/file 7'), at('folder/renamed'));
    fs.linkSync(at('folder/file 8'), at('folder/linked'));
    fs.rmSync(at('folder/file 9'));
    for (let i = 0; i < 60; i++) fs.writeFileSync(at(`folder/late ${i} ${'x'.repeat(50)}`), `${i}`);
    lasting(at('folder/renamed'));
    fs.copyFileSync(whole, image);
  } finally {
    run('umount', [root]);
  }
}

function lasting(file: string): void {
  const descriptor = fs.openSync(file, 'r+');
  fs.fsyncSync(descriptor);
  fs.closeSync(descriptor);
}

function writeAt(file: string, offset: number, content: Buffer): void {
  const descriptor = fs.openSync(file, 'r+');
  fs.writeSync(descriptor, content, 0, content.length, offset);
  fs.closeSync(descriptor);
}

/** Nothing is in use without an owner, or owned and free. */
function expectNoGaps(fileSystem: FileSystem): void {
  const owners = fileSystem.ownership();
  const free = fileSystem.freeSpace();
  const runs = [
    ...Array.from(owners.starts, (start, row) => [start, owners.lengths[row]]),
    ...Array.from(free.starts, (start, row) => [start, free.lengths[row]]),
  ].sort(([a], [b]) => a - b);
  let next = fileSystem.unit.first;
  const wrong: number[][] = [];
  for (const [start, length] of runs) {
    if (start !== next) wrong.push([next, start]);
    next = start + length;
  }
  expect(wrong).toEqual([]);
}

function replay(fileSystem: FileSystem): FileSystem {
  if (!fileSystem.journal) throw new Error('the volume has no journal');
  return openExt(fileSystem.journal.replayed());
}

/** Copies an image while it is mounted: to the copy it is as if the host had died. */
function makeCrashed(folder: string, image: string, test: Case): void {
  const whole = path.join(folder, 'whole');
  makeImage(whole, { ...test, options: '-N 4096', size: '48M' });
  const root = path.join(folder, 'root');
  fs.mkdirSync(root);
  run('mount', ['-t', 'ext4', '-o', `loop,${test.mountOptions}`, whole, root]);
  try {
    for (let round = 0; round < 4; round++) {
      const at = (name: string) => path.join(root, `${round} ${name}`);
      fs.mkdirSync(at('folder'));
      for (let i = 0; i < 30; i++) {
        // A file that looks like a block of the journal itself has to be escaped there.
        const magic = Buffer.from('c03b399800000001', 'hex');
        fs.writeFileSync(at(`folder/${i}`), Buffer.concat([magic, Buffer.alloc(3000, i)]));
      }
      // Removing directories revokes what earlier transactions wrote of them.
      if (round > 1) fs.rmSync(path.join(root, `${round - 2} folder`), { recursive: true });
      run('sync', ['-f', root]);
    }
    fs.copyFileSync(whole, image);
  } finally {
    run('umount', [root]);
  }
}

/** Against what debugfs finds in the log. */
function expectTransactions(
  image: string,
  transactions: readonly { sequence: number; committed: boolean; blocks: readonly number[] }[],
): void {
  const dump = run('debugfs', ['-R', 'logdump -a', image]);
  const commits = [...dump.matchAll(/^Found expected sequence (\d+), type 2 \(commit block\)/gm)];
  const committed = transactions.filter((transaction) => transaction.committed);
  expect(committed.map(({ sequence }) => sequence)).toEqual(commits.map(([, n]) => Number(n)));
  const logged = [...dump.matchAll(/^ {2}FS block (\d+) logged at/gm)].map(([, n]) => Number(n));
  expect(transactions.flatMap(({ blocks }) => blocks)).toEqual(logged);
}

const corpus = path.join(import.meta.dirname, '../../../shared/corpus');

interface KnownImage {
  readonly name: string;
  readonly image: string;
  readonly superblock?: { readonly incompat?: string };
}

describe.skipIf(!fs.existsSync(corpus))('the journals of the corpus', () => {
  const lines = fs.existsSync(corpus)
    ? fs.readFileSync(path.join(corpus, 'ext.jsonl'), 'utf8').split('\n').filter(Boolean)
    : [];
  const known = lines
    .map((line) => JSON.parse(line) as KnownImage)
    .filter(({ superblock }) => superblock?.incompat?.includes('needs_recovery'));

  function unpack(folder: string, packed: string): string {
    const image = path.join(folder, 'image');
    const bytes = zlib.brotliDecompressSync(fs.readFileSync(path.join(corpus, packed)));
    fs.writeFileSync(image, bytes);
    return image;
  }

  it.each(known)('$name is replayed as e2fsck does it', async ({ name, image: packed }) => {
    await withFolder((folder) => {
      const image = unpack(folder, packed);
      const ours = opened(image, (fileSystem) => {
        const { journal } = fileSystem;
        if (!journal) throw new Error('the volume has no journal');
        if (name === 'j_corrupt_sb_magic') {
          expect(() => journal.replayed()).toThrow('no journal in inode 8');
          return null;
        }
        const replayed = journal.replayed();
        const [branch] = fileSystem.structureBranches().filter(({ key }) => key === 'journal');
        const content = readBytes(replayed, 0, replayed.size);
        return { tree: readableTree(openExt(replayed)), content, journal: branch?.offset ?? 0 };
      });
      if (!ours) return;
      run('e2fsck', ['-y', '-E', 'journal_only', image], undefined, [0, 1, 4, 8, 12]);
      expect(ours.tree).toEqual(opened(image, readableTree));
      // e2fsck removes orphans at once, and takes other blocks for trees.
      if (['f_journal', 'j_recover_fast_commit'].includes(name)) return;
      expectSameContent(ours, fs.readFileSync(image));
    });
  });
});

/** The journal that a user can see is hidden by e2fsck; that is no part of the replay. */
function readableTree(fileSystem: FileSystem): Tree {
  return new Map([...readTree(fileSystem)].filter(([name]) => name !== '/journal'));
}

/** Every byte but those of both superblocks, in which e2fsck also counts and dates. */
function expectSameContent(ours: { content: Uint8Array; journal: number }, theirs: Buffer): void {
  const content = Buffer.from(ours.content);
  for (const start of [1024, ours.journal]) {
    content.fill(0, start, start + 1024);
    theirs.fill(0, start, start + 1024);
  }
  for (let at = 0; at < theirs.length; at += 1024) {
    if (content.compare(theirs, at, at + 1024, at, at + 1024) !== 0) {
      throw new Error(`KiB ${at / 1024} is not the same`);
    }
  }
}
