import { describe, expect, it } from 'vitest';
import {
  isSameStop,
  leave,
  pathIn,
  pathOf,
  placeAt,
  selectionOf,
  stepBack,
  stepForward,
  unitAt,
  unitBytes,
  type History,
  type Place,
  type Stop,
} from '../../../webview/inspection/selection';
import { fatVolume, xfsVolume } from '../fake-host';

const root = { name: '', node: 2 };
const boot = { name: 'boot', node: 11 };

const stop = (place: Place | null, change: Partial<Stop> = {}): Stop => ({
  view: 'files',
  place,
  bytes: null,
  ...change,
});

describe('paths', () => {
  it('are absolute', () => {
    expect(pathOf([root])).toBe('/');
    expect(pathOf([root, boot])).toBe('/boot');
    expect(pathIn([root], 'a')).toBe('/a');
    expect(pathIn([root, boot], 'a')).toBe('/boot/a');
  });
});

describe('selectionOf', () => {
  const chosen = { node: 12, name: 'x', type: 'file', offset: 400 } as const;

  it('tells the directory, and the entry with its type and its record', () => {
    const entry = { volume: 1, directory: 11, directoryPath: '/boot' };
    expect(selectionOf(stop(placeAt(1, [root, boot])))).toEqual({
      view: 'files',
      volume: 1,
      entry,
    });
    expect(selectionOf(stop(placeAt(1, [root, boot], chosen)))).toEqual({
      view: 'files',
      volume: 1,
      entry: { ...entry, node: 12, path: '/boot/x', type: 'file' },
      record: 400,
    });
  });

  it('tells the unit and the bytes', () => {
    const place = { ...placeAt(1, [root]), unit: 0 };
    const bytes = { offset: 0, length: 16 };
    expect(selectionOf(stop(place, { view: 'space', bytes }))).toMatchObject({ unit: 0, bytes });
  });

  it('has no entry in a volume that cannot be opened, and without a volume', () => {
    expect(selectionOf(stop(placeAt(1, [])))).toEqual({ view: 'files', volume: 1 });
    expect(selectionOf(stop(null))).toEqual({ view: 'files', volume: null });
  });
});

describe('units', () => {
  it('have their bytes, and bytes their unit', () => {
    expect(unitBytes(fatVolume, 2)).toEqual({ offset: 0x8000, length: 512 });
    expect(unitBytes(fatVolume, 129_001)?.offset).toBe(0x8000 + 128_999 * 512);
    expect(unitAt(fatVolume, 0x8000)).toBe(2);
    expect(unitAt(fatVolume, 0x8000 + 1023)).toBe(3);
  });

  it('are those of the volume alone', () => {
    for (const unit of [0, 1, 129_002]) expect(unitBytes(fatVolume, unit)).toBeNull();
    for (const offset of [0, 0x7fff, 0x8000 + 129_000 * 512]) {
      expect(unitAt(fatVolume, offset)).toBeNull();
    }
    expect(unitBytes(xfsVolume, 2)).toBeNull();
    expect(unitAt(null, 0)).toBeNull();
  });
});

describe('history', () => {
  const empty: History = { back: [], forward: [] };
  const trails = [[root], [root, boot], [root, boot, { name: 'c', node: 3 }]];
  const [a, b, c] = trails.map((trail) => stop(placeAt(1, trail)));

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
    for (let i = 0; i < 200; i++) history = leave(history, stop(placeAt(i, [])));
    expect(history.back).toHaveLength(50);
    expect(history.back.at(-1)?.place?.volume).toBe(199);
  });

  it('has a step for another view, directory, unit or range of bytes, and for nothing less', () => {
    const entry = { node: 12, name: 'x', type: 'file', offset: 400 } as const;
    const place = placeAt(1, [root]);
    const bytes = { offset: 512, length: 1 };
    expect(isSameStop(stop(place), stop(placeAt(1, [root], entry)))).toBe(true);
    expect(isSameStop(stop(place), stop(placeAt(1, [root, boot])))).toBe(false);
    expect(isSameStop(stop(place), stop(place, { view: 'space' }))).toBe(false);
    expect(isSameStop(stop(place), stop({ ...place, unit: 7 }))).toBe(false);
    expect(isSameStop(stop(place), stop(place, { bytes }))).toBe(false);
    expect(isSameStop(stop(null, { bytes }), stop(null, { bytes: { ...bytes } }))).toBe(true);
  });
});
