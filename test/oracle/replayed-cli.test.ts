import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Cli } from '../cli/support/cli';
import { makeImage, run, withFolder } from './support/ext-tools';

const cli = new Cli();
const blockSize = 1024;

/** An image whose journal rewrites the first block of `/a`, which was `old`, as `new`. */
function withPendingBlock(folder: string): { image: string; block: number } {
  const image = join(folder, 'image');
  const [before, after] = ['old', 'new'].map((word) => {
    const path = join(folder, word);
    writeFileSync(path, word.padEnd(blockSize, '.'));
    return path;
  });
  makeImage(image, { base: 'ext4', blockSize, size: '16M' });
  run('debugfs', ['-w', '-R', `write ${before} a`, image]);
  const block = Number(run('debugfs', ['-R', 'bmap a 0', image]));
  run('debugfs', ['-w', '-f', '-', image], `jo\njw -b ${block} ${after}\njc\n`);
  return { image, block };
}

describe('an image that needs recovery', () => {
  it('is read as it is, or as the replay of its journal leaves it', async () => {
    await withFolder(async (folder) => {
      const { image, block } = withPendingBlock(folder);
      const place = [String(block * blockSize), '3'];
      const hex = async (...options: string[]) =>
        (await cli.json<{ bytes: string }>('hex', image, ...place, ...options)).bytes;
      const bytes = (text: string) => Buffer.from(text).toString('hex');

      expect((await cli.text('cat', image, '/a')).slice(0, 3)).toBe('old');
      expect((await cli.text('cat', image, '/a', '--replayed')).slice(0, 3)).toBe('new');
      expect(await hex()).toBe(bytes('old'));
      expect(await hex('--replayed')).toBe(bytes('new'));

      const replayed = await cli.text('ls', image, '/', '-R', '--replayed', '--extents', '--json');
      const free = await cli.json('free', image, '--list', '--replayed');
      run('e2fsck', ['-fy', image], undefined, [0, 1]);
      expect(replayed).toBe(await cli.text('ls', image, '/', '-R', '--extents', '--json'));
      expect(free).toEqual(await cli.json('free', image, '--list'));
      expect((await cli.text('cat', image, '/a')).slice(0, 3)).toBe('new');
    });
  });

  it('is left as it is', async () => {
    await withFolder(async (folder) => {
      const { image } = withPendingBlock(folder);
      const sum = () => run('sha256sum', [image]);
      const before = sum();
      for (const verb of [
        ['ls', '/'],
        ['records', '/'],
        ['stat', '/a'],
        ['cat', '/a'],
      ]) {
        await cli.text(verb[0], image, verb[1], '--replayed');
      }
      await cli.text('owner', image, '50', '--replayed');
      expect(sum()).toBe(before);
    });
  });
});

describe('an image without a journal', () => {
  it('is the same either way', async () => {
    const image = cli.sample('fat32');
    expect(await cli.text('ls', image, '/', '-R', '--replayed')).toBe(
      await cli.text('ls', image, '/', '-R'),
    );
  });
});
