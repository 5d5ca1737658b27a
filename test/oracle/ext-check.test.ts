import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { CheckReport } from '../../src/filesystem/check';
import { corpus, corpusCases } from './support/corpus';
import { fillPlainly, fillWithExtents } from './support/ext-filling';
import { metadataOf, mutate, Seeded } from './support/ext-mutations';
import { makeImage, mounted, opened, run, withFolder, type Format } from './support/ext-tools';

const uninitialised = '^metadata_csum,uninit_bg';
const formats: readonly (Format & { readonly name: string })[] = [
  { name: 'revision 0', base: 'none', options: '-r 0', blockSize: 1024, size: '24M' },
  { name: 'ext2', base: 'ext2', blockSize: 1024, size: '24M' },
  { name: 'ext2 of 128 bytes', base: 'ext2', options: '-I 128', blockSize: 2048, size: '24M' },
  { name: 'ext3', base: 'ext3', options: '-J size=2', blockSize: 1024, size: '24M' },
  { name: 'ext4', base: 'ext4', options: '-J size=4', blockSize: 4096, size: '32M' },
  {
    name: 'ext4 without checksums',
    base: 'ext4',
    features: '^metadata_csum',
    options: '-J size=2',
    blockSize: 1024,
    size: '24M',
  },
  {
    name: 'ext4 with uninit_bg',
    base: 'ext4',
    features: uninitialised,
    options: '-J size=2',
    blockSize: 1024,
    size: '24M',
  },
  {
    name: 'inline data',
    base: 'ext4',
    features: 'inline_data,ea_inode',
    options: '-J size=2',
    blockSize: 1024,
    size: '24M',
  },
  {
    name: 'bigalloc',
    base: 'ext4',
    features: 'bigalloc',
    options: '-C 8192 -J size=2',
    blockSize: 1024,
    size: '24M',
  },
  {
    name: 'meta_bg',
    base: 'ext4',
    features: '^resize_inode,meta_bg',
    options: '-g 1024 -J size=2',
    blockSize: 1024,
    size: '24M',
  },
  {
    name: 'sparse_super2',
    base: 'ext4',
    features: '^resize_inode,^sparse_super,sparse_super2,orphan_file,metadata_csum_seed',
    options: '-J size=4',
    blockSize: 4096,
    size: '32M',
  },
];
const hasExtents = ({ base }: Format) => base === 'ext4';

describe('a check of volumes that the kernel has worked on', () => {
  it.each(formats)('finds no error: $name', async (format) => {
    await withFilled(format, (image) => {
      run('e2fsck', ['-fn', image]);
      const { findings, counts } = check(image);
      expect(findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
      expect(counts.error).toBe(0);
    });
  });
});

/** As many as the environment says; these are enough to see that nothing has broken. */
const mutations = Number(process.env.EXT_CHECK_MUTATIONS ?? 15);

describe('a check of a volume with one change in its metadata', () => {
  it.each(formats)(
    'agrees with e2fsck: $name',
    async (format) => {
      await withFilled(format, (image) => {
        const file = fs.openSync(image, 'r+');
        const read = (offset: number, length: number) => {
          const view = new DataView(new ArrayBuffer(length));
          fs.readSync(file, view, 0, length, offset);
          return view;
        };
        const ranges = opened(image, (fileSystem) => metadataOf(fileSystem, read));
        const random = new Seeded(format.name.length * 7919);
        const disagreements: string[] = [];
        for (let i = 0; i < mutations; i++) {
          const { kind, offset, bytes } = mutate(random, ranges, read);
          const before = read(offset, bytes.length);
          fs.writeSync(file, bytes, 0, bytes.length, offset);
          const ours = verdict(image);
          const theirs = verdictOfE2fsck(image);
          fs.writeSync(file, before, 0, bytes.length, offset);
          if (ours !== theirs) disagreements.push(`${kind} at ${offset}: ${ours}, not ${theirs}`);
        }
        fs.closeSync(file);
        // What is left are the exceptions that docs/checks.md explains.
        expect(disagreements.length, disagreements.join('\n')).toBeLessThanOrEqual(
          Math.ceil(mutations * 0.05),
        );
      });
    },
    600_000,
  );
});

/** In bytes; nine in ten are smaller, and the larger ones together take minutes to unpack. */
const largestCase = 64 * 2 ** 20;

it('agrees with e2fsck on images that others made', async () => {
  const cases = corpusCases(largestCase);
  const disagreements: string[] = [];
  let compared = 0;
  let named = 0;
  let found = 0;
  await withFolder((folder) => {
    for (const { name, image, check: expected } of cases) {
      if (!expected?.verdict || !image.startsWith('ext/')) continue;
      const file = path.join(folder, 'image');
      writeSparsely(file, contentOf(path.join(corpus, image)));
      compared += 1;
      const report = reportOf(file);
      const ours = report?.counts.error === 0 ? 'clean' : 'errors';
      const accepted = expected.verdict === 'unreadable' ? 'errors' : expected.verdict;
      if (ours !== accepted) disagreements.push(`${name}: ${ours}, not ${expected.verdict}`);
      const inodes = new Set(expected.problems.flatMap(({ ino }) => (ino ? [ino] : [])));
      const ourInodes = new Set(report?.findings.map(({ inode }) => inode));
      named += inodes.size;
      found += [...inodes].filter((inode) => ourInodes.has(inode)).length;
    }
  });
  const report = `${disagreements.length} of ${compared}, ${found} of ${named} inodes`;
  if (compared === 0) return; // the corpus does not stand beside the checkout
  expect(disagreements.length / compared, `${report}\n${disagreements.join('\n')}`).toBeLessThan(
    0.03,
  );
  expect(found / named, report).toBeGreaterThan(0.9);
}, 300_000);

function contentOf(file: string): Buffer {
  const content = fs.readFileSync(file);
  return file.endsWith('.br') ? brotliDecompressSync(content) : content;
}

/** Most of an image is zeros, which take no room. */
function writeSparsely(file: string, content: Buffer): void {
  const target = fs.openSync(file, 'w');
  const step = 65536;
  const zeros = Buffer.alloc(step);
  for (let at = 0; at < content.length; at += step) {
    const part = content.subarray(at, at + step);
    if (!part.equals(zeros.subarray(0, part.length)))
      fs.writeSync(target, part, 0, part.length, at);
  }
  fs.ftruncateSync(target, content.length);
  fs.closeSync(target);
}

/** Calls `use` with an image that was mounted, filled and emptied in part. */
async function withFilled(format: Format, use: (image: string) => void): Promise<void> {
  await withFolder(async (folder) => {
    const image = path.join(folder, 'image');
    const content = path.join(folder, 'content');
    fs.mkdirSync(content);
    await fillPlainly(content, 300);
    makeImage(image, format);
    mounted(image, 'rw', (root) => {
      run('cp', ['-a', `${content}/.`, root], undefined, [0, 1]); // not all names fit all formats
      fillWithExtents(root, { blockSize: format.blockSize, unwritten: hasExtents(format) });
      changeMuch(root);
    });
    if (format.base !== 'none') addAttributes(image);
    use(image);
  });
}

/** What a volume goes through: files that go, move, and get names, links and attributes. */
function changeMuch(root: string): void {
  const at = (...parts: string[]) => path.join(root, ...parts);
  fs.mkdirSync(at('busy', 'below'), { recursive: true });
  for (let i = 0; i < 200; i++) fs.writeFileSync(at('busy', `name ${i}`), 'x'.repeat(i * 20));
  for (let i = 0; i < 200; i += 3) fs.rmSync(at('busy', `name ${i}`));
  for (let i = 1; i < 200; i += 3)
    fs.renameSync(at('busy', `name ${i}`), at('busy', 'below', `moved ${i}`));
  for (let i = 2; i < 60; i += 3)
    fs.linkSync(at('busy', `name ${i}`), at('busy', 'below', `link ${i}`));
  for (let i = 0; i < 30; i++) fs.mkdirSync(at('busy', `directory ${i}`));
  for (let i = 0; i < 30; i += 2) fs.rmdirSync(at('busy', `directory ${i}`));
  fs.renameSync(at('busy', 'below'), at('elsewhere'));
}

/** Through debugfs, for not every host has a tool for attributes: in the inode, and in a block. */
function addAttributes(image: string): void {
  const commands = [5, 300, 700].map(
    (length) => `ea_set "/busy/name ${length % 200}" user.note ${'v'.repeat(length)}`,
  );
  run('debugfs', ['-w', '-f', '-', image], commands.join('\n'));
}

function check(image: string): CheckReport {
  return opened(image, (fileSystem) => fileSystem.check());
}

function verdict(image: string): 'clean' | 'errors' {
  return reportOf(image)?.counts.error === 0 ? 'clean' : 'errors';
}

/** Null where the image cannot be read. */
function reportOf(image: string): CheckReport | null {
  try {
    return check(image);
  } catch (error) {
    if (error instanceof Error && error.name === 'ImageError') return null;
    throw error;
  }
}

function verdictOfE2fsck(image: string): 'clean' | 'errors' {
  const environment = { ...process.env, LC_ALL: 'C', PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
  const done = spawnSync('e2fsck', ['-fn', image], { env: environment, timeout: 5000 });
  if (done.error && done.signal === null) throw done.error;
  return done.status === 0 ? 'clean' : 'errors';
}
