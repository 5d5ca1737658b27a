import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { roles } from '../../src/filesystem/ownership';
import { EngineClient } from '../../src/worker/client';
import { bundleProgram, temporaryFolder } from '../bundle';

const folder = temporaryFolder();
const samples = resolve(import.meta.dirname, '../samples');
let program: string;
beforeAll(async () => {
  program = await bundleProgram('src/worker/main.ts', folder);
});

const clients: EngineClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.dispose()));
});

function sample(name: string): string {
  const path = join(folder, `${name}.img`);
  writeFileSync(path, brotliDecompressSync(readFileSync(join(samples, `sample-${name}.img.br`))));
  return path;
}

function open(path: string): EngineClient {
  const client = new EngineClient({
    program,
    openSource: () => ({ path }),
    onRestart: () => undefined,
  });
  clients.push(client);
  return client;
}

/** The map of a whole volume in so many cells. */
async function drawMap(client: EngineClient, cells: number) {
  const { volumes } = await client.request('summary', []);
  const { first = 0, count = 0 } = volumes[0].unit ?? {};
  const query = { volume: 0, first, units: count, cells, highlight: null };
  return { count, map: await client.request('spaceMap', [query]) };
}

describe.each(['ext2', 'ext4', 'fat32'])('the layout of the sample %s', (name) => {
  it('is drawn as a map, before and after owners are known', async () => {
    const client = open(sample(name));
    const { free } = await client.request('freeSpace', [0]);
    const { count, map } = await drawMap(client, 100);
    expect(map.shares).toBeInstanceOf(Uint8Array);
    expect(map).toMatchObject({ cells: 100, roles, hasOwners: false });
    expect(map.shares).toHaveLength(100 * roles.length);
    expect(map.totals.reduce((sum, units) => sum + units)).toBe(count);
    expect(map.totals[roles.indexOf('free')]).toBe(free);

    const progress = vi.fn();
    await client.request('findOwners', [0], { progress });
    const { map: known } = await drawMap(client, 100);
    expect(known.hasOwners).toBe(true);
    expect(known.totals[roles.indexOf('allocated')]).toBe(0);
    expect(known.totals[roles.indexOf('file')]).toBeGreaterThan(0);
    expect(known.totals.reduce((sum, units) => sum + units)).toBe(count);
  });

  it('leads from a file to its bytes and back', async () => {
    const client = open(sample(name));
    const steps = await client.request('resolve', [0, '/README.txt']);
    const { node, name: entryName } = steps[steps.length - 1];
    const path = `/${entryName}`; // on FAT in the case that it is stored in
    const { extents } = await client.request('details', [0, node, 10]);
    await client.request('findOwners', [0]);
    const owner = await client.request('owner', [0, extents[0].physical]);
    expect(owner).toMatchObject({ role: 'file', name: path, node });
    expect(await client.request('pathsOf', [0, node])).toEqual([path]);
    const unit = extents[0].physical;
    expect(await client.request('placeAt', [owner.offset])).toEqual({ volume: 0, unit });
    const content = await client.request('read', [0, node, 0, 16]);
    const bytes = await client.request('bytes', [owner.offset, 16]);
    expect(bytes).toEqual(content);
    const query = {
      pattern: content,
      from: 0,
      backwards: false,
      ignoreCase: false,
      places: 2 ** 40,
    };
    const found = await client.request('search', [query]);
    expect(found).toBeLessThanOrEqual(owner.offset);
  });

  it('has records and structures', async () => {
    const client = open(sample(name));
    const [root] = await client.request('resolve', [0, '/']);
    const raw = await client.request('rawDirectory', [0, root.node]);
    const [records] = await client.request('records', [0, root.node, 0, 1]);
    expect(records[0].offset).toBe(raw.blocks[0].offset);
    const structures = await client.request('structuresAt', [records[0].offset, 1]);
    expect(structures.at(-1)).toMatchObject({ offset: records[0].offset });
    expect(structures.at(-1)?.fields.length).toBeGreaterThan(2);

    const branches = await client.request('structureBranches', [0, null]);
    const placed = branches.find(({ offset }) => offset !== null);
    const described = await client.request('structure', [0, placed?.key ?? '']);
    expect(described.offset).toBe(placed?.offset);
    expect(await client.request('structureBranches', [null, null])).toEqual([]);
  });
});

describe('the journal', () => {
  it('is told of, and a volume can be shown as it leaves it', async () => {
    const client = open(sample('ext4'));
    expect(await client.request('journal', [0])).toMatchObject({
      needsRecovery: false,
      isReplayed: false,
    });
    await client.request('showReplayed', [0, true]);
    expect(await client.request('journal', [0])).toMatchObject({ isReplayed: true });
    await client.request('showReplayed', [0, false]);
    expect(await client.request('journal', [0])).toMatchObject({ isReplayed: false });
  });

  it('is none where the volume has none', async () => {
    expect(await open(sample('fat32')).request('journal', [0])).toBeNull();
  });
});

describe('the partition table', () => {
  it('has structures beside those of the volumes', async () => {
    const client = open(sample('card'));
    const [mbr] = await client.request('structureBranches', [null, null]);
    expect(mbr).toMatchObject({ name: 'MBR', offset: 0, hasChildren: true });
    expect(await client.request('placeAt', [0])).toEqual({ volume: null, unit: null });
    const { volumes } = await client.request('summary', []);
    const superblock = volumes[1].offset + 1024;
    expect(await client.request('structuresAt', [superblock, 1])).toMatchObject([
      { kind: 'superblock', offset: superblock },
    ]);
  });
});

describe('searching', () => {
  it('can be given up', async () => {
    const path = sample('ext2');
    truncateSync(path, 2 ** 42);
    const client = open(path);
    const stop = new AbortController();
    const pattern = new TextEncoder().encode('nowhere in this image');
    const query = { pattern, from: 0, backwards: false, ignoreCase: true, places: 2 ** 40 };
    const search = client.request('search', [query], {
      signal: stop.signal,
      progress: () => stop.abort(),
    });
    await expect(search).rejects.toMatchObject({ code: 'cancelled' });
    expect(await client.request('bytes', [1080, 2])).toEqual(Uint8Array.of(0x53, 0xef));
  });
});
