import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ListQuery } from '../../src/session/answers';
import { EngineClient, type ImageSource } from '../../src/worker/client';
import { bundleProgram, temporaryFolder } from '../bundle';
import { FatImage } from '../fat/fat-image';

const folder = temporaryFolder();
const samples = resolve(import.meta.dirname, '../samples');
const image = join(folder, 'sample.img');
let program: string;
beforeAll(async () => {
  program = await bundleProgram('src/worker/main.ts', folder);
  writeFileSync(image, brotliDecompressSync(readFileSync(join(samples, 'sample-ext4.img.br'))));
});

const clients: EngineClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.dispose()));
});

function open(openSource: () => ImageSource) {
  const onRestart = vi.fn();
  const client = new EngineClient({ program, openSource, onRestart });
  clients.push(client);
  return { client, onRestart };
}

const query = (directory: number): ListQuery => ({
  volume: 0,
  directory,
  deleted: false,
  filter: '',
  sort: 'name',
  descending: false,
  start: 0,
  count: 100,
});

describe.each<[string, () => ImageSource]>([
  ['in a file', () => ({ path: image })],
  ['in memory', () => ({ bytes: new Uint8Array(readFileSync(image)) })],
])('the engine of an image %s', (_name, source) => {
  it('tells what there is', async () => {
    const { client } = open(source);
    const { image: facts, volumes } = await client.request('summary', []);
    expect(facts.size).toBe(statSync(image).size);
    expect(volumes).toMatchObject([{ type: 'ext4', label: 'SAMPLE-EXT4', unreadable: null }]);
    const free = await client.request('freeSpace', [0]);
    expect(free.free).toBe(volumes[0].freeBlocks);
  });

  it('walks to a file, describes and reads it', async () => {
    const { client } = open(source);
    const [root, file] = await client.request('resolve', [0, '/README.txt']);
    const { rows } = await client.request('list', [query(root.node)]);
    expect(rows).toContainEqual(expect.objectContaining({ name: 'README.txt', node: file.node }));
    expect(await client.request('locateNode', [query(root.node), file.node])).toBe(
      rows.findIndex(({ node }) => node === file.node),
    );
    expect(await client.request('locatePrefix', [query(root.node), 'read', 0])).toBe(
      rows.findIndex(({ name }) => name === 'README.txt'),
    );
    const { size, extents } = await client.request('details', [0, file.node, 10]);
    expect(extents).toHaveLength(1);
    const content = await client.request('read', [0, file.node, 0, 1000]);
    expect(content).toHaveLength(size);
    expect(new TextDecoder().decode(content)).toContain('sample');
  });

  it('writes a directory to the host', async () => {
    const { client } = open(source);
    const steps = await client.request('resolve', [0, '/deep']);
    const directory = steps[steps.length - 1].node;
    const target = await client.request('exportTarget', [folder, `${Date.now()}/../deep`]);
    expect(target).toMatch(/[\\/]\d+_\.\._deep$/);
    const report = await client.request('exportNode', [0, directory, target]);
    expect(report).toMatchObject({ files: 1, directories: 4 });
    expect(statSync(join(target, 'er/and/deeper/bottom.txt')).size).toBe(report.bytes);
  });

  it('answers with the code of what is wrong with a question', async () => {
    const { client } = open(source);
    const failures = [
      client.request('resolve', [0, '/not/there']),
      client.request('resolve', [0, '/README.txt/below']),
      client.request('resolve', [7, '/']),
      client.request('details', [0, 2 ** 40, 0]),
    ];
    const codes = await Promise.all(
      failures.map((failure) => failure.catch((error: { code: string }) => error.code)),
    );
    expect(codes.slice(0, 3)).toEqual(['not-found', 'not-a-directory', 'usage']);
    expect(codes[3]).not.toBe('internal');
  });
});

it('sends no more extents of a plan than a screen shows, and says how many there are', async () => {
  const scattered = new FatImage({ bits: 16 });
  for (let cluster = 3; cluster < scattered.clusters; cluster += 2) scattered.chain(cluster);
  const { client } = open(() => ({ bytes: new Uint8Array(scattered.bytes) }));
  const [root] = await client.request('resolve', [0, '/']);
  const create = { kind: 'create', type: 'file', directory: root.node, name: 'A' } as const;
  await client.request('edit', [{ ...create, volume: 0 }]);
  const [, { node }] = await client.request('resolve', [0, '/A']);
  const request = { offset: 0, length: 2000 * 512, keepSize: true, zero: false };
  const operation = { kind: 'preallocate', volume: 0, node, request } as const;
  for (const ask of ['plan', 'edit'] as const) {
    const { allocation } = await client.request(ask, [{ ...operation, policy: 'first-fit' }]);
    expect(allocation).toMatchObject({ extentCount: 2000, fragments: 2000, allocatedUnits: 2000 });
    expect(allocation?.extents).toHaveLength(1000);
    expect(allocation?.extents.at(-1)).toMatchObject({ logical: 999, physical: 2000, length: 1 });
  }
});

describe('what holds no filesystem', () => {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['one byte', Buffer.of(7)],
    ['random bytes', randomBytes(1_000_000)],
    ['zeros', Buffer.alloc(1_000_000)],
  ])('is told to hold nothing: %s', async (_name, bytes) => {
    const path = join(folder, 'other.img');
    writeFileSync(path, bytes);
    const { client, onRestart } = open(() => ({ path }));
    const { image: facts, volumes, first } = await client.request('summary', []);
    expect(facts.size).toBe(bytes.length);
    expect(first).toBeNull();
    for (const { unreadable } of volumes) expect(unreadable).toMatch(/^[A-Z].*\.$/);
    await expect(client.request('resolve', [0, '/'])).rejects.toMatchObject({ code: 'unreadable' });
    expect(onRestart).not.toHaveBeenCalled();
  });
});

describe('what cannot be opened', () => {
  it.each([
    ['a file that is not there', join(folder, 'missing.img')],
    ['a folder', folder],
  ])('is told so to every question: %s', async (_name, path) => {
    const { client, onRestart } = open(() => ({ path }));
    for (let i = 0; i < 2; i++) {
      await expect(client.request('summary', [])).rejects.toMatchObject({ code: 'unreadable' });
    }
    expect(onRestart).not.toHaveBeenCalled();
  });

  it('is opened once it is there', async () => {
    const path = join(folder, 'later.img');
    const { client } = open(() => ({ path }));
    await expect(client.request('summary', [])).rejects.toMatchObject({ code: 'unreadable' });
    writeFileSync(path, 'x');
    expect((await client.request('summary', [])).image.size).toBe(1);
  });
});

it('opens an image of 4 TiB as it does a small one', async () => {
  const path = join(folder, 'huge.img');
  writeFileSync(path, readFileSync(image));
  truncateSync(path, 4 * 2 ** 40);
  const { client } = open(() => ({ path }));
  const { image: facts, volumes } = await client.request('summary', []);
  expect(facts.size).toBe(4 * 2 ** 40);
  expect(facts.allocated).toBeLessThan(2 ** 30);
  expect(volumes[0]).toMatchObject({ type: 'ext4', unreadable: null });
});
