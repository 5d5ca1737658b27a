import { performance } from 'node:perf_hooks';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ListQuery } from '../../src/session/answers';
import { EngineClient, type EngineOptions } from '../../src/worker/client';
import { bundleProgram, temporaryFolder } from '../bundle';

const folder = temporaryFolder();
let program: string;
beforeAll(async () => {
  program = await bundleProgram('test/worker/obedient-engine.ts', folder);
});

const clients: EngineClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.dispose()));
});

function start(options: Partial<EngineOptions> = {}) {
  const onRestart = vi.fn();
  const client = new EngineClient({
    program,
    openSource: () => ({ bytes: new Uint8Array(5) }),
    onRestart,
    ...options,
  });
  clients.push(client);
  return { client, onRestart };
}

/** A listing that takes so many milliseconds. */
const work = (milliseconds: number): [ListQuery] => [
  {
    volume: 0,
    directory: 2,
    deleted: false,
    filter: '',
    sort: 'disk',
    descending: false,
    start: milliseconds,
    count: 0,
  },
];

const forever = 1e9;
const threads = () =>
  process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;

describe('an engine', () => {
  it('answers', async () => {
    const { client } = start();
    expect(await client.request('summary', [])).toMatchObject({ image: { size: 5 } });
    const bytes = await client.request('read', [0, 3, 4, 2]);
    expect(bytes).toEqual(Uint8Array.of(7, 7));
  });

  it('answers with the code and the message of its error', async () => {
    const { client } = start();
    await expect(client.request('resolve', [0, '/a'])).rejects.toMatchObject({
      name: 'RemoteError',
      code: 'not-found',
      message: 'There is no /a.',
    });
  });

  it('answers with one line where it has a defect, and goes on', async () => {
    const { client, onRestart } = start();
    await expect(client.request('exportNode', [0, 2, '/nowhere'])).rejects.toMatchObject({
      code: 'internal',
      message: 'This is a defect: undefined is not a function',
    });
    await client.request('summary', []);
    expect(onRestart).not.toHaveBeenCalled();
  });

  it('answers every request with the reason why its image cannot be opened', async () => {
    const { client } = start({ openSource: () => Promise.reject(new Error('It is too large.')) });
    await expect(client.request('summary', [])).rejects.toThrow('It is too large.');
    await expect(client.request('list', work(1))).rejects.toThrow('It is too large.');
  });
});

describe('long work', () => {
  it('tells its progress, but not more often than a person can see', async () => {
    const { client } = start();
    const progress = vi.fn();
    await client.request('list', work(1000), { progress });
    expect(progress.mock.calls.length).toBeGreaterThanOrEqual(3);
    expect(progress.mock.calls.length).toBeLessThanOrEqual(15);
    const done = progress.mock.calls.map(([value]) => value as number);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(progress.mock.calls[0][1]).toBe(1000);
  });

  it('is cancelled while it runs', async () => {
    const { client } = start();
    const stop = new AbortController();
    const listing = client.request('list', work(forever), {
      signal: stop.signal,
      progress: () => stop.abort(),
    });
    await expect(listing).rejects.toMatchObject({ code: 'cancelled' });
    await client.request('summary', []);
  });

  it('is cancelled while it waits, and what came before it is not', async () => {
    const { client } = start();
    const stop = new AbortController();
    const first = client.request('list', work(300));
    const second = client.request('list', work(forever), { signal: stop.signal });
    await client.request('list', work(0), { signal: AbortSignal.abort() }).catch(() => undefined);
    stop.abort();
    await expect(second).rejects.toMatchObject({ code: 'cancelled' });
    expect(await first).toMatchObject({ total: 0 });
  });

  it('is not asked for at all when it is cancelled before', async () => {
    const { client } = start();
    const listing = client.request('list', work(forever), { signal: AbortSignal.abort() });
    await expect(listing).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('an engine that dies', () => {
  it('rejects what it was asked at once, and another one answers', async () => {
    const { client, onRestart } = start();
    const waiting = [
      client.request('locatePrefix', [...work(0), 'a', 0]),
      client.request('list', work(forever)),
    ];
    for (const request of waiting) {
      await expect(request).rejects.toMatchObject({ code: 'ended' });
    }
    expect(await client.request('summary', [])).toMatchObject({ image: { size: 5 } });
    expect(onRestart).toHaveBeenCalledExactlyOnceWith(null);
  });

  it('says what it died of', async () => {
    const { client } = start();
    await expect(client.request('locateNode', [...work(0), 0])).rejects.toThrow(
      'The engine ended: nobody catches this.',
    );
  });

  it('dies alone of too little memory', async () => {
    const { client, onRestart } = start({ memoryLimit: 32 });
    await expect(client.request('details', [0, 2, 0])).rejects.toMatchObject({
      code: 'ended',
      message: 'The engine ended: it needed more than 32 MiB of memory.',
    });
    await client.request('summary', []);
    expect(onRestart).toHaveBeenCalledExactlyOnceWith(null);
  });

  it('is not asked again what it died of, but anything else', async () => {
    const { client, onRestart } = start({ memoryLimit: 32 });
    await expect(client.request('details', [0, 2, 0])).rejects.toMatchObject({ code: 'ended' });
    await expect(client.request('details', [0, 2, 0])).rejects.toMatchObject({
      code: 'internal',
      message: 'The engine ended on this before: it needed more than 32 MiB of memory.',
    });
    await client.request('summary', []);
    expect(onRestart).toHaveBeenCalledOnce();
    await client.reopen();
    await expect(client.request('details', [0, 2, 0])).rejects.toMatchObject({ code: 'ended' });
  });

  it('is asked again what only waited', async () => {
    const { client } = start();
    const dying = client.request('locatePrefix', [...work(0), 'a', 0]);
    const waiting = client.request('summary', []);
    await Promise.all([
      expect(dying).rejects.toMatchObject({ code: 'ended' }),
      expect(waiting).rejects.toMatchObject({ code: 'ended' }),
    ]);
    expect(await client.request('summary', [])).toMatchObject({ image: { size: 5 } });
  });

  it('is started four times anew, and then not before it is reopened', async () => {
    const { client, onRestart } = start();
    let dead = 0;
    const die = () => client.request('locatePrefix', [...work(0), 'a', dead++]);
    for (let i = 0; i < 5; i++) await expect(die()).rejects.toMatchObject({ code: 'ended' });
    await vi.waitFor(() => expect(onRestart).toHaveBeenCalledTimes(5));
    const failure = expect.stringContaining('The engine ended 5 times') as string;
    expect(onRestart.mock.calls).toEqual([[null], [null], [null], [null], [failure]]);

    const asked = performance.now();
    await expect(die()).rejects.toMatchObject({ code: 'ended', message: failure });
    expect(performance.now() - asked).toBeLessThan(100);

    await client.reopen();
    await client.request('summary', []);
  });
});

describe('reopening', () => {
  it('reads the source again, and ends what hangs', async () => {
    let size = 1;
    const { client, onRestart } = start({ openSource: () => ({ bytes: new Uint8Array(size++) }) });
    expect(await client.request('summary', [])).toMatchObject({ image: { size: 1 } });
    const hanging = client.request('freeSpace', [0]);
    const outcome = expect(hanging).rejects.toMatchObject({ code: 'ended' });
    await client.reopen();
    await outcome;
    expect(await client.request('summary', [])).toMatchObject({ image: { size: 2 } });
    expect(onRestart).not.toHaveBeenCalled();
  });
});

describe('disposing', () => {
  it('leaves no thread, even of an engine that hangs', async () => {
    const before = threads();
    const { client, onRestart } = start();
    await client.request('summary', []);
    expect(threads()).toBeGreaterThan(before);
    const outcome = expect(client.request('freeSpace', [0])).rejects.toMatchObject({
      code: 'ended',
      message: 'The image has been closed.',
    });
    await client.dispose();
    await outcome;
    expect(threads()).toBe(before);
    expect(onRestart).not.toHaveBeenCalled();
    await expect(client.request('summary', [])).rejects.toMatchObject({ code: 'ended' });
  });

  it('does not start an engine whose source comes too late', async () => {
    const before = threads();
    let deliver: (source: { bytes: Uint8Array<ArrayBuffer> }) => void = () => undefined;
    const { client } = start({ openSource: () => new Promise((resolve) => (deliver = resolve)) });
    const outcome = expect(client.request('summary', [])).rejects.toMatchObject({ code: 'ended' });
    const disposed = client.dispose();
    deliver({ bytes: new Uint8Array(1) });
    await Promise.all([disposed, outcome]);
    expect(threads()).toBe(before);
  });
});
