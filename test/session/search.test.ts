import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { ImageError } from '../../src/image/errors';
import { MemoryBytes } from '../../src/image/memory-bytes';
import { search } from '../../src/session/search';

const chunk = 1024 * 1024;
const text = (words: string) => new TextEncoder().encode(words);

/** Zeros with these words in them. */
function image(size: number, words: Readonly<Record<number, string>>): MemoryBytes {
  const bytes = new Uint8Array(size);
  for (const [offset, word] of Object.entries(words)) bytes.set(text(word), Number(offset));
  return new MemoryBytes(bytes);
}

const query = (
  words: string,
  from = 0,
  options: { backwards?: boolean; ignoreCase?: boolean; places?: number } = {},
) => ({
  pattern: text(words),
  from,
  backwards: false,
  ignoreCase: false,
  places: Infinity,
  ...options,
});

describe('searching an image', () => {
  const source = image(3 * chunk, {
    5: 'needle',
    [chunk - 3]: 'needle',
    [2 * chunk - 1]: 'NEEDLE',
    [3 * chunk - 6]: 'needle',
  });

  it('finds what lies across chunks, and at the very end', () => {
    expect(search(source, query('needle'))).toBe(5);
    expect(search(source, query('needle', 6))).toBe(chunk - 3);
    expect(search(source, query('needle', chunk - 2))).toBe(3 * chunk - 6);
    expect(search(source, query('needle', 3 * chunk - 5))).toBeNull();
  });

  it('finds backwards, from a place on and before it', () => {
    const back = (from: number) => search(source, query('needle', from, { backwards: true }));
    expect(back(3 * chunk)).toBe(3 * chunk - 6);
    expect(back(3 * chunk - 7)).toBe(chunk - 3);
    expect(back(chunk - 3)).toBe(chunk - 3);
    expect(back(chunk - 4)).toBe(5);
    expect(back(4)).toBeNull();
  });

  it('looks no further than it is to', () => {
    expect(search(source, query('needle', 6, { places: chunk - 9 }))).toBeNull();
    expect(search(source, query('needle', 6, { places: chunk - 8 }))).toBe(chunk - 3);
    const backwards = true;
    expect(search(source, query('needle', chunk, { backwards, places: 3 }))).toBeNull();
    expect(search(source, query('needle', chunk, { backwards, places: 4 }))).toBe(chunk - 3);
    expect(search(source, query('needle', 5, { places: 0 }))).toBeNull();
  });

  it('disregards the case of ASCII letters, and of nothing else', () => {
    const ignoreCase = true;
    expect(search(source, query('NeeDLe', chunk, { ignoreCase }))).toBe(2 * chunk - 1);
    expect(search(image(64, { 8: '[@É' }), query('{`é', 0, { ignoreCase }))).toBeNull();
    const pattern = text('NEEDLE');
    search(source, { ...query(''), pattern, ignoreCase });
    expect(pattern).toEqual(text('NEEDLE'));
  });

  it('does not find what is longer than the image, or nothing', () => {
    expect(search(image(3, {}), query('\0\0\0\0'))).toBeNull();
    expect(search(image(3, {}), query('\0\0\0'))).toBe(0);
    expect(() => search(source, query(''))).toThrow('nothing to search');
  });

  it('tells how far it is, and ends when it is cancelled', () => {
    const report = vi.fn();
    search(source, query('no such words'), { report });
    expect(report.mock.calls.map(([done]) => done as number)).toEqual([0, chunk, 2 * chunk]);
    const cancel = () => {
      throw new ImageError('cancelled', 'The work was cancelled.');
    };
    expect(() => search(source, query('no'), { report: cancel })).toThrow('cancelled');
  });

  it('finds as looking at every place does', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ max: 5, min: 0, maxLength: 60 }),
        fc.uint8Array({ max: 5, min: 0, minLength: 1, maxLength: 3 }),
        fc.nat({ max: 70 }),
        fc.boolean(),
        (bytes, pattern, from, backwards) => {
          const places = Array.from(bytes.keys()).filter(
            (at) =>
              (backwards ? at <= from : at >= from) &&
              at + pattern.length <= bytes.length &&
              pattern.every((byte, i) => bytes[at + i] === byte),
          );
          const found = search(new MemoryBytes(bytes), {
            pattern,
            from,
            backwards,
            ignoreCase: false,
            places: Infinity,
          });
          expect(found).toBe((backwards ? places.at(-1) : places.at(0)) ?? null);
        },
      ),
    );
  });
});
