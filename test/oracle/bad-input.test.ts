import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ImageError } from '../../src/image/errors';
import { MemoryBytes } from '../../src/image/memory-bytes';
import { ImageSession } from '../../src/session/image-session';
import { Cli, expectRefusal, type Run } from '../cli/support/cli';
import { makeImage, run, withFolder } from './support/ext-tools';
import { corpus, corpusCases, type CorpusCase } from './support/corpus';

const cli = new Cli();
const patience = 10; // seconds that any command may take on any image

const commands = [['info'], ['ls', '/', '-R'], ['free']];

/**
 * What the commands do, without a process for each: opens every volume, lists everything, counts
 * free space, and describes every node. Anything but an `ImageError` is a defect.
 */
function lookAtAll(bytes: Uint8Array): { volumes: number; entries: number } {
  const session = new ImageSession(new MemoryBytes(bytes));
  const summary = session.summary();
  let volumes = 0;
  let entries = 0;
  for (const { index, unreadable } of summary.volumes) {
    if (unreadable !== null) {
      expect(unreadable).toMatch(/^[A-Z].*\.$/);
      continue;
    }
    volumes += 1;
    const volume = session.volume(index);
    orRefused(() => volume.freeSpace());
    orRefused(() => {
      for (const entry of volume.entriesAt('/', () => undefined, { deleted: true })) {
        entries += 1;
        if (!entry.deleted) orRefused(() => volume.details(entry.node, 100));
      }
    });
  }
  return { volumes, entries };
}

function orRefused(look: () => unknown): void {
  try {
    look();
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    expect(error.message).toMatch(/^[^\n]+$/);
  }
}

/** A run that told something or refused in one line, in time. */
function expectManners(ran: Run): void {
  expect(ran.seconds).toBeLessThan(patience);
  if (ran.code === 0) expect(ran.stderr).not.toMatch(/ {4}at |node:internal|internal error/);
  else expectRefusal(ran, 8, /^fsimg: [A-Z/]/);
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe.each<[string, (image: string) => void]>([
  [
    'a FAT12 floppy',
    (image) => {
      run('mkfs.fat', ['-C', '-F', '12', '-r', '64', image, '160']);
      fs.writeFileSync(`${image}.file`, 'content '.repeat(1000));
      const mtools = (tool: string, ...args: string[]) => run(tool, ['-i', image, ...args]);
      mtools('mmd', '::/folder', '::/folder/deeper');
      for (const at of ['::/short.txt', '::/folder/A long name, longer than that.txt']) {
        mtools('mcopy', `${image}.file`, at);
      }
      mtools('mcopy', `${image}.file`, '::/folder/deeper/gone.txt');
      mtools('mdel', '::/folder/deeper/gone.txt');
    },
  ],
  [
    'an ext2 floppy',
    (image) => {
      const source = `${image}.source`;
      fs.mkdirSync(path.join(source, 'folder/deeper'), { recursive: true });
      fs.writeFileSync(path.join(source, 'file'), 'content '.repeat(4000));
      fs.writeFileSync(path.join(source, 'folder/deeper/file'), 'content');
      fs.symlinkSync('folder/deeper/file', path.join(source, 'link'));
      makeImage(image, { base: 'ext2', blockSize: 1024, size: '256K' }, source);
    },
  ],
])('every prefix of %s', (_name, make) => {
  let bytes: Buffer;
  beforeAll(() =>
    withFolder((folder) => {
      const image = path.join(folder, 'floppy.img');
      make(image);
      bytes = fs.readFileSync(image);
    }),
  );

  it('opens in part or says in one line why not', () => {
    const whole = lookAtAll(bytes);
    expect(whole.volumes).toBe(1);
    expect(whole.entries).toBeGreaterThan(4);
    let opened = 0;
    for (let length = 0; length < bytes.length; length += 512) {
      opened += lookAtAll(bytes.subarray(0, length)).volumes;
    }
    expect(opened).toBeGreaterThan(bytes.length / 512 / 2);
  });

  it('does so on the command line', async () => {
    const before = hashOf(bytes);
    for (const part of [0.001, 0.01, 0.03, 0.1, 0.5, 0.99]) {
      const length = Math.floor((part * bytes.length) / 512) * 512;
      const image = cli.image('prefix.img', bytes.subarray(0, length));
      for (const [verb, ...args] of commands) {
        expectManners(await cli.run([verb, image, ...args]));
      }
    }
    expect(hashOf(bytes)).toBe(before);
  });

  it('so does the whole with any sector of its metadata in disorder', () => {
    let state = 1;
    for (let sector = 0; sector < Math.min(64, bytes.length / 512); sector++) {
      const damaged = Buffer.from(bytes);
      for (let at = sector * 512; at < sector * 512 + 512; at++) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        damaged[at] = state >>> 24;
      }
      lookAtAll(damaged);
    }
  });
});

/** Unpacking larger ones would take longer than all the rest; conformance looks at those too. */
const largest = 128 * 2 ** 20;
const images = corpusCases(largest);

describe.skipIf(images.length === 0)('images that others found worth keeping', () => {
  let folder: string;
  beforeAll(() => {
    folder = fs.mkdtempSync('/tmp/corpus-');
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  const read = ({ image }: CorpusCase) => {
    const packed = fs.readFileSync(path.join(corpus, image));
    return image.endsWith('.br') ? brotliDecompressSync(packed) : packed;
  };

  it.each(images)('$name', (image) => {
    const bytes = read(image);
    const started = performance.now();
    lookAtAll(bytes);
    expect((performance.now() - started) / 1000).toBeLessThan(patience);
  });

  it.each(images.filter((_, i) => i % 16 === 0))('$name on the command line', async (image) => {
    const bytes = read(image);
    const file = path.join(folder, 'image');
    fs.writeFileSync(file, bytes);
    const { mtimeMs } = fs.statSync(file);
    for (const [verb, ...args] of commands) expectManners(await cli.run([verb, file, ...args]));
    expect(hashOf(fs.readFileSync(file))).toBe(hashOf(bytes));
    expect(fs.statSync(file).mtimeMs).toBe(mtimeMs);
    fs.rmSync(file);
  });
});
