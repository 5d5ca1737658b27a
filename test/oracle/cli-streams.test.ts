import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Cli } from '../cli/support/cli';
import { makeImage, run, withFolder } from './support/ext-tools';

const cli = new Cli();
const GiB = 2 ** 30;
const MiB = 2 ** 20;

/** The most memory a process has had, in bytes. */
function peakMemory(id: number | undefined): number {
  const status = fs.readFileSync(`/proc/${id}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

describe('cat', () => {
  it('streams a file of 4 GiB without holding it, however slowly it is read', async () => {
    await withFolder(async (folder) => {
      const source = path.join(folder, 'source');
      fs.mkdirSync(source);
      const file = fs.openSync(path.join(source, 'large'), 'w');
      fs.writeSync(file, 'start');
      fs.writeSync(file, 'end', 4 * GiB);
      fs.closeSync(file);
      const image = path.join(folder, 'image');
      makeImage(image, { base: 'ext4', blockSize: 4096, size: '64M' }, source);

      const child = await cli.start(['cat', image, '/large']);
      let length = 0;
      let start = '';
      let end = Buffer.alloc(0);
      let peak = 0;
      let isFirst = true;
      for await (const piece of child.stdout as AsyncIterable<Buffer>) {
        if (isFirst) {
          isFirst = false;
          start = piece.subarray(0, 5).toString();
          // While nobody reads, what is read ahead must stay small.
          await new Promise((done) => setTimeout(done, 500));
          peak = peakMemory(child.pid);
        }
        length += piece.length;
        if (length === 4 * GiB + 3) peak = Math.max(peak, peakMemory(child.pid));
        end = Buffer.concat([end, piece.subarray(-3)]).subarray(-3);
      }
      expect(length).toBe(4 * GiB + 3);
      expect([start, end.toString()]).toEqual(['start', 'end']);
      expect(peak).toBeGreaterThan(0);
      expect(peak).toBeLessThan(200 * MiB);
    });
  });
});

describe('ls', () => {
  it('prints a tree of 100,000 entries as one document, with little memory', async () => {
    await withFolder(async (folder) => {
      const source = path.join(folder, 'source');
      for (let i = 0; i < 100; i++) {
        const directory = path.join(source, `directory ${i}`);
        fs.mkdirSync(directory, { recursive: true });
        for (let j = 0; j < 999; j++) fs.writeFileSync(path.join(directory, `file ${j}`), '');
      }
      const image = path.join(folder, 'image');
      const format = { base: 'ext4', blockSize: 4096, size: '256M', options: '-N 110000' } as const;
      makeImage(image, format, source);
      const listing = await cli.run(['ls', image, '/', '-R', '--json'], {
        node: ['--max-old-space-size=64'],
      });
      expect(listing).toMatchObject({ code: 0, stderr: '' });
      const { entries } = JSON.parse(listing.stdout.toString()) as { entries: { path: string }[] };
      expect(entries).toHaveLength(100_001); // and lost+found
      expect(new Set(entries.map((entry) => entry.path)).size).toBe(100_001);
      expect(listing.seconds).toBeLessThan(30);
    });
  });
});

describe('any command', () => {
  it('leaves the image as it was', async () => {
    await withFolder(async (folder) => {
      const image = path.join(folder, 'image');
      makeImage(image, { base: 'ext4', blockSize: 1024, size: '16M' });
      run('debugfs', ['-w', '-R', 'ssv state 0', image]); // as if it had not been unmounted
      const hash = () => createHash('sha256').update(fs.readFileSync(image)).digest('hex');
      const before = hash();
      const { mtimeMs } = fs.statSync(image);
      for (const args of [['info'], ['ls', '/', '-R'], ['stat', '/'], ['free'], ['cat', '/x']]) {
        await cli.run([args[0], image, ...args.slice(1)]);
      }
      await cli.run(['get', image, '/', path.join(folder, 'out')]);
      expect(hash()).toBe(before);
      expect(fs.statSync(image).mtimeMs).toBe(mtimeMs);
    });
  });
});
