import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram, temporaryFolder } from '../bundle';
import { soundVolume } from '../ext/check/sound';
import { extentsFlag, HandMade } from '../ext/support/hand-made';
import { fillPlainly } from './support/ext-filling';
import { metadataOf, mutate, Seeded } from './support/ext-mutations';
import { makeImage, opened, type Format } from './support/ext-tools';

const longest = 10_000; // ms
const largest = 512; // MiB
/** 0 for an image without errors, 4 for one with, 1 for one that cannot be checked. */
const accepted = [0, 1, 4];
const folder = temporaryFolder();
let program: string;
let meter: string;

beforeAll(async () => {
  program = await bundleProgram('src/cli/main.ts', folder);
  meter = path.join(folder, 'meter.cjs');
  const peak = 'process.resourceUsage().maxRSS';
  fs.writeFileSync(
    meter,
    `process.on('exit', () => require('fs').writeSync(2, '\\npeak ' + ${peak} + '\\n'));`,
  );
});

/** Checks an image in a process of its own. @returns what that took at most, in MiB */
function peakOfCheck(image: string): number {
  const args = ['--require', meter, program, 'check', '--json', image];
  const done = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: longest,
    maxBuffer: 1 << 28,
    env: { ...process.env, XDG_STATE_HOME: folder },
  });
  expect(done.error).toBeUndefined();
  expect(accepted, done.stderr).toContain(done.status);
  const peak = /^peak (\d+)$/m.exec(done.stderr)?.[1];
  expect(peak, done.stderr).toBeDefined();
  return Number(peak) / 1024;
}

const format: Format = { base: 'ext4', blockSize: 1024, size: '24M', options: '-J size=2' };

async function filledImage(name: string): Promise<string> {
  const image = path.join(folder, name);
  const content = path.join(folder, `${name} content`);
  fs.mkdirSync(content);
  await fillPlainly(content, 300);
  makeImage(image, format, content);
  return image;
}

const blockSize = 1024;
const perNode = 84; // extents in a block of this size
const entrySize = 12;

/** A file of 28,224 extents, each of which leads to the same 7,000 blocks. */
function fileOverItself(): HandMade {
  const image = new HandMade({ blocks: 8192, superblock: { s_feature_incompat: 0x42 } });
  const file = 12;
  const [firstNode, content, length] = [20, 1000, 7000];
  const node = (at: number, depth: number, count: number, room: number) => {
    [0xf30a, count, room, depth].forEach((word, i) => image.view.setUint16(at + 2 * i, word, true));
  };
  let next = firstNode;
  let logical = 0;
  const fill = (at: number, depth: number, count: number, room: number) => {
    node(at, depth, count, room);
    for (let i = 1; i <= count; i++) {
      const entry = at + i * entrySize;
      image.view.setUint32(entry, logical, true);
      if (depth === 0) {
        image.view.setUint16(entry + 4, length, true);
        image.view.setUint32(entry + 8, content, true);
        logical += length;
      } else {
        image.view.setUint32(entry + 4, next, true);
        fill(next++ * blockSize, depth - 1, perNode, perNode);
      }
    }
  };
  image.setInode(file, { i_mode: 0o100644, i_links_count: 1, i_flags: extentsFlag });
  fill(image.inodeAt(file) + 40, 2, 4, 4);
  return image;
}

describe('a check stays within its bounds', () => {
  it('on images that end too early', async () => {
    const image = await filledImage('cut');
    const { size } = fs.statSync(image);
    for (const part of [0.9, 0.5, 0.2, 0.05, 0.01, 0.0001]) {
      fs.truncateSync(image, Math.floor(size * part));
      expect(peakOfCheck(image)).toBeLessThan(largest);
    }
  });

  it('on images in which everything is changed', async () => {
    const image = await filledImage('changed');
    const file = fs.openSync(image, 'r+');
    const read = (offset: number, length: number) => {
      const view = new DataView(new ArrayBuffer(length));
      fs.readSync(file, view, 0, length, offset);
      return view;
    };
    const ranges = opened(image, (fileSystem) => metadataOf(fileSystem, read));
    ranges.delete('superblock'); // a changed one is not followed, for its checksum is wrong
    const random = new Seeded(20);
    for (const changes of [100, 1000, 10_000]) {
      for (let i = 0; i < changes; i++) {
        const { offset, bytes } = mutate(random, ranges, read);
        fs.writeSync(file, bytes, 0, bytes.length, offset);
      }
      expect(peakOfCheck(image)).toBeLessThan(largest);
    }
    fs.closeSync(file);
  });

  it('on a file that lies over itself many thousand times', () => {
    const image = path.join(folder, 'over-itself');
    fs.writeFileSync(image, fileOverItself().bytes);
    expect(peakOfCheck(image)).toBeLessThan(largest);
  });

  it('on a volume that claims more inodes than fit in memory', () => {
    const image = path.join(folder, 'claims');
    const { bytes } = soundVolume();
    const superblock = new DataView(bytes.buffer, 1024);
    superblock.setUint32(0, 0xffffffe0, true);
    superblock.setUint32(4, 0xffffffff, true);
    fs.writeFileSync(image, bytes);
    expect(peakOfCheck(image)).toBeLessThan(largest);
  });

  it('on a large volume without content', () => {
    const image = path.join(folder, 'large');
    makeImage(image, { base: 'ext4', blockSize: 4096, size: '1T', options: '-E nodiscard' });
    expect(peakOfCheck(image)).toBeLessThan(largest);
  });
});
