import { describe, expect, it } from 'vitest';
import { layOutPieces, scalePieces, type Piece } from '../../../webview/files/extent-scale';

const data = (logical: number, physical: number, length: number) => ({ logical, physical, length });

describe('layOutPieces', () => {
  it('names the holes before, between and after the extents', () => {
    const extents = [data(2, 100, 3), { ...data(8, 50, 2), unwritten: true }];
    expect(layOutPieces(extents, 12, 2)).toEqual([
      { kind: 'hole', logical: 0, physical: null, length: 2 },
      { kind: 'data', logical: 2, physical: 100, length: 3 },
      { kind: 'hole', logical: 5, physical: null, length: 3 },
      { kind: 'unwritten', logical: 8, physical: 50, length: 2 },
      { kind: 'hole', logical: 10, physical: null, length: 2 },
    ]);
  });

  it('keeps what is allocated beyond the size', () => {
    expect(layOutPieces([data(0, 10, 8)], 3, 1)).toEqual([{ kind: 'data', ...data(0, 10, 8) }]);
  });

  it('calls the rest of a list that was cut not listed', () => {
    expect(layOutPieces([data(0, 10, 8)], 100, 7).at(-1)).toEqual({
      kind: 'unlisted',
      logical: 8,
      physical: null,
      length: 92,
    });
  });

  it('has no gap and no overlap, whatever the extents claim', () => {
    const extents = [data(0, 10, 5), data(3, 20, 4), data(1, 30, 2), data(9, 40, 1)];
    const pieces = layOutPieces(extents, 20, 4);
    let end = 0;
    for (const { logical, length } of pieces) {
      expect(logical).toBe(end);
      expect(length).toBeGreaterThan(0);
      end = logical + length;
    }
    expect(end).toBe(20);
    expect(pieces[1]).toEqual({ kind: 'data', logical: 5, physical: 22, length: 2 });
  });

  it('is empty for an empty file', () => {
    expect(layOutPieces([], 0, 0)).toEqual([]);
  });
});

describe('scalePieces', () => {
  const pieces = (...lengths: [Piece['kind'], number][]): Piece[] => {
    let logical = 0;
    return lengths.map(([kind, length]) => {
      const piece = { kind, logical, physical: null, length };
      logical += length;
      return piece;
    });
  };

  it('makes pieces as wide as their length', () => {
    expect(scalePieces(pieces(['data', 30], ['hole', 10], ['unwritten', 60]), 200)).toEqual([
      { kind: 'data', start: 0, width: 60, first: 0, last: 0 },
      { kind: 'hole', start: 60, width: 20, first: 1, last: 1 },
      { kind: 'unwritten', start: 80, width: 120, first: 2, last: 2 },
    ]);
  });

  it('keeps pieces of one kind apart', () => {
    const spans = scalePieces(pieces(['data', 5], ['data', 5]), 10);
    expect(spans.map(({ start, width }) => [start, width])).toEqual([
      [0, 5],
      [5, 5],
    ]);
  });

  it('gives a pixel to what is smaller than one', () => {
    const spans = scalePieces(pieces(['hole', 500], ['data', 1], ['hole', 499]), 100);
    expect(spans.filter(({ kind }) => kind === 'data')).toEqual([
      { kind: 'data', start: 50, width: 1, first: 1, last: 1 },
    ]);
  });

  it('says where several pieces share a pixel', () => {
    const many = Array.from({ length: 1000 }, (): [Piece['kind'], number] => ['data', 1]);
    const spans = scalePieces(pieces(...many), 10);
    expect(spans).toHaveLength(1);
    expect(spans[0]).toMatchObject({ kind: 'mixed', start: 0, width: 10, first: 0, last: 999 });
  });

  it('covers the strip from end to end, and stands for every piece', () => {
    let seed = 7;
    const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
    for (let round = 0; round < 50; round++) {
      const count = 1 + Math.floor(random() * 300);
      const kinds: Piece['kind'][] = ['data', 'hole', 'unwritten'];
      const made = pieces(
        ...Array.from({ length: count }, (_, i): [Piece['kind'], number] => [
          kinds[i % 3],
          1 + Math.floor(random() ** 6 * 1e6),
        ]),
      );
      const width = 1 + Math.floor(random() * 400);
      const spans = scalePieces(made, width);
      let end = 0;
      for (const span of spans) {
        expect(span.start).toBe(end);
        expect(span.last).toBeGreaterThanOrEqual(span.first);
        end += span.width;
      }
      expect(end).toBe(width);
    }
  });

  it('draws nothing without room or pieces', () => {
    expect(scalePieces([], 100)).toEqual([]);
    expect(scalePieces(pieces(['data', 5]), 0)).toEqual([]);
  });
});
