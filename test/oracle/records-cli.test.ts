import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Cli } from '../cli/support/cli';
import { makeImage, run, withFolder, type Format } from './support/ext-tools';

const cli = new Cli();

interface RecordJson {
  readonly inode: number;
  readonly recLen: number;
  readonly name: string;
  readonly state: string;
  readonly partOf?: number;
}
interface Records {
  readonly blocks: readonly { readonly records: readonly RecordJson[] }[];
}

const formats: readonly Format[] = [
  { base: 'ext2', blockSize: 1024, size: '16M' },
  { base: 'ext2', features: '^filetype', blockSize: 2048, size: '16M' },
  { base: 'ext4', blockSize: 4096, size: '32M' },
  { base: 'ext4', blockSize: 65_536, size: '128M' },
];

/** Fills a directory, indexes it where the format can, and deletes every third name. */
function fillDirectory(image: string, folder: string): void {
  const empty = join(folder, 'empty');
  writeFileSync(empty, '');
  const names = Array.from({ length: 300 }, (_, i) => `entry-${i}-${'x'.repeat(i % 40)}`);
  const script = ['mkdir d', ...names.map((name) => `write ${empty} d/${name}`)];
  run('debugfs', ['-w', '-f', '-', image], script.join('\n'));
  run('e2fsck', ['-fyD', image], undefined, [0, 1]);
  const deletions = names.filter((_, i) => i % 3 === 0).map((name) => `rm d/${name}`);
  run('debugfs', ['-w', '-f', '-', image], deletions.join('\n'));
}

/**
 * What debugfs lists, as `[inode, rec_len, name]`: deleted records that lie in slack stand in
 * brackets; those that begin a block have the inode number 0.
 */
function listed(image: string, path: string) {
  const text = run('debugfs', ['-R', `ls -d ${path}`, image]);
  const items = [...text.matchAll(/(<?)(\d+)>?\s+\((\d+)\) (\S+)/g)];
  const rows = items.map(([, bracket, inode, recLen, name]) => ({
    isDeleted: bracket !== '' || inode === '0',
    row: [Number(inode), Number(recLen), name] as const,
  }));
  return {
    live: rows.filter(({ isDeleted }) => !isDeleted).map(({ row }) => row),
    deleted: rows.filter(({ isDeleted }) => isDeleted).map(({ row }) => row),
  };
}

describe('records beside debugfs ls -d', () => {
  it.each(formats)('$base $features with $blockSize-byte blocks', async (format) => {
    await withFolder(async (folder) => {
      const image = join(folder, 'image');
      makeImage(image, format);
      fillDirectory(image, folder);
      const expected = listed(image, '/d');
      const { blocks } = await cli.json<Records>('records', image, '/d');
      const all = blocks.flatMap(({ records }) => records);
      const rows = (state: string) =>
        all
          .filter((record) => record.state === state)
          .map(({ inode, recLen, name }) => [inode, recLen, name]);
      expect(rows('live')).toEqual(expected.live);
      const deleted = new Set(rows('deleted').map((row) => row.join(' ')));
      expect(expected.deleted.length).toBeGreaterThan(80);
      expect(expected.deleted.filter((row) => !deleted.has(row.join(' ')))).toEqual([]);
    });
  });
});
