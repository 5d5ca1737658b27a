import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ChangeWatch, type FileVersion } from '../../../src/extension/image/change-watch';

const quiet = 500;
let file: FileVersion | undefined;
let watch: ChangeWatch;
const onChange = vi.fn();
const onGone = vi.fn();

beforeEach(async () => {
  vi.useFakeTimers();
  onChange.mockReset();
  onGone.mockReset();
  file = { size: 100, modified: 1 };
  watch = new ChangeWatch({ version: () => Promise.resolve(file), onChange, onGone, quiet });
  await vi.advanceTimersByTimeAsync(0);
});
afterEach(() => {
  watch.dispose();
  vi.useRealTimers();
});

const write = (modified: number, size = 100) => {
  file = { size, modified };
  watch.touched();
};

it('tells a change once, when the file has been quiet', async () => {
  write(2);
  await vi.advanceTimersByTimeAsync(quiet - 1);
  expect(onChange).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(quiet + 1);
  expect(onChange).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(10 * quiet);
  expect(onChange).toHaveBeenCalledOnce();
});

it('tells one change for a thousand writes', async () => {
  for (let i = 0; i < 1000; i++) {
    write(i + 2, 100 + i);
    await vi.advanceTimersByTimeAsync(20);
  }
  expect(onChange).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(3 * quiet);
  expect(onChange).toHaveBeenCalledOnce();
});

it('waits for a write that is told late', async () => {
  write(2);
  for (let i = 0; i < 5; i++) {
    await vi.advanceTimersByTimeAsync(quiet - 50);
    file = { size: 100 + i, modified: 3 + i }; // written to, but nobody says so
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(onChange).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2 * quiet);
  expect(onChange).toHaveBeenCalledOnce();
});

it('tells nothing of a file that was touched and is the same', async () => {
  watch.touched();
  await vi.advanceTimersByTimeAsync(5 * quiet);
  expect(onChange).not.toHaveBeenCalled();
});

it('waits for a file that is replaced', async () => {
  file = undefined;
  watch.touched();
  await vi.advanceTimersByTimeAsync(5 * quiet);
  expect(onChange).not.toHaveBeenCalled();
  write(9);
  await vi.advanceTimersByTimeAsync(2 * quiet);
  expect(onChange).toHaveBeenCalledOnce();
});

it('tells once that the file is gone, and a change when it is back', async () => {
  const original = file;
  file = undefined;
  watch.touched();
  await vi.advanceTimersByTimeAsync(quiet - 1);
  expect(onGone).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(watch.isGone).toBe(true);
  watch.touched();
  await vi.advanceTimersByTimeAsync(2 * quiet);
  expect(onGone).toHaveBeenCalledOnce();
  expect(onChange).not.toHaveBeenCalled();

  file = original; // moved away and back
  watch.touched();
  await vi.advanceTimersByTimeAsync(2 * quiet);
  expect(onChange).toHaveBeenCalledOnce();
  expect(watch.isGone).toBe(false);
});

it('tells nothing of a file that is replaced at once', async () => {
  file = undefined;
  watch.touched();
  await vi.advanceTimersByTimeAsync(quiet / 2);
  write(5);
  await vi.advanceTimersByTimeAsync(2 * quiet);
  expect(onGone).not.toHaveBeenCalled();
  expect(onChange).toHaveBeenCalledOnce();
});

it('tells each of two changes', async () => {
  write(2);
  await vi.advanceTimersByTimeAsync(2 * quiet);
  write(3);
  await vi.advanceTimersByTimeAsync(2 * quiet);
  expect(onChange).toHaveBeenCalledTimes(2);
});

it('tells nothing once it is disposed', async () => {
  write(2);
  await vi.advanceTimersByTimeAsync(quiet);
  watch.dispose();
  watch.touched();
  await vi.advanceTimersByTimeAsync(5 * quiet);
  expect(onChange).not.toHaveBeenCalled();
});

it('takes what is written for us for no change', async () => {
  await watch.writing(async () => {
    write(2);
    await vi.advanceTimersByTimeAsync(5 * quiet); // a long one
    expect(onChange).not.toHaveBeenCalled();
    write(3);
  });
  await vi.advanceTimersByTimeAsync(5 * quiet);
  expect(onChange).not.toHaveBeenCalled();
  write(4);
  await vi.advanceTimersByTimeAsync(5 * quiet);
  expect(onChange).toHaveBeenCalledOnce();
});

const fail = () => {
  write(3);
  return Promise.reject(new Error('The disk is full.'));
};

it('takes the time that a write for us leaves for no change when it fails', async () => {
  await expect(watch.writing(fail)).rejects.toThrow('The disk is full.');
  await vi.advanceTimersByTimeAsync(5 * quiet);
  expect(onChange).not.toHaveBeenCalled();
});

it('tells what was changed before a write for us that failed', async () => {
  write(2);
  await expect(watch.writing(fail)).rejects.toThrow('The disk is full.');
  await vi.advanceTimersByTimeAsync(5 * quiet);
  expect(onChange).toHaveBeenCalledOnce();
});

it('tells nothing of what is known already', async () => {
  write(2);
  await watch.learn();
  await vi.advanceTimersByTimeAsync(5 * quiet);
  expect(onChange).not.toHaveBeenCalled();
});

it('tells no change of a file that is back because we wrote it anew', async () => {
  file = undefined;
  watch.touched();
  await vi.advanceTimersByTimeAsync(2 * quiet);
  expect(watch.isGone).toBe(true);
  await watch.writing(() => {
    write(5);
    return Promise.resolve();
  });
  expect(watch.isGone).toBe(false);
  await vi.advanceTimersByTimeAsync(4 * quiet);
  expect(onChange).not.toHaveBeenCalled();
});
