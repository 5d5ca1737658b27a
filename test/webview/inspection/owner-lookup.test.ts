import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OwnerAnswer, Role } from '../../../src/protocol/requests';
import { RemoteError } from '../../../src/protocol/rpc';
import {
  findOwned,
  OwnerLookup,
  type LookupTarget,
} from '../../../webview/inspection/owner-lookup';

/** Runs of ten units each, in these roles. */
function ownerIn(runs: readonly Role[], unit: number): OwnerAnswer {
  const run = Math.floor(unit / 10);
  return { start: run * 10, length: 10, offset: 0, role: runs[run], name: `run ${run}` };
}

const target = (change: Partial<LookupTarget> = {}): LookupTarget => ({
  volume: 0,
  first: 3,
  units: 40,
  role: 'file',
  version: '',
  ...change,
});

describe('findOwned', () => {
  const ask = (runs: readonly Role[]) =>
    vi.fn((unit: number) => Promise.resolve(ownerIn(runs, unit)));

  it('is satisfied with the first unit where that has the role', async () => {
    const asked = ask(['file', 'free', 'file', 'free', 'free']);
    expect((await findOwned(target(), asked)).unit).toBe(3);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('finds the first unit of the role', async () => {
    expect((await findOwned(target(), ask(['free', 'lost', 'file', 'free', 'free']))).unit).toBe(
      20,
    );
  });

  it('does not look beyond the target', async () => {
    const runs: Role[] = ['free', 'lost', 'free', 'lost', 'free', 'file'];
    expect((await findOwned(target(), ask(runs))).unit).toBe(3);
  });

  it('gives up after a few runs', async () => {
    const runs: Role[] = [...new Array<Role>(50).fill('free'), 'file'];
    const asked = ask(runs);
    expect((await findOwned(target({ units: 600 }), asked)).unit).toBe(3);
    expect(asked.mock.calls.length).toBeLessThan(10);
  });

  it('does not go in circles where a run does not reach beyond its unit', async () => {
    const answer = { ...ownerIn(['free'], 0), length: 0 };
    expect((await findOwned(target(), () => Promise.resolve(answer))).unit).toBe(3);
  });
});

describe('OwnerLookup', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function start(answer: (unit: number) => Promise<OwnerAnswer>) {
    const cancel = vi.fn();
    const ask = vi.fn((_volume: number, unit: number) => ({ answer: answer(unit), cancel }));
    const changed = vi.fn();
    return { lookup: new OwnerLookup(ask, 100, changed), ask, cancel, changed };
  }
  const answerAll = (unit: number) => Promise.resolve(ownerIn(['file', 'file', 'free'], unit));

  it('asks only for where the pointer rests', async () => {
    const { lookup, ask, changed } = start(answerAll);
    for (let first = 0; first < 20; first++) lookup.follow(target({ first, units: 1 }));
    await vi.advanceTimersByTimeAsync(100);
    expect(ask.mock.calls).toEqual([[0, 19]]);
    expect(lookup.found).toMatchObject({ unit: 19, owner: { name: 'run 1' } });
    expect(changed).toHaveBeenCalledTimes(1);
  });

  it('drops the answer for what is no longer pointed at', async () => {
    const { lookup, cancel } = start(() => new Promise(() => undefined));
    lookup.follow(target({ first: 1, units: 1 }));
    await vi.advanceTimersByTimeAsync(100);
    lookup.follow(null);
    expect(cancel).toHaveBeenCalledTimes(1);
    expect(lookup.found).toBeNull();
  });

  it('answers at once when that is asked for, and asks once', async () => {
    const { lookup, ask } = start(answerAll);
    lookup.follow(target());
    expect((await lookup.now())?.unit).toBe(3);
    await vi.advanceTimersByTimeAsync(100);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('keeps what is known of the same units until the newer answer comes', async () => {
    const { lookup } = start(answerAll);
    lookup.follow(target());
    await lookup.now();
    lookup.follow(target({ version: 'newer' }));
    expect(lookup.found?.unit).toBe(3);
    lookup.follow(target({ first: 4 }));
    expect(lookup.found).toBeNull();
  });

  it('says why there is no answer, but not that it was given up', async () => {
    const { lookup } = start((unit) =>
      Promise.reject(new RemoteError(unit === 0 ? 'cancelled' : 'corrupt', `No ${unit}.`)),
    );
    lookup.follow(target({ first: 0 }));
    expect(await lookup.now()).toBeNull();
    expect(lookup.failure).toBeNull();
    lookup.follow(target({ first: 7 }));
    await lookup.now();
    expect(lookup.failure).toBe('No 7.');
  });
});
