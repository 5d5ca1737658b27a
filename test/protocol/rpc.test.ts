import { MessageChannel } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connect, RemoteError, type Channel } from '../../src/protocol/rpc';
import { ImageError } from '../../src/image/errors';

interface Requests {
  add(a: number, b: number): number;
  fail(): void;
  wait(): void;
  unpostable(): unknown;
}
interface Events {
  changed(name: string): void;
}

/** Two ends of a wire that carries JSON, as a webview's does but for typed arrays. */
function jsonChannels(): [Channel, Channel] {
  const receivers: ((message: unknown) => void)[] = [];
  const end = (index: number): Channel => ({
    post: (message) => {
      const text = JSON.stringify(message);
      queueMicrotask(() => receivers[1 - index](JSON.parse(text)));
    },
    listen: (receive) => {
      receivers[index] = receive;
    },
  });
  return [end(0), end(1)];
}

const openPorts: { close(): void }[] = [];
afterEach(() => openPorts.splice(0).forEach((port) => port.close()));

function portChannels(): [Channel, Channel] {
  const { port1, port2 } = new MessageChannel();
  openPorts.push(port1);
  return [port1, port2].map((port) => ({
    post: (message: unknown) => port.postMessage(message),
    listen: (receive: (message: unknown) => void) => void port.on('message', receive),
  })) as [Channel, Channel];
}

const functions = {
  add: (a: number, b: number) => a + b,
  fail: () => {
    throw new ImageError('not-found', 'There is no /a.');
  },
  wait: () => new Promise<void>(() => undefined),
  unpostable: () => () => undefined,
};

describe.each([
  ['JSON', jsonChannels],
  ['a message port', portChannels],
])('calls over %s', (_name, channels) => {
  it('carry arguments and results', async () => {
    const [here, there] = channels();
    connect<object, object>(there, functions);
    const { requests } = connect<Requests, object>(here, {});
    expect(await requests.add(2, 3)).toBe(5);
  });

  it('bring errors back with their code', async () => {
    const [here, there] = channels();
    connect<object, object>(there, functions);
    const { requests } = connect<Requests, object>(here, {});
    const error = await requests.fail().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RemoteError);
    expect(error).toMatchObject({ code: 'not-found', message: 'There is no /a.' });
  });

  it('tell a defect as one line without a stack', async () => {
    const [here, there] = channels();
    connect<object, object>(there, {
      fail: () => {
        throw new TypeError('a is\nundefined');
      },
    });
    const { requests } = connect<Requests, object>(here, {});
    await expect(requests.fail()).rejects.toMatchObject({
      code: 'internal',
      message: 'This is a defect: a is undefined',
    });
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'do not reach %s, which the object only inherits',
    async (name) => {
      const [here, there] = channels();
      connect<object, object>(there, functions);
      const { requests } = connect<Record<string, () => unknown>, object>(here, {});
      await expect(requests[name]()).rejects.toMatchObject({ code: 'internal' });
    },
  );

  it('reject with the given error when the connection is closed, and afterwards', async () => {
    const [here, there] = channels();
    connect<object, object>(there, functions);
    const connection = connect<Requests, Events>(here, {});
    const waiting = connection.requests.wait();
    await connection.requests.add(1, 1);
    connection.close(new RemoteError('ended', 'The engine has ended.'));
    await expect(waiting).rejects.toMatchObject({ code: 'ended' });
    await expect(connection.requests.add(1, 1)).rejects.toMatchObject({ code: 'ended' });
    connection.tell('changed', 'nobody hears it');
  });

  it('deliver events', async () => {
    const [here, there] = channels();
    const changed = vi.fn();
    connect<object, object>(there, { changed });
    connect<object, Events>(here, {}).tell('changed', 'a');
    await vi.waitFor(() => expect(changed).toHaveBeenCalledWith('a'));
  });
});

it('answers with an error what cannot be posted', async () => {
  const [here, there] = portChannels();
  connect<object, object>(there, functions);
  const { requests } = connect<Requests, object>(here, {});
  await expect(requests.unpostable()).rejects.toMatchObject({ code: 'internal' });
});

it('ignores what is no message of ours', async () => {
  let receive: (message: unknown) => void = () => undefined;
  const posted: unknown[] = [];
  const called = vi.fn();
  connect<object, object>(
    { post: (message) => posted.push(message), listen: (listener) => (receive = listener) },
    { called },
  );
  const strange = [
    null,
    undefined,
    7,
    'q',
    [],
    {},
    { t: 'q' },
    { t: 'q', m: 'called' },
    { t: 'q', m: 'called', a: 'no array' },
    { t: 'q', m: 'called', a: [], i: 7 },
    { t: 'q', m: 7, a: [] },
    { t: 's' },
    { t: 's', i: 'unknown', e: null },
    { t: 's', i: 'unknown', e: 'text' },
  ];
  for (const message of strange) receive(message);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(called).not.toHaveBeenCalled();
  expect(posted).toEqual([]);
  receive({ t: 'q', m: 'called', a: [] });
  await vi.waitFor(() => expect(called).toHaveBeenCalledOnce());
});
