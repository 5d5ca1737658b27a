import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EntryJson } from '../../src/cli/entry-json';
import type { ImageSummary } from '../../src/session/answers';
import { Cli, expectRefusal } from './support/cli';

const cli = new Cli();
const images: Record<string, string> = {};
beforeAll(() => {
  for (const name of ['fat32', 'ext2', 'ext4', 'card']) images[name] = cli.sample(name);
});

interface Listing {
  readonly entries: readonly EntryJson[];
}
const byPath = ({ entries }: Listing) => new Map(entries.map((entry) => [entry.path, entry]));

describe('info', () => {
  it.each([
    ['fat32', 512, 'SAMPLE-FAT'],
    ['ext2', 1024, 'SAMPLE-EXT2'],
    ['ext4', 4096, 'SAMPLE-EXT4'],
  ])('prints one document about %s', async (type, blockSize, label) => {
    const document = await cli.json<ImageSummary>('info', images[type]);
    const { size } = statSync(images[type]);
    expect(document).toMatchObject({ scheme: 'none', image: { size } });
    expect(document.image.allocated).toBeGreaterThan(0);
    expect(document.volumes).toHaveLength(1);
    const [volume] = document.volumes;
    expect(volume).toMatchObject({ index: 0, offset: 0, length: size, type, blockSize, label });
    expect(volume).toMatchObject({ state: 'clean', notes: [] });
    expect(volume).toHaveProperty('freeBlocksCounted', volume.freeBlocks);
    for (const key of ['uuid', 'blocks', 'inodes', 'freeInodes', 'features']) {
      expect(volume).toHaveProperty(key);
    }
  });

  it('prints the volumes of a partitioned image, or the one that is chosen', async () => {
    const all = await cli.json<ImageSummary>('info', images.card);
    expect(all.scheme).toBe('mbr');
    expect(all.volumes.map(({ index, type }) => [index, type])).toEqual([
      [0, 'fat16'],
      [1, 'ext4'],
    ]);
    const one = await cli.json<ImageSummary>('info', images.card, '--partition', '1');
    expect(one.volumes).toEqual([all.volumes[1]]);
  });

  it('prints the same for people', async () => {
    const text = await cli.text('info', images.card);
    expect(text).toContain('MBR');
    expect(text).toMatch(/^volume 0: fat16 "BOOT", 12 MiB at byte 1048576$/m);
    expect(text).toMatch(/^ {2}partition 1 of type [0-9a-f]{2}$/m);
    expect(text).toMatch(/^ {2}\d+ blocks of 4096 bytes, \d+ free \(its own count says \d+\)$/m);
  });

  it('names what is recognised, and succeeds', async () => {
    const image = cli.image('xfs.img', Buffer.from('XFSB'.padEnd(4096)));
    const { volumes } = await cli.json<ImageSummary>('info', image);
    expect(volumes).toMatchObject([{ type: 'xfs', freeBlocksCounted: null, blockSize: null }]);
    expect(await cli.text('info', image)).toContain('volume 0: XFS');
  });

  it('prints what there is of an image that holds nothing, and fails', async () => {
    const run = await cli.run(['info', cli.image('zeros', Buffer.alloc(2048)), '--json']);
    expect(JSON.parse(run.stdout.toString())).toMatchObject({ volumes: [{ type: 'unknown' }] });
    expectRefusal(run, 8, 'The image holds no known filesystem.');
  });
});

describe('ls', () => {
  it('lists a directory, and everything below it when asked', async () => {
    const flat = await cli.json<Listing>('ls', images.ext4, '/');
    const deep = await cli.json<Listing>('ls', images.ext4, '/', '-R');
    const paths = deep.entries.map(({ path }) => path);
    expect(flat.entries.every(({ path }) => /^\/[^/]+$/.test(path))).toBe(true);
    expect(paths).toEqual(expect.arrayContaining(flat.entries.map(({ path }) => path)));
    expect(paths.length).toBeGreaterThan(600);
    for (const path of paths) {
      const parent = path.slice(0, path.lastIndexOf('/'));
      if (parent) expect(paths.indexOf(parent)).toBeLessThan(paths.indexOf(path));
    }
  });

  it('has the facts of the inode on ext', async () => {
    const entries = byPath(await cli.json<Listing>('ls', images.ext4, '/', '-R'));
    expect(entries.get('/README.txt')).toMatchObject({
      ...{ name: 'README.txt', type: 'file', mode: 0o100644, links: 1, uid: 0 },
      modified: '2024-02-29T12:00:00Z',
    });
    expect(entries.get('/shortcut')).toMatchObject({
      type: 'symlink',
      target: 'deep/er/and/deeper/bottom.txt',
    });
    expect(entries.get('/deep/er/and/deeper/bottom.txt')?.modified).toBe('1965-01-01T00:00:00Z');
    expect(entries.get('/dev/null')?.type).toBe('chardev');
    expect(entries.get('/dev/pipe')?.type).toBe('fifo');
    expect(entries.get('/README.txt')).not.toHaveProperty('sha256');
    expect(entries.get('/README.txt')).not.toHaveProperty('extents');
    expect(entries.get('/README.txt')).not.toHaveProperty('deleted');
  });

  it('has the facts of the slot on FAT, and takes names whatever their case', async () => {
    const { entries } = await cli.json<Listing>('ls', images.fat32, '/efi/Boot');
    expect(entries).toMatchObject([
      { name: 'BOOTX64.EFI', type: 'file', attributes: expect.arrayContaining(['hidden']) as [] },
    ]);
    expect(entries[0]).not.toHaveProperty('mode');
    expect(entries[0].created).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  it('adds checksums and extents', async () => {
    const { entries } = await cli.json<Listing>('ls', images.ext4, '/', '--sha256', '--extents');
    const content = (await cli.run(['cat', images.ext4, '/README.txt'])).stdout;
    const readme = entries.find(({ name }) => name === 'README.txt');
    expect(readme?.sha256).toBe(createHash('sha256').update(content).digest('hex'));
    expect(readme?.extents).toMatchObject([{ logical: 0, length: 1 }]);
    const preallocated = entries.find(({ name }) => name === 'preallocated.db');
    expect(preallocated?.extents?.at(-1)).toMatchObject({ unwritten: true });
    const deep = entries.find(({ name }) => name === 'deep');
    expect(deep).not.toHaveProperty('sha256');
    expect(deep?.extents).toHaveLength(1);
  });

  it.each(['fat32', 'ext2'])('lists deleted names of %s when asked', async (name) => {
    const live = await cli.json<Listing>('ls', images[name], '/mail');
    const all = await cli.json<Listing>('ls', images[name], '/mail', '--deleted');
    expect(live.entries).toHaveLength(8);
    expect(all.entries.filter(({ deleted }) => !deleted)).toEqual(live.entries);
    const deleted = all.entries.filter((entry) => entry.deleted);
    expect(deleted.map((entry) => entry.name)).toContain('letter 5 to the editor.txt');
  });

  it('reads short names on FAT in the code page that is asked for', async () => {
    const bytes = readFileSync(images.fat32);
    bytes[bytes.indexOf('README  TXT')] = 0x9b;
    const image = cli.image('code-page.img', bytes);
    expect(await cli.text('ls', image, '/')).toContain('¢EADME.TXT');
    expect(await cli.text('ls', image, '/', '--code-page', '850')).toContain('øEADME.TXT');
    for (const name of [image, images.ext2]) {
      const run = await cli.run(['ls', name, '/', '--code-page', '1']);
      expectRefusal(run, 16, 'It must be one of 437, 737');
    }
  });

  it('lists a single file', async () => {
    const { entries } = await cli.json<Listing>('ls', images.card, '/readme.txt');
    expect(entries).toMatchObject([{ path: '/readme.txt', name: 'README.TXT', type: 'file' }]);
  });

  it('follows a symlink to a directory when a slash says that it is one', async () => {
    const bytes = readFileSync(images.ext2);
    const at = bytes.indexOf('deep/er/and/deeper/bottom.txt');
    bytes.write('deep/er/and/deeper/.'.padEnd(29, '/'), at);
    const image = cli.image('link.img', bytes);
    const [direct] = (await cli.json<Listing>('ls', image, '/deep/er/and/deeper')).entries;
    const { entries } = await cli.json<Listing>('ls', image, '/shortcut/');
    expect(entries).toMatchObject([{ ...direct, path: `/shortcut/${direct.name}` }]);
    expect((await cli.json<Listing>('ls', image, '/shortcut')).entries).toHaveLength(1);
    expectRefusal(await cli.run(['ls', image, '/README.txt/']), 8, /is not a directory\.$/m);
  });

  it('is refused where the root is no directory', async () => {
    const { fields } = await cli.json<{ fields: { name: string; offset: number }[] }>(
      ...['stat', images.ext2, '/'],
    );
    const bytes = readFileSync(images.ext2);
    bytes.writeUInt16LE(0o100644, fields.find(({ name }) => name === 'i_mode')?.offset ?? 0);
    const run = await cli.run(['ls', cli.image('rootless.img', bytes), '/']);
    expectRefusal(run, 8, 'Inode 2 is not a directory.');
    expect(run.stdout).toHaveLength(0);
  });

  it('counts what could not be read', async () => {
    const { fields } = await cli.json<{ fields: { name: string; offset: number }[] }>(
      ...['stat', images.ext2, '/README.txt'],
    );
    const bytes = readFileSync(images.ext2);
    const sizeHigh = fields.find(({ name }) => name === 'i_size_high')?.offset ?? 0;
    bytes.writeUInt32LE(0xffffffff, sizeHigh); // more bytes than any file can have
    const run = await cli.run(['ls', cli.image('huge.img', bytes), '/', '--extents']);
    expect(run).toMatchObject({ code: 0, stderr: 'note: 1 entry could not be read.\n' });
  });

  it('prints a line each for people', async () => {
    const text = await cli.text('ls', images.ext2, '/');
    expect(text).toMatch(/^drwx------ +\d+ \S+ +11 lost\+found\/$/m);
    expect(text).toMatch(/^lrwxrwxrwx .* shortcut -> deep\/er\/and\/deeper\/bottom.txt$/m);
    expect(await cli.text('ls', images.ext2, '/deep', '-R')).toContain('/deep/er/and/deeper/');
  });
});

describe('stat', () => {
  interface Stat extends EntryJson {
    readonly allocated: number;
    readonly fragments: number;
    readonly fields: readonly { name: string; offset: number; length: number; value: unknown }[];
  }

  it('adds where the content lies, and the fields of the inode where they lie', async () => {
    const stat = await cli.json<Stat>('stat', images.ext2, '/fragments/scattered.log');
    expect(stat).toMatchObject({ path: '/fragments/scattered.log', name: 'scattered.log' });
    expect(stat.fragments).toBeGreaterThan(2);
    expect(stat.extents?.length).toBeGreaterThanOrEqual(stat.fragments);
    expect(stat.allocated).toBeGreaterThanOrEqual(stat.size);
    const size = stat.fields.find(({ name }) => /^i_size/.test(name));
    expect(size?.value).toBe(stat.size);
    const bytes = readFileSync(images.ext2);
    expect(bytes.readUInt32LE(size?.offset)).toBe(stat.size);
  });

  it('prints what the inode or slot says for people', async () => {
    const ext = await cli.text('stat', images.ext4, '/README.txt');
    for (const line of [
      /^ {2}mode 0644 \(-rw-r--r--\)$/m,
      /^ {2}owner 0, group 0$/m,
      /^ {2}1 link$/m,
      /^ {2}modified 2024-02-29 12:00:00 UTC$/m,
      /^ +\d+ {2}i_mode = 33188 = 0x81a4$/m,
      /^ +\d+ {2}i_links_count = 1$/m,
    ]) {
      expect(ext).toMatch(line);
    }
    const fat = await cli.text('stat', images.fat32, '/EFI/BOOT/BOOTX64.EFI');
    expect(fat).toMatch(/^ {2}attributes .*hidden/m);
    expect(fat).toMatch(/^ {2}modified \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/m);
  });

  it('tells of directories, symlinks and the root', async () => {
    expect(await cli.json<Stat>('stat', images.ext4, '/')).toMatchObject({
      type: 'directory',
      id: 2,
    });
    expect(await cli.json<Stat>('stat', images.fat32, '/')).toMatchObject({ type: 'directory' });
    expect(await cli.json<Stat>('stat', images.ext4, '/shortcut')).toMatchObject({
      ...{ type: 'symlink', target: 'deep/er/and/deeper/bottom.txt', extents: [], fragments: 0 },
    });
    expect(await cli.text('stat', images.fat32, '/README.TXT')).toContain('DIR_FileSize = ');
  });
});

describe('cat and get', () => {
  it('give the same bytes, holes as zeros', async () => {
    const { code, stdout } = await cli.run(['cat', images.ext4, '/sparse.bin']);
    expect(code).toBe(0);
    expect(stdout.subarray(0, 1024 * 1024).every((byte) => byte === 0)).toBe(true);
    expect(stdout.subarray(1024 * 1024).toString()).toContain('the only data');

    const host = join(cli.folder, 'sparse.bin');
    await cli.text('get', images.ext4, '/sparse.bin', host);
    expect(readFileSync(host).equals(stdout)).toBe(true);
    expect(statSync(host).blocks * 512).toBeLessThan(64 * 1024);
  });

  it('follow symlinks inside the image', async () => {
    const direct = await cli.text('cat', images.ext4, '/deep/er/and/deeper/bottom.txt');
    expect(await cli.text('cat', images.ext4, '/shortcut')).toBe(direct);
    const host = join(cli.folder, 'followed');
    await cli.text('get', images.ext4, '/shortcut', host);
    expect(readFileSync(host, 'utf8')).toBe(direct);
  });

  it('take the volume that is chosen', async () => {
    const bare = await cli.text('cat', images.card, '/boot/grub/grub.cfg');
    expect(bare).toContain('small: line 1');
    const other = await cli.run(['cat', images.card, '/boot/grub/grub.cfg', '--partition', '1']);
    expectRefusal(other, 8, 'There is no /boot.');
    expect(await cli.text('cat', images.card, '/README.txt', '--partition', '1')).toContain(
      '/deep',
    );
  });

  it('copy a directory with all below it', async () => {
    const host = join(cli.folder, 'copy');
    mkdirSync(host);
    const report = await cli.json<{ files: number; notes: string[] }>(
      ...['get', images.fat32, '/boot', host],
    );
    const { entries } = await cli.json<Listing>('ls', images.fat32, '/boot', '-R');
    const files = entries.filter(({ type }) => type === 'file').length;
    expect(files).toBeGreaterThan(2);
    const directories = entries.length - files + 1;
    expect(report).toMatchObject({ files, directories, symlinks: 0, notes: [] });
    expect(existsSync(join(host, 'boot/Größe-日本語.txt'))).toBe(true);
    const left = await cli.run(['get', images.ext4, '/dev', join(cli.folder, 'dev')]);
    expect(left.code).toBe(8);
    expect(left.stdout.toString()).toBe('0 files, 1 directory, 0 symlinks, 0 bytes\n');
    expect(left.stderr).toBe(
      'note: /dev/disk is left out: it is a blockdev.\n' +
        'note: /dev/null is left out: it is a chardev.\n' +
        'note: /dev/pipe is left out: it is a fifo.\n' +
        'fsimg: The copy is incomplete: 3 entries were left out.\n',
    );
  });

  it('say so when the host cannot have all of it', async () => {
    const host = join(cli.folder, 'blocked');
    mkdirSync(join(host, 'README.txt'), { recursive: true });
    const copied = await cli.run(['get', images.ext4, '/', host]);
    expect(copied.code).toBe(8);
    const lines = copied.stderr.trim().split('\n');
    expect(lines.join()).toContain('README.txt exists, and is a folder.');
    expect(lines.at(-1)).toBe('fsimg: The copy is incomplete: 4 entries were left out.');
    expect(existsSync(join(host, 'deep/er/and/deeper/bottom.txt'))).toBe(true);
  });

  it.each([
    ['cat', '/deep', '/deep is a directory, not a file.'],
    ['cat', '/dev/null', '/dev/null is a chardev, not a file.'],
    ['cat', '/none', 'There is no /none.'],
    ['get', '/dev/pipe', 'It is a fifo, which cannot be exported.'],
    ['get', '/README.txt/x', '/README.txt is not a directory.'],
  ])('refuse: %s %s', async (verb, path, reason) => {
    const host = join(cli.folder, 'refused');
    const args = [verb, images.ext4, path, ...(verb === 'get' ? [host] : [])];
    const run = await cli.run(args);
    expectRefusal(run, 8, reason);
    expect(run.stdout).toHaveLength(0);
    expect(existsSync(host)).toBe(false);
  });
});

describe('free', () => {
  interface Free {
    readonly free: number;
    readonly extents: number;
    readonly largest: number;
    readonly histogram: { minimum: number; extents: number; units: number }[];
    readonly list?: [number, number][];
  }

  it.each(['fat32', 'ext2', 'ext4'])('adds up on %s', async (name) => {
    const free = await cli.json<Free>('free', images[name], '--list');
    const lengths = (free.list ?? []).map(([, length]) => length);
    expect(lengths).toHaveLength(free.extents);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(free.free);
    expect(Math.max(...lengths)).toBe(free.largest);
    expect(free.histogram.reduce((sum, { units }) => sum + units, 0)).toBe(free.free);
    expect(free.histogram.reduce((sum, { extents }) => sum + extents, 0)).toBe(free.extents);

    const without = await cli.json<Free>('free', images[name]);
    expect(without).toEqual({ ...free, list: undefined });
    const long = await cli.json<Free>('free', images[name], '--list', '--minimum', '100');
    expect(long.list).toEqual(free.list?.filter(([, length]) => length >= 100));
    expect(long.extents).toBe(free.extents);
  });

  it('prints the same for people', async () => {
    const text = await cli.text('free', images.ext2, '--list');
    expect(text).toMatch(/^\d+ of \d+ blocks free \(.* MiB\)$/m);
    expect(text).toMatch(/^\d+ \d+$/m);
  });
});
