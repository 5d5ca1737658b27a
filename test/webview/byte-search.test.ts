import { describe, expect, it, vi } from 'vitest';
import { RemoteError } from '../../src/protocol/rpc';
import { ByteSearch } from '../../webview/byte-search';
import { Tasks } from '../../webview/tasks';
import { FakeTree } from './fake-host';

const pattern = Uint8Array.of(1, 2);
const forward = { pattern, backwards: false, ignoreCase: false };
const size = 1000;

function setup(...answers: (number | null)[]) {
  const tree = new FakeTree();
  const search = vi.fn();
  for (const answer of answers) search.mockResolvedValueOnce(answer);
  const host = { ...tree.host, search };
  const cancel = vi.fn();
  const tasks = new Tasks(cancel);
  return { cancel, search, tasks, found: new ByteSearch(host, tasks, () => undefined) };
}

describe('ByteSearch', () => {
  it('finds the next place', async () => {
    const { found, search } = setup(70);
    expect(await found.find(forward, 60, size)).toBe(70);
    expect(search).toHaveBeenCalledExactlyOnceWith({ ...forward, from: 60 }, expect.any(Number));
    expect(found.current).toEqual({ state: 'found', offset: 70, wrapped: false });
  });

  it('goes on around the end, and says so', async () => {
    const { found, search } = setup(null, 5);
    expect(await found.find(forward, 60, size)).toBe(5);
    expect(search).toHaveBeenLastCalledWith({ ...forward, from: 0 }, expect.any(Number));
    expect(found.current).toMatchObject({ wrapped: true });
  });

  it('goes on around the start, backwards', async () => {
    const { found, search } = setup(990);
    expect(await found.find({ ...forward, backwards: true }, -1, size)).toBe(990);
    expect(search).toHaveBeenCalledExactlyOnceWith(
      { ...forward, backwards: true, from: 999 },
      expect.any(Number),
    );
    expect(found.current).toMatchObject({ wrapped: true });
  });

  it('says when there is nothing', async () => {
    const { found, search } = setup(null, null);
    expect(await found.find(forward, 60, size)).toBeNull();
    expect(search).toHaveBeenCalledTimes(2);
    expect(found.current).toEqual({ state: 'missing' });
  });

  it('says how far it is', () => {
    const { found, search, tasks } = setup();
    search.mockReturnValueOnce(new Promise(() => undefined));
    void found.find(forward, 60, size);
    tasks.progress(1, 30, 120);
    expect(found.current).toEqual({ state: 'searching', share: 0.125 });
  });

  it('stops, and comes to nothing then', async () => {
    const { cancel, found, search } = setup();
    let answer: (offset: number) => void = () => undefined;
    search.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    const finding = found.find(forward, 60, size);
    found.stop();
    expect(cancel).toHaveBeenCalledExactlyOnceWith(1);
    answer(70);
    expect(await finding).toBeNull();
    expect(found.current).toEqual({ state: 'stopped' });
  });

  it('says why it cannot', async () => {
    const { found, search } = setup();
    search.mockRejectedValueOnce(new RemoteError('unreadable', 'The file is gone.'));
    expect(await found.find(forward, 60, size)).toBeNull();
    expect(found.current).toEqual({ state: 'failed', message: 'The file is gone.' });
  });
});
