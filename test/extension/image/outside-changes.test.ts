import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OutsideChanges } from '../../../src/extension/image/outside-changes';
import { FakeEngine } from './fake-engine';

let engine: FakeEngine;
let outside: OutsideChanges;
let isDirty: boolean;
const ask = vi.fn<() => Promise<'reload' | 'keep'>>();
const tell = vi.fn();
const reload = vi.fn(async () => {
  isDirty = false;
  outside.settled();
});

beforeEach(async () => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  isDirty = false;
  engine = new FakeEngine();
  outside = new OutsideChanges({
    engine: engine.client,
    ...{ isDirty: () => isDirty, reload, ask, tell },
  });
  outside.settled();
  await vi.advanceTimersByTimeAsync(5000);
});
afterEach(() => {
  outside.dispose();
  vi.useRealTimers();
});

async function notice(): Promise<void> {
  const noticed = outside.noticed();
  await vi.advanceTimersByTimeAsync(10);
  await noticed;
}

it('reads an image without changes anew, and tells what has changed', async () => {
  await notice();
  expect(reload).toHaveBeenCalledOnce();
  expect(ask).not.toHaveBeenCalled();
  expect(tell).toHaveBeenCalledExactlyOnceWith({ sentences: ['It was [].'] });
});

it('remembers what it has told of, and walks the image once for both', async () => {
  engine.file = ['a'];
  await notice();
  await vi.advanceTimersByTimeAsync(5000);
  expect(engine.asked).toEqual(['remember', 'remember']);
  await notice();
  expect(tell).toHaveBeenLastCalledWith({ sentences: ['It was ["a"].'] });
});

it('asks once about changes that are not saved, and keeps them', async () => {
  isDirty = true;
  ask.mockResolvedValue('keep');
  await notice();
  await notice();
  expect(ask).toHaveBeenCalledOnce();
  expect(reload).not.toHaveBeenCalled();
  expect(outside.isOutdated).toBe(true);
});

it('does not ask again while the question is open', async () => {
  isDirty = true;
  let reloadIt = (): void => undefined;
  ask.mockReturnValue(new Promise((resolve) => (reloadIt = () => resolve('reload'))));
  const first = outside.noticed();
  await notice();
  expect(ask).toHaveBeenCalledOnce();
  reloadIt();
  await vi.advanceTimersByTimeAsync(10);
  await first;
  expect(reload).toHaveBeenCalledOnce();
});

it('asks anew once the changes have been saved', async () => {
  isDirty = true;
  ask.mockResolvedValue('keep');
  await notice();
  outside.settled();
  expect(outside.isOutdated).toBe(false);
  await notice();
  expect(ask).toHaveBeenCalledTimes(2);
});

it('tells the difference to what was saved last', async () => {
  engine.file = ['a'];
  outside.settled();
  await vi.advanceTimersByTimeAsync(5000);
  await notice();
  expect(tell).toHaveBeenCalledExactlyOnceWith({ sentences: ['It was ["a"].'] });
});

it('does not take what is not saved for what was there', async () => {
  isDirty = true;
  outside.settled();
  await vi.advanceTimersByTimeAsync(5000);
  ask.mockResolvedValue('reload');
  await notice();
  expect(tell).toHaveBeenCalledExactlyOnceWith(null);
});

it('remembers nothing any more once it is disposed', async () => {
  engine.asked.length = 0;
  outside.dispose();
  outside.settled();
  await vi.advanceTimersByTimeAsync(5000);
  expect(engine.asked).toEqual([]);
});
