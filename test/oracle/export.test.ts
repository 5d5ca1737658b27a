import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExportReport } from '../../src/session/answers';
import { ImageSession } from '../../src/session/image-session';
import { fillPlainly, fillWithExtents } from './support/ext-filling';
import { makeImage, mounted, run, withFolder } from './support/ext-tools';
import { readHostTree, type Seen, type Tree } from './support/ext-tree';

function exportRoot(image: string, target: string): ExportReport {
  const session = ImageSession.open(image);
  try {
    return session.volume().exportPath('/', target);
  } finally {
    session.close();
  }
}

/** What an export promises to keep of a node. */
function kept({ type, size, mode, modified, target, sha256 }: Seen) {
  const lasting = type === 'symlink' ? 0 : mode & 0o777;
  // Doubles carry the time through Node; a microsecond is what is left of a nanosecond.
  const time = Math.round(Number(modified) / 1e6);
  return {
    ...{ type, mode: lasting, target, sha256, time },
    ...(type === 'file' && { size }),
  };
}

const keptOf = (tree: Tree, without: (path: string, seen: Seen) => boolean) =>
  new Map(
    [...tree].filter(([at, seen]) => !without(at, seen)).map(([at, seen]) => [at, kept(seen)]),
  );

/** Names that are no text cannot be kept as they are: what is none shows as U+FFFD. */
const isText = (at: string) => !Buffer.from(at, 'latin1').toString().includes('\ufffd');

const isSpecial = ({ type }: Seen) => /dev$|fifo|socket/.test(type);

/** Bytes that the host has allocated, by path. */
function allocations(root: string, tree: Tree): ReadonlyMap<string, number> {
  const files = [...tree].filter(([, { type }]) => type === 'file');
  return new Map(
    files.map(([at]) => {
      const place = Buffer.concat([Buffer.from(root), Buffer.from(at, 'latin1')]);
      return [at, fs.lstatSync(place).blocks * 512];
    }),
  );
}

describe.each([
  ['ext2', 1024],
  ['ext4', 4096],
] as const)('an exported %s volume', (base, blockSize) => {
  it('has the tree that the kernel shows, and its holes', async () => {
    await withFolder(async (folder) => {
      const image = path.join(folder, 'image');
      const source = path.join(folder, 'source');
      fs.mkdirSync(source);
      await fillPlainly(source, 300);
      makeImage(image, { base, blockSize, size: '96M' }, source);
      mounted(image, 'rw', (root) =>
        fillWithExtents(root, { blockSize, unwritten: base === 'ext4' }),
      );
      const target = path.join(folder, 'target');
      fs.mkdirSync(target);
      const report = exportRoot(image, target);
      const exported = readHostTree(target);

      mounted(image, 'ro', (root) => {
        const original = readHostTree(root);
        const without = (at: string, seen: Seen) => isSpecial(seen) || !isText(at);
        expect(keptOf(exported, without)).toEqual(keptOf(original, without));
        // What has no name that can be kept is there all the same.
        const special = [...original.values()].filter(isSpecial);
        expect(exported.size).toBe(original.size - special.length);
        expect(report.notes.filter((note) => note.includes('is left out'))).toHaveLength(
          special.length,
        );
        expect(report.notes.filter((note) => note.includes('is written as'))).toHaveLength(1);

        const before = allocations(root, original);
        const after = allocations(target, exported);
        for (const [at, bytes] of after) {
          const most = Math.ceil((before.get(at) ?? Infinity) / 4096) * 4096;
          // Pages of the host are larger than blocks of 1 KiB, and inline data lies in no block.
          const parts = blockSize < 4096 ? 2 * most : most;
          expect.soft(bytes, at).toBeLessThanOrEqual(Math.max(parts, 4096));
        }
        expect(after.get('/holes')).toBeLessThan(100 * 1024);
        expect(after.get('/all hole')).toBe(0);
        if (base === 'ext4') expect(after.get('/unwritten')).toBe(0);
      });
      expect(run('e2fsck', ['-fn', image])).toContain('Pass 5');
    });
  });
});

describe('an export onto a full host', () => {
  it('ends with one sentence, and removes what it could not finish', async () => {
    await withFolder((folder) => {
      const image = path.join(folder, 'image');
      const source = path.join(folder, 'source');
      fs.mkdirSync(source);
      for (const name of ['a', 'b', 'c']) {
        fs.writeFileSync(path.join(source, name), Buffer.alloc(600 * 1024, name));
      }
      makeImage(image, { base: 'ext4', blockSize: 4096, size: '16M' }, source);
      const full = path.join(folder, 'full');
      fs.mkdirSync(full);
      run('mount', ['-t', 'tmpfs', '-o', 'size=1M', 'tmpfs', full]);
      try {
        const target = path.join(full, 'out');
        expect(() => exportRoot(image, target)).toThrow(
          /b needs 614400 bytes, and the host has room for \d+\. The copy is incomplete\.$/,
        );
        expect(fs.readdirSync(target).sort()).toEqual(['a', 'lost+found']);
      } finally {
        run('umount', [full]);
      }
    });
  });
});

describe('an image that would leave the target', () => {
  it('cannot: not by names, links, nor links that lead through links', async () => {
    await withFolder((folder) => {
      const image = path.join(folder, 'image');
      makeImage(image, { base: 'ext4', blockSize: 1024, size: '8M' });
      fs.writeFileSync(path.join(folder, 'content'), 'escaped');
      const commands = [
        'mkdir deep',
        'mkdir deep/er',
        'symlink deep/er/up ../..',
        'symlink through deep/er/up/../victim', // textually inside; followed, it is not
        'symlink absolute /etc/passwd',
        'symlink above ../victim',
        'symlink fine deep/er',
        `write ${folder}/content plain`,
      ];
      run('debugfs', ['-w', '-f', '-', image], `${commands.join('\n')}\n`);
      // debugfs takes no slash in a name; the record is found and changed by hand.
      const bytes = fs.readFileSync(image);
      const at = bytes.indexOf('plain');
      bytes.write('../x/', at);
      fs.writeFileSync(image, bytes);

      const target = path.join(folder, 'out/inner');
      fs.mkdirSync(path.join(folder, 'out'));
      const { notes } = exportRoot(image, target);
      expect(fs.readdirSync(path.join(folder, 'out'))).toEqual(['inner']);
      expect(fs.readdirSync(target).sort()).toEqual(['.._x_', 'deep', 'fine', 'lost+found']);
      expect(fs.readlinkSync(path.join(target, 'deep/er/up'))).toBe('../..');
      expect(notes.filter((note) => note.includes('leads out of the export'))).toHaveLength(3);
    });
  });
});
