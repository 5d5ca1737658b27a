/** The verbs that change images, against the tools of the formats and the kernel. */
import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TrimReport } from '../../src/session/operations';
import { Cli } from '../cli/support/cli';
import { mounted, run } from './support/ext-tools';

const cli = new Cli();
const env = { XDG_STATE_HOME: join(cli.folder, 'state') };
const content = randomBytes(300_001);
const tree = join(cli.folder, 'tree');
fs.mkdirSync(join(tree, 'inner/empty'), { recursive: true });
fs.writeFileSync(join(tree, 'inner/random.bin'), content);
fs.writeFileSync(join(tree, 'a long name of a file.text'), 'text\n');
fs.writeFileSync(join(tree, 'UPPER.TXT'), 'upper\n');

async function fsimg(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await cli.run(args, { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.toString();
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A session at the command line that every format takes; leaves two directories and a file. */
async function change(image: string): Promise<void> {
  await fsimg('mkdir', image, '/made/below', '-p');
  await fsimg('put', image, tree, '/made');
  await fsimg('put', image, join(tree, 'UPPER.TXT'), '/made/below/put.txt');
  await fsimg('preallocate', image, '/made/below/put.txt', '2M');
  await fsimg('truncate', image, '/made/below/put.txt', '5000');
  await fsimg('write', image, '/made/below/put.txt', '4000', join(tree, 'UPPER.TXT'));
  await fsimg('mv', image, '/made/tree/inner', '/made/below');
  await fsimg('mv', image, '/made/tree/UPPER.TXT', '/made/renamed to be longer.txt');
  await fsimg('rm', image, '-r', '/made/tree');
  await fsimg('label', image, 'CHANGED');
}

const put = Buffer.alloc(5000);
put.write('upper\n');
put.write('upper\n', 4000);

const files: Readonly<Record<string, Uint8Array>> = {
  'made/below/put.txt': put,
  'made/below/inner/random.bin': content,
  'made/renamed to be longer.txt': Buffer.from('upper\n'),
};

describe.each([12, 16, 32])('FAT%i', (bits) => {
  it('is what fsck.fat and mtools expect', async () => {
    const image = join(cli.folder, `fat${bits}.img`);
    const size = { 12: 4096, 16: 32768, 32: 65536 }[bits] ?? 0;
    run('mkfs.fat', [
      '-C',
      '-F',
      String(bits),
      ...(bits === 32 ? ['-s', '1'] : []),
      image,
      `${size}`,
    ]);
    await change(image);
    run('fsck.fat', ['-n', image]);
    for (const [path, bytes] of Object.entries(files)) {
      const out = join(cli.folder, `out${bits}`);
      fs.rmSync(out, { force: true });
      run('mcopy', ['-i', image, `::/${path}`, out]);
      expect({ [path]: sha256(fs.readFileSync(out)) }).toEqual({ [path]: sha256(bytes) });
    }
    expect(run('mlabel', ['-i', image, '-s', '::'])).toContain('CHANGED');
    expect(run('mdir', ['-i', image, '-b', '::/made/below/inner'])).toMatch(/empty/);
    await fsimg('rm', image, '-r', '/made');
    run('fsck.fat', ['-n', image]);
    expect(run('mdir', ['-i', image, '-b', '::/'])).not.toContain('made');
  });
});

describe.each([
  ['ext2', ['-b', '1024', '-O', 'dir_index,filetype,sparse_super,resize_inode']],
  ['ext2 of revision 0', ['-b', '1024', '-r', '0', '-O', 'none']],
  ['ext3', ['-b', '4096', '-O', 'has_journal,dir_index,filetype,sparse_super']],
])('%s', (name, options) => {
  it('is what e2fsck, debugfs and the kernel expect', async () => {
    const image = join(cli.folder, `${name.replaceAll(' ', '-')}.img`);
    run('mke2fs', ['-q', ...options, image, '32M']);
    await change(image);
    await fsimg('ln', image, '/made/below/put.txt', '/hard');
    await fsimg('ln', image, '-s', 'made/below', '/soft');
    await fsimg('attr', image, '/hard', '--mode', '640', '--owner', '1234', '--group', '5');
    run('e2fsck', ['-fn', image]);
    expect(run('debugfs', ['-R', 'stat /hard', image])).toMatch(
      /Mode: +0640[^]*User: +1234[^]*Links: 2/,
    );
    const seen = mounted(image, 'ro', (root) => ({
      soft: fs.readlinkSync(join(root, 'soft')),
      ...Object.fromEntries(
        Object.keys(files).map((path) => [path, sha256(fs.readFileSync(join(root, path)))]),
      ),
      inner: fs.readdirSync(join(root, 'made/below/inner')).sort(),
    }));
    expect(seen).toEqual({
      soft: 'made/below',
      ...Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, sha256(bytes)])),
      inner: ['empty', 'random.bin'],
    });
    await fsimg('rm', image, '-r', '/made', '/hard', '/soft');
    run('e2fsck', ['-fn', image]);
    expect(run('dumpe2fs', ['-h', image])).toMatch(/Filesystem volume name: +CHANGED/);
  });
});

const ext4Features = 'has_journal,extent,flex_bg,64bit,metadata_csum,filetype,dir_index';

describe('a trim of ext4 with files of which 8 blocks in every 16 are punched', () => {
  const image = join(cli.folder, 'trim.img');
  const fileBlocks = 2048;
  const names = ['testfile_0', 'testfile_1', 'testfile_2', 'testfile_3'];

  it('gives the host its room back, once', async () => {
    run('mke2fs', ['-q', '-b', '4096', '-O', ext4Features, image, '64M']);
    // The pattern of the kernel's discussion of batched discards, scaled down.
    const hashes = mounted(image, 'rw', (root) => {
      const paths = names.map((name) => join(root, name));
      for (const path of paths) fs.writeFileSync(path, Buffer.alloc(4096 * fileBlocks, 0x3f));
      run('sync', paths);
      // Punched when all are there: a file would be written into the holes of the one before it.
      for (const path of paths) {
        for (let block = 0; block < fileBlocks; block += 16) {
          run('fallocate', ['-p', '-o', `${4096 * block}`, '-l', '32768', path]);
        }
      }
      return names.map((name) => sha256(fs.readFileSync(join(root, name))));
    });
    const allocated = () => 512 * fs.statSync(image).blocks;
    const before = allocated();
    const plan = JSON.parse(await fsimg('trim', image, '--plan', '--json')) as TrimReport;
    expect(allocated()).toBe(before);
    const report = JSON.parse(await fsimg('trim', image, '--json')) as TrimReport;
    expect(report).toMatchObject({ extents: plan.extents, bytes: plan.bytes });
    expect(report.extents).toBeGreaterThanOrEqual((names.length * fileBlocks) / 16 - 8);
    expect(report.reclaimed).toBe(before - allocated());
    const punched = (4096 * names.length * fileBlocks) / 2;
    expect(report.reclaimed).toBeGreaterThan(0.9 * punched);
    // Not read: room that the host has set aside, but not written, looks like data once it is read.
    const { mtimeNs } = fs.statSync(image, { bigint: true });
    const second = JSON.parse(await fsimg('trim', image, '--json')) as TrimReport;
    expect(second).toMatchObject({ extents: 0, bytes: 0, reclaimed: 0 });
    expect(fs.statSync(image, { bigint: true }).mtimeNs).toBe(mtimeNs);
    run('e2fsck', ['-fn', image]);
    const after = mounted(image, 'ro', (root) =>
      names.map((name) => sha256(fs.readFileSync(join(root, name)))),
    );
    expect(after).toEqual(hashes);
  });
});
