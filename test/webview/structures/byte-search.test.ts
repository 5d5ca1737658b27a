import { describe, expect, it, vi } from 'vitest';
import type { SearchQuery } from '../../../src/protocol/requests';
import { RemoteError } from '../../../src/protocol/rpc';
import { ByteSearch, placesAtOnce } from '../../../webview/structures/byte-search';
import { Tasks } from '../../../webview/inspection/tasks';
import { FakeTree } from '../fake-host';

const pattern = Uint8Array.of(1, 2);
const forward = { pattern, backwards: false, ignoreCase: false };
const backward = { ...forward, backwards: true };
const size = 1000;

function setup(...answers: (number | null)[]) {
  const search = vi.fn<(query: SearchQuery) => Promise<number | null>>(async () => null);
  for (const answer of answers) search.mockResolvedValueOnce(answer);
  const cancel = vi.fn();
  const tasks = new Tasks(cancel);
  const found = new ByteSearch({ ...new FakeTree().host, search }, tasks, () => undefined);
  const asked = () => search.mock.calls.map(([{ from, places }]) => [from, places]);
  return { asked, cancel, found, search, tasks };
}

describe('ByteSearch', () => {
  it('finds the next place', async () => {
    const { asked, found } = setup(70);
    expect(await found.find(forward, 60, size)).toBe(70);
    expect(asked()).toEqual([[60, 940]]);
    expect(found.current).toEqual({ state: 'found', offset: 70, wrapped: false });
  });

  it('goes on around the end, and says so', async () => {
    const { asked, found } = setup(null, 5);
    expect(await found.find(forward, 60, size)).toBe(5);
    expect(asked()[1]).toEqual([0, 60]);
    expect(found.current).toMatchObject({ wrapped: true });
  });

  it('goes on around the start, backwards', async () => {
    const { asked, found } = setup(null, 990);
    expect(await found.find(backward, 60, size)).toBe(990);
    expect(asked()).toEqual([
      [60, 61],
      [999, 939],
    ]);
    expect(found.current).toMatchObject({ wrapped: true });
  });

  it('begins at the other end where it stands at one', async () => {
    const { asked, found } = setup(990, 5);
    expect(await found.find(backward, -1, size)).toBe(990);
    expect(await found.find(forward, size, size)).toBe(5);
    expect(asked()).toEqual([
      [999, 1000],
      [0, 1000],
    ]);
  });

  it('looks at every place once, and says when there is nothing', async () => {
    const { asked, found } = setup();
    expect(await found.find(forward, 60, size)).toBeNull();
    expect(asked()).toEqual([
      [60, 940],
      [0, 60],
    ]);
    expect(found.current).toEqual({ state: 'missing' });
    expect(await found.find(forward, 0, 0)).toBeNull();
    expect(asked()).toHaveLength(2);
  });

  it('looks through large images in stretches', async () => {
    const { asked, found } = setup();
    await found.find(forward, 0, 2.5 * placesAtOnce);
    expect(asked()).toEqual([
      [0, placesAtOnce],
      [placesAtOnce, placesAtOnce],
      [2 * placesAtOnce, placesAtOnce / 2],
    ]);
  });

  it('says how far it is', async () => {
    const { found, search, tasks } = setup(null);
    search.mockResolvedValueOnce(null).mockReturnValueOnce(new Promise(() => undefined));
    void found.find(forward, 0, 4 * placesAtOnce);
    await vi.waitFor(() => expect(search).toHaveBeenCalledTimes(3));
    tasks.progress(3, placesAtOnce / 2, placesAtOnce);
    expect(found.current).toEqual({ state: 'searching', share: 2.5 / 4 });
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
