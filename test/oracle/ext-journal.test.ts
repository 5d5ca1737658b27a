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
      // There are orphans in the other one, which e2fsck removes at once.
      if (name !== 'f_journal') expectSameContent(ours, fs.readFileSync(image));
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
