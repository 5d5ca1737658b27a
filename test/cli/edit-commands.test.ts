import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EntryJson } from '../../src/cli/entry-json';
import type { AllocationPlan } from '../../src/filesystem/editing';
import type { TrimReport } from '../../src/session/operations';
import { Cli, expectRefusal } from './support/cli';
import { addFeatures } from '../ext/support/superblock';

const cli = new Cli();
const env = { XDG_STATE_HOME: join(cli.folder, 'state') };
let file = '';
let tree = '';
beforeAll(() => {
  file = cli.image('host.txt', Buffer.from('from the host\n'));
  tree = join(cli.folder, 'tree');
  mkdirSync(join(tree, 'inner'), { recursive: true });
  writeFileSync(join(tree, 'inner/leaf'), 'leaf');
});

interface Changed {
  readonly changed: readonly { readonly offset: number; readonly length: number }[];
}

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

async function json<Document>(...args: string[]): Promise<Document> {
  const { code, stdout, stderr } = await cli.run([...args, '--json'], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout.toString()) as Document;
}

/** Runs a verb that prints `{changed:[…]}`: exactly these bytes of the image may differ. */
async function change(image: string, verb: string, ...args: string[]): Promise<Changed> {
  const before = readFileSync(image);
  const document = await json<Changed>(verb, image, ...args);
  const after = readFileSync(image);
  expect(after.length).toBe(before.length);
  for (const { offset, length } of document.changed) {
    expect(length).toBeGreaterThan(0);
    after.copy(before, offset, offset, offset + length);
  }
  expect(before.equals(after)).toBe(true);
  return document;
}

async function pathsIn(image: string): Promise<string[]> {
  const { entries } = await json<{ entries: EntryJson[] }>('ls', image, '/', '-R');
  return entries.map(({ path }) => path);
}

const textOf = async (image: string, path: string) =>
  (await cli.run(['cat', image, path])).stdout.toString();

describe.each(['fat32', 'ext2'])('verbs that change %s', (type) => {
  it('make, fill, move and remove', async () => {
    const image = cli.sample(type);
    const first = await pathsIn(image);
    await change(image, 'mkdir', '/one');
    await change(image, 'mkdir', '/two/three/four', '-p');
    expect(await change(image, 'mkdir', '/two/three', '-p')).toEqual({ changed: [] });
    await change(image, 'put', file, '/one');
    await change(image, 'put', file, '/one/copy.txt');
    await change(image, 'put', tree, '/two');
    await change(image, 'put', '/one/turned.txt', file);
    expect(await textOf(image, '/one/host.txt')).toBe('from the host\n');
    expect(await textOf(image, '/one/turned.txt')).toBe('from the host\n');
    expect(await textOf(image, '/two/tree/inner/leaf')).toBe('leaf');
    const small = cli.image('small.txt', Buffer.from('x'));
    await change(image, 'put', small, '/one/copy.txt');
    expect(await textOf(image, '/one/copy.txt')).toBe('x');
    await change(image, 'truncate', '/one/host.txt', '2K');
    await change(image, 'write', '/one/host.txt', '1KiB', small);
    const long = await textOf(image, '/one/host.txt');
    expect(long).toBe(`${'from the host\n'.padEnd(1024, '\0')}x`.padEnd(2048, '\0'));
    await change(image, 'mv', '/one/host.txt', '/two/three');
    await change(image, 'mv', '/two/three/host.txt', '/two/three/moved.txt');
    await change(image, 'mv', '/one/turned.txt', '/two/three/moved.txt');
    expect(await textOf(image, '/two/three/moved.txt')).toBe('from the host\n');
    await change(image, 'attr', '/one/copy.txt', '--modified', '2001-02-03T04:05:06Z');
    const [entry] = (await json<{ entries: EntryJson[] }>('ls', image, '/one')).entries;
    expect(entry).toMatchObject({ name: 'copy.txt', size: 1, modified: '2001-02-03T04:05:06Z' });
    await change(image, 'rm', '/one/copy.txt');
    await change(image, 'rm', '-r', '/one', '/two');
    expect(await pathsIn(image)).toEqual(first);
    await change(image, 'label', 'OTHER');
    const { volumes } = await json<{ volumes: { label: string }[] }>('info', image);
    expect(volumes[0].label).toBe('OTHER');
  });

  it('plan a preallocation and a trim, and then do just that', async () => {
    const image = cli.sample(type);
    await change(image, 'put', file, '/grow.bin');
    const before = hashOf(image);
    const ask = ['preallocate', image, '/grow.bin', '64K', '--offset', '4096'];
    const plan = await json<AllocationPlan>(...ask, '--plan', '--policy', 'first-fit');
    expect(hashOf(image)).toBe(before);
    expect(Object.keys(plan)).toEqual(
      expect.arrayContaining([
        ...['extents', 'fragments', 'allocatedUnits', 'metadataWrites', 'bytesZeroed'],
      ]),
    );
    expect(await json(...ask, '--policy', 'first-fit')).toEqual(plan);
    const stat = await json<EntryJson>('stat', image, '/grow.bin');
    expect(stat.size).toBe(4096 + 65536);

    const planned = await json<TrimReport>('trim', image, '--plan', '--minimum', '16K');
    expect(hashOf(image)).not.toBe(before);
    const unchanged = hashOf(image);
    const { blocks } = statSync(image);
    const done = await json<TrimReport>('trim', image, '--minimum', '16K');
    expect(done).toMatchObject({ extents: planned.extents, bytes: planned.bytes });
    expect(done.reclaimed).toBe(512 * (blocks - statSync(image).blocks));
    expect(await textOf(image, '/grow.bin')).toMatch(/^from the host\n\0+$/);
    const again = hashOf(image);
    expect(await json('trim', image, '--minimum', '16K')).toMatchObject({
      ...{ extents: 0, bytes: 0, reclaimed: 0 },
    });
    expect(hashOf(image)).toBe(again);
    expect(unchanged).toHaveLength(64);
  });

  it('say for people what they did', async () => {
    const image = cli.sample(type);
    const { stdout } = await cli.run(['mkdir', image, '/a\u001b[31m'], { env });
    if (type === 'ext2') {
      expect(stdout.toString()).toMatch(/^New folder a␛\[31m\n\d+ bytes changed in \d+ ranges\n$/);
    }
    const trim = await cli.run(['trim', image], { env });
    expect(trim.stdout.toString()).toMatch(
      /^punched .* in 1 extent; already holes: 0 extents\nreclaimed .* of the host's room\n$/,
    );
    const plan = await cli.run(['preallocate', image, '/new', '1M', '--plan'], { env });
    expectRefusal(plan, 8, 'There is no /new.');
  });

  it('bring in what can be of a folder, and say that it is not all', async () => {
    const image = cli.sample(type);
    const mixed = join(cli.folder, `mixed-${type}`);
    mkdirSync(join(mixed, 'inner'), { recursive: true });
    writeFileSync(join(mixed, 'inner/kept'), 'kept');
    writeFileSync(Buffer.concat([Buffer.from(`${mixed}/bad`), Buffer.of(0xff)]), 'x');
    const itself = join(mixed, 'disk.img');
    copyFileSync(image, itself);
    symlinkSync('nowhere', join(mixed, 'lost'));
    const run = await cli.run(['put', itself, mixed, '/mixed'], { env });
    expect(await textOf(itself, '/mixed/inner/kept')).toBe('kept');
    const lost =
      type === 'ext2' ? [] : [`note: Left out: ${mixed}/lost: FAT has no symbolic links.`];
    expect(run.stderr.trimEnd().split('\n')).toEqual([
      `note: Left out: Cannot read ${mixed}/bad\ufffd: its name is not in UTF-8.`,
      `note: Left out: ${itself} is the image itself.`,
      ...lost,
      `fsimg: The copy is incomplete: ${2 + lost.length} entries were left out.`,
    ]);
    expect(run.code).toBe(8);
  });

  it('make many directories at once', async () => {
    const image = cli.sample(type);
    const deep = '/d'.repeat(40);
    await change(image, 'mkdir', '/d/d', '-p');
    await change(image, 'mkdir', '-p', deep);
    expect((await pathsIn(image)).filter((path) => path.startsWith('/d/'))).toHaveLength(39);
    expect(await change(image, 'mkdir', '-p', deep)).toEqual({ changed: [] });
    await change(image, 'put', file, '/d/file');
    const run = await cli.run(['mkdir', '-p', image, '/d/file/x'], { env });
    expectRefusal(run, 8, '/d/file is a file.');
  });

  const refused: [string, string[], number, RegExp][] = [
    ['a directory that is there', ['mkdir', '/there'], 8, /there/],
    ['a directory in nothing', ['mkdir', '/no/dir'], 8, /There is no \/no/],
    ['a directory without -r', ['rm', '/there'], 8, /is a directory; -r removes/],
    ['the root', ['rm', '-r', '/'], 16, /root/],
    ['what is not there', ['rm', '/nothing'], 8, /There is no \/nothing/],
    ['what is not there, beside what is', ['rm', '-r', '/there', '/nothing'], 8, /nothing/],
    ['a move of what is not there', ['mv', '/nothing', '/x'], 8, /There is no \/nothing/],
    ['a move into itself', ['mv', '/there', '/there/in'], 8, /itself/],
    ['the root anew', ['mkdir', '/'], 8, /\/ is there already\./],
    ['a name that is too long', ['mkdir', `/${'x'.repeat(256)}`], 8, /at most 255 .* has 256\./],
    ['an attribute that is none', ['attr', '/file', '--set', 'nosuch'], 8, /attribute .*nosuch/],
    ['the image itself', ['put', 'IMAGE', '/x'], 8, /is the image itself/],
    ['a special file', ['put', '/dev/null', '/x'], 8, /is a special file/],
    ['a name that is not UTF-8', ['put', '/no\ufffd', '/x'], 8, /its name is not in UTF-8\./],
    ['more than a file holds', ['truncate', '/file', '900T'], 8, /at most/],
    ['a preallocation of nothing', ['preallocate', '/file', '0'], 16, /at least one byte/],
    ['an unknown code page', ['label', 'X', '--code-page', '99999'], 16, /one of 437, 737/],
    ['an owner that is none', ['attr', '/file', '--owner', '4294967296'], 16, /at most 4294967295/],
    ['into a directory that is not there', ['put', 'HOST', '/no/'], 8, /There is no directory/],
    ['nothing of the host', ['put', '/no/such/file', '/x'], 8, /Cannot read/],
    ['a size that is none', ['truncate', '/file', 'large'], 16, /size/],
    ['a directory as a file', ['truncate', '/there', '1'], 8, /directory/],
    ['a preallocation of more than fits', ['preallocate', '/file', '3G'], 8, /room|full|free/],
    ['an unknown policy', ['preallocate', '/file', '1', '--policy', 'best'], 16, /policy/],
    ['a time that is none', ['attr', '/file', '--modified', 'now'], 16, /no time/],
    ['nothing to set', ['attr', '/file'], 16, /nothing to set/],
    ['a mode that is none', ['attr', '/file', '--mode', '999'], 16, /octal/],
    ['a label that is too long', ['label', 'x'.repeat(40)], 8, /label/i],
    ['a plan for no volume', ['trim', '--plan', '--partition', '5'], 16, /no volume 5/],
    ['a volume that is not there', ['mkdir', '/x', '--partition', '5'], 16, /no volume 5/],
  ];

  it('refuse, and then leave the image as it is', async () => {
    const image = cli.sample(type);
    await change(image, 'mkdir', '/there');
    await change(image, 'put', file, '/file');
    const before = hashOf(image);
    for (const [what, [verb, ...args], code, reason] of refused) {
      const places = new Map([
        ['HOST', file],
        ['IMAGE', image],
      ]);
      const given = args.map((arg) => places.get(arg) ?? arg);
      const run = await cli.run([verb, image, ...given], { env });
      expect({ what, code: run.code }).toEqual({ what, code });
      expectRefusal(run, code, reason);
      expect(hashOf(image)).toBe(before);
    }
  });
});

describe('names on FAT', () => {
  it('are spelled anew', async () => {
    const image = cli.sample('fat32');
    await change(image, 'put', file, '/lower.txt');
    await change(image, 'mkdir', '/dir/inner', '-p');
    await change(image, 'put', file, '/dir/a rather long name');
    await change(image, 'mv', '/lower.txt', '/Lower.TXT');
    await change(image, 'mv', '/dir', '/DIR');
    await change(image, 'mv', '/DIR/inner', '/dir/Inner');
    await change(image, 'mv', '/DIR/a rather long name', '/DIR/ARATHE~1');
    expect(await pathsIn(image)).toEqual(
      expect.arrayContaining(['/Lower.TXT', '/DIR', '/DIR/Inner', '/DIR/ARATHE~1']),
    );
    const run = await cli.run(['mv', image, '/DIR', '/DIR'], { env });
    expectRefusal(run, 8, /cannot be moved into itself/);
  });
});

describe('an image of several volumes', () => {
  const chosen = 'one of 2 that can be read; --partition chooses another.';

  it('has a note on which one was changed, unless that was chosen', async () => {
    const image = cli.sample('card');
    const run = await cli.run(['mkdir', image, '/new'], { env });
    expect(run).toMatchObject({ code: 0, stderr: `note: Volume 0 was changed, ${chosen}\n` });
    const documented = await json<{ notes: string[] }>('mkdir', image, '/newer');
    expect(documented.notes).toEqual([`Volume 0 was changed, ${chosen}`]);
    const second = await cli.run(['mkdir', image, '/chosen', '--partition', '0'], { env });
    expect(second).toMatchObject({ code: 0, stderr: '' });
    const nothing = await cli.run(['mkdir', '-p', image, '/new'], { env });
    expect(nothing).toMatchObject({ code: 0, stderr: '' });
  });

  it('has one on which was checked', async () => {
    const image = cli.sample('card');
    const run = await cli.run(['check', image]);
    expect(run).toMatchObject({ code: 0, stderr: `note: Volume 0 was checked, ${chosen}\n` });
    const second = await cli.run(['check', image, '--partition', '1']);
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(await json('check', image)).toMatchObject({ volume: 0, volumes: 2 });
    expect(await json('check', image, '--partition', '1')).toMatchObject({ volume: 1, volumes: 2 });
    expect((await cli.run(['check', cli.sample('ext2')])).stderr).toBe('');
  });
});

describe('links', () => {
  it('are made on ext, and refused on FAT', async () => {
    const image = cli.sample('ext2');
    await change(image, 'put', file, '/file');
    await change(image, 'ln', '/file', '/hard');
    await change(image, 'ln', '-s', 'file', '/soft');
    await change(image, 'attr', '/hard', '--mode', '600', '--owner', '70000', '--group', '7');
    const { entries } = await json<{ entries: EntryJson[] }>('ls', image, '/');
    const byName = new Map(entries.map((entry) => [entry.name, entry]));
    expect(byName.get('soft')).toMatchObject({ type: 'symlink', target: 'file' });
    expect(byName.get('file')).toMatchObject({
      ...{ links: 2, mode: 0o100600, uid: 70000, gid: 7, id: byName.get('hard')?.id },
    });
    const fat = cli.sample('fat32');
    const before = hashOf(fat);
    expectRefusal(await cli.run(['ln', fat, '-s', 'x', '/soft'], { env }), 8, /symbolic links/);
    expect(hashOf(fat)).toBe(before);
  });

  it('of the host are brought in as links, also over what was there, and as copies on FAT', async () => {
    const linked = join(cli.folder, 'linked');
    mkdirSync(linked);
    writeFileSync(join(linked, 'a'), 'the same');
    linkSync(join(linked, 'a'), join(linked, 'b'));
    writeFileSync(join(linked, 'c'), 'another');
    const image = cli.sample('ext2');
    await change(image, 'mkdir', '/linked');
    await change(image, 'put', join(linked, 'c'), '/linked/b');
    for (const times of [1, 2]) {
      await change(image, 'put', linked, '/');
      const { entries } = await json<{ entries: EntryJson[] }>('ls', image, '/linked');
      const [one, other, third] = entries;
      expect(entries.map(({ name, links }) => [name, links])).toEqual([
        ['a', 2],
        ['b', 2],
        ['c', 1],
      ]);
      expect([one.id, third.id === one.id, times]).toEqual([other.id, false, times]);
      expect(await textOf(image, '/linked/b')).toBe('the same');
    }
    const fat = cli.sample('fat32');
    await change(fat, 'put', linked, '/');
    expect(await textOf(fat, '/linked/b')).toBe('the same');
  });
});

describe('what cannot be changed', () => {
  it('is refused with its reason', async () => {
    const bytes = readFileSync(cli.sample('ext4'));
    addFeatures(bytes, 's_feature_ro_compat', 0x100);
    const ext4 = cli.image('quota.img', bytes);
    const before = hashOf(ext4);
    const run = await cli.run(['mkdir', ext4, '/x'], { env });
    expectRefusal(run, 8, /This volume cannot be changed: its feature quota cannot be written/);
    expect(hashOf(ext4)).toBe(before);
  });

  // Root may write everything.
  it.skipIf(process.getuid?.() === 0)('is a file that the host has read-only', async () => {
    const image = cli.sample('fat32');
    chmodSync(image, 0o444);
    expectRefusal(await cli.run(['mkdir', image, '/x'], { env }), 8, /cannot be written/);
    chmodSync(image, 0o644);
  });
});

it('the standard input is written into a file', async () => {
  const image = cli.sample('fat32');
  await change(image, 'put', file, '/file');
  const child = await cli.start(['write', image, '/file', '5', '-'], { env });
  const code = new Promise((done) => child.on('close', done));
  child.stdin?.end('THE');
  expect(await code).toBe(0);
  expect(await textOf(image, '/file')).toBe('from THE host\n');
});
