import { describe, expect, it } from 'vitest';
import {
  leave,
  pathIn,
  pathOf,
  selectionOf,
  stepBack,
  stepForward,
  type History,
  type Place,
} from '../../webview/selection';

const root = { name: '', node: 2 };
const boot = { name: 'boot', node: 11 };

const place = (...trail: Place['trail']): Place => ({ volume: 1, trail, chosen: null, scroll: 0 });

describe('paths', () => {
  it('are absolute', () => {
    expect(pathOf([root])).toBe('/');
    expect(pathOf([root, boot])).toBe('/boot');
    expect(pathIn([root], 'a')).toBe('/a');
    expect(pathIn([root, boot], 'a')).toBe('/boot/a');
  });
});

describe('selectionOf', () => {
  it('tells the directory, and the entry with its type', () => {
    expect(selectionOf(place(root, boot))).toEqual({
      volume: 1,
      directory: 11,
      directoryPath: '/boot',
    });
    const chosen = { node: 12, name: 'x', type: 'file', offset: 400 } as const;
    expect(selectionOf({ ...place(root, boot), chosen })).toEqual({
      volume: 1,
      directory: 11,
      directoryPath: '/boot',
      node: 12,
      path: '/boot/x',
      type: 'file',
    });
  });

  it('is nothing in a volume that cannot be opened', () => {
    expect(selectionOf(place())).toBeNull();
  });
});

describe('history', () => {
  const empty: History = { back: [], forward: [] };
  const [a, b, c] = [place(root), place(root, boot), place(root, boot, { name: 'c', node: 3 })];

  it('leads back and forward again', () => {
    const history = leave(leave(empty, a), b);
    const [first, atB] = stepBack(history, c) ?? [];
    expect(first).toBe(b);
    const [second, atA] = stepBack(atB ?? empty, b) ?? [];
    expect(second).toBe(a);
    expect(stepBack(atA ?? empty, a)).toBeNull();
    const [third, again] = stepForward(atA ?? empty, a) ?? [];
    expect(third).toBe(b);
    expect(again).toEqual({ back: [a], forward: [c] });
  });

  it('forgets the way forward when it turns elsewhere', () => {
    const [, atB] = stepBack(leave(leave(empty, a), b), c) ?? [];
    expect(leave(atB ?? empty, b)).toEqual({ back: [a, b], forward: [] });
    expect(stepForward(empty, a)).toBeNull();
  });

  it('is bounded', () => {
    let history = empty;
    for (let i = 0; i < 200; i++) history = leave(history, { ...a, volume: i });
    expect(history.back).toHaveLength(50);
    expect(history.back.at(-1)?.volume).toBe(199);
  });
});
