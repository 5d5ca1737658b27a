import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { platform } from 'node:process';
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { json, printable } from '../../src/cli/print';
import { FatImage, long, short } from '../fat/fat-image';
import { Cli, expectRefusal } from './support/cli';

const cli = new Cli();
let image: string;
beforeAll(() => {
  image = cli.sample('ext2');
});

describe('wrong usage', () => {
  it.each<[string, string[], RegExp | string]>([
    ['no command', [], /A command is missing/],
    ['an unknown command', ['format'], /unknown command 'format'/],
    ['no image', ['info'], /missing required argument 'image'/],
    ['no path', ['ls', 'x.img'], /missing required argument 'path'/],
    ['too many arguments', ['info', 'x.img', 'y.img'], /too many arguments/],
    ['an unknown option', ['info', 'x.img', '--jason'], /unknown option '--jason'.*--json/],
    ['a volume that is no number', ['info', 'x.img', '--partition', '-1'], /whole number/],
    ['a volume that is no whole number', ['info', 'x.img', '--partition', '1.5'], /whole number/],
    ['help on an unknown command', ['help', 'bogus'], /^fsimg: unknown command 'bogus'\n$/],
    ['a document of what is none', ['cat', 'x.img', '/x', '--json'], /unknown option '--json'/],
    ['a minimum without a list', ['free', 'x.img', '--minimum', '2'], /needs --list/],
    ['an image without a name', ['info', ''], 'The name of the image is empty'],
    ['a minimum that is no number', ['free', 'x.img', '--minimum', 'all'], /whole number/],
  ])('%s ends with 16', async (_name, args, reason) => {
    const run = await cli.run(args);
    expectRefusal(run, 16, reason);
    expect(run.stdout).toHaveLength(0);
  });

  it.each([
    ['a volume that is not there', ['ls', '/', '--partition', '7'], 'There is no volume 7'],
    ['a path that is not absolute', ['ls', 'README.txt'], 'start with a slash'],
    ['a volume that is not there', ['info', '--partition', '7', '--json'], 'There is no volume 7'],
  ])('%s ends with 16 too', async (_name, [verb, ...args], reason) => {
    const run = await cli.run([verb, image, ...args]);
    expectRefusal(run, 16, reason);
    expect(run.stdout).toHaveLength(0);
  });
});

describe('help', () => {
  it.each([[['--help']], [['help']], [['help', 'ls']], [['ls', '--help']], [['--version']]])(
    'is no error: %j',
    async (args) => {
      const { code, stdout, stderr } = await cli.run(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout.length).toBeGreaterThan(3);
    },
  );

  it('names exactly the commands there are', async () => {
    const text = await cli.text('--help');
    const commands = [...text.matchAll(/^ {2}(\w+) .*<image>/gm)].map(([, name]) => name);
    for (const name of commands) await cli.text(name, '--help');
    expect(commands).toEqual(expect.arrayContaining(['info', 'ls', 'stat', 'cat', 'get', 'free']));
  });
});

describe('what goes wrong inside', () => {
  it('is one line too', async () => {
    const preload = join(cli.folder, 'break.cjs');
    writeFileSync(
      preload,
      "require('crypto').createHash = () => { throw new TypeError('first\\nsecond'); };",
    );
    const run = await cli.run(['ls', image, '/', '--sha256'], { node: ['--require', preload] });
    expectRefusal(run, 8, /internal error: first\\x0asecond/);
  });

  it.runIf(existsSync('/dev/full'))('is told when the output cannot be written', async () => {
    for (const args of [
      ['cat', image, '/README.txt'],
      ['ls', image, '/'],
      ['info', image],
    ]) {
      const full = openSync('/dev/full', 'w');
      const run = await cli.run(args, { stdout: full });
      closeSync(full);
      expectRefusal(run, 8, 'Cannot write the output: no space is left on the device.');
    }
  });

  it('is silent when the reader goes away', async () => {
    const child = await cli.start(['ls', image, '/', '-R', '--json', '--extents']);
    let stderr = '';
    child.stderr?.on('data', (piece: Buffer) => (stderr += piece.toString()));
    child.stdout?.once('data', () => child.stdout?.destroy());
    const code = await new Promise((done) => child.on('close', done));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('names from an image', () => {
  const hostile = 'a\u001b[31mred\u009b2J\u202etxt.exe\u2028b';

  it('never reach a terminal as commands', async () => {
    const disk = new FatImage({ bits: 12 });
    const name = 'HOSTIL~1TXT';
    disk.slots(disk.rootStart, ...long(hostile, name), short(name));
    const path = cli.image('hostile.img', disk.bytes);
    const plain = await cli.text('ls', path, '/');
    expect(plain).toContain('a\\x1b[31mred\\x9b2J\\u202etxt.exe\\u2028b\n');

    const { stdout } = await cli.run(['ls', path, '/', '--json']);
    // eslint-disable-next-line no-control-regex
    expect(stdout.toString()).not.toMatch(/[\u001b\u0080-\u009f\u202e\u2028]/);
    const { entries } = JSON.parse(stdout.toString()) as { entries: { name: string }[] };
    expect(entries[0].name).toBe(hostile);

    const refused = await cli.run(['cat', path, `/${hostile}/x`]);
    expectRefusal(refused, 8, 'a\\x1b[31mred');
  });

  it('print on one line whatever they are, and JSON keeps them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        // eslint-disable-next-line no-control-regex
        const commands = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
        expect(printable(name)).not.toMatch(commands);
        expect(json({ name })).not.toMatch(commands);
        expect(JSON.parse(json({ name }))).toEqual({ name });
      }),
    );
  });
});

describe('a directory of 50,000 files', () => {
  it('is listed as one document, with little memory', async () => {
    const count = 50_000;
    const disk = new FatImage({ bits: 16, clusters: 5000 });
    const clusters = Array.from({ length: Math.ceil(count / 16) }, (_, i) => 2 + i);
    disk.chain(...clusters);
    disk.slots(disk.rootStart, short('MANY       ', { attributes: 0x10, cluster: 2 }));
    const slots = Array.from({ length: count }, (_, i) => short(`F${i}`.padEnd(11)));
    disk.slots(disk.cluster(2), ...slots);
    const path = cli.image('many.img', disk.bytes);
    const run = await cli.run(['ls', path, '/MANY', '--json'], {
      node: ['--max-old-space-size=64'],
    });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const { entries } = JSON.parse(run.stdout.toString()) as { entries: { name: string }[] };
    expect(entries).toHaveLength(count);
    expect(entries[12_345].name).toBe('F12345');
    expect(run.seconds).toBeLessThan(10);
  });
});

describe('what is no image', () => {
  const verbs = [['info'], ['ls', '/'], ['stat', '/'], ['cat', '/x'], ['free']];
  const run = ([verb, ...args]: string[], path: string) => cli.run([verb, path, ...args]);

  it.each(verbs)('is refused by %s', async (...verb) => {
    const pipe = join(cli.folder, `pipe-${verb[0]}`);
    if (platform !== 'win32') execFileSync('mkfifo', [pipe]);
    const cases: [string, string | RegExp][] = [
      [cli.image('empty', Buffer.alloc(0)), 'holds no known filesystem'],
      [cli.image('one', Buffer.of(0xeb)), 'holds no known filesystem'],
      [cli.image('noise', noise(300_000)), 'holds no known filesystem'],
      [cli.folder, /not a regular file|is a folder/],
      [join(cli.folder, 'missing'), 'there is no such file'],
      ...(platform === 'win32' ? [] : [[pipe, 'not a regular file'] as [string, string]]),
    ];
    for (const [path, reason] of cases) expectRefusal(await run(verb, path), 8, reason);
  });
});

/** Bytes without any order, the same in every run. */
function noise(length: number): Uint8Array {
  let state = 0x2545f491;
  return Uint8Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 0xff;
  });
}
