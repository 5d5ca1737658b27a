import { expect, it, vi } from 'vitest';
import { Tasks } from '../../../webview/inspection/tasks';

it('numbers requests and hands their progress on to whom it belongs', async () => {
  const tasks = new Tasks(() => undefined);
  const heard: string[] = [];
  const ends: (() => void)[] = [];
  const begin = (name: string) =>
    tasks.start(
      (task) => new Promise<number>((resolve) => ends.push(() => resolve(task))),
      (done, total) => heard.push(`${name} ${done}/${total}`),
    );
  const first = begin('first');
  begin('second');
  tasks.progress(2, 1, 4);
  tasks.progress(1, 3, 4);
  ends[0]();
  expect(await first.answer).toBe(1);
  tasks.progress(1, 4, 4);
  tasks.progress(99, 1, 1);
  expect(heard).toEqual(['second 1/4', 'first 3/4']);
});

it('cancels at the host what still runs, once', async () => {
  const cancel = vi.fn();
  const tasks = new Tasks(cancel);
  const done = tasks.start(() => Promise.resolve('done'));
  await done.answer;
  done.cancel();
  expect(cancel).not.toHaveBeenCalled();

  const running = tasks.start(() => new Promise(() => undefined));
  running.cancel();
  running.cancel();
  expect(cancel.mock.calls).toEqual([[2]]);
});

it('passes failures on', async () => {
  const tasks = new Tasks(() => undefined);
  const task = tasks.start(() => Promise.reject(new Error('It failed.')));
  await expect(task.answer).rejects.toThrow('It failed.');
});
