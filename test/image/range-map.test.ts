import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentAfter, hole, inFile, RangeMap, zeros } from '../../src/image/range-map';

const size = 3000;

/** What a map holds of each byte, and nothing twice or out of order. */
function contentsOf(map: RangeMap): (number | undefined)[] {
  const contents = Array.from<number | undefined>({ length: size });
  let previousEnd = 0;
  let count = 0;
  map.visitAll((start, end, content) => {
    expect(start).toBeGreaterThanOrEqual(previousEnd);
    expect(end).toBeGreaterThan(start);
    for (let at = start; at < end; at++) contents[at] = contentAfter(content, at - start);
    previousEnd = end;
    count++;
  });
  expect(map.count).toBe(count);
  return contents;
}

const operation = fc.record({
  start: fc.nat(size - 1),
  length: fc.oneof(fc.nat(4), fc.nat(1500)),
  content: fc.constantFrom(zeros, hole, inFile, 0, 10_000, null),
});

describe('a map of ranges', () => {
  it('is as a content for each byte', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
        const map = new RangeMap();
        const model = Array.from<number | undefined>({ length: size });
        for (const { start, length, content } of operations) {
          const end = Math.min(size, start + length);
          if (content === null) map.delete(start, end);
          else map.set(start, end, content);
          for (let at = start; at < end; at++) {
            model[at] = content === null ? undefined : contentAfter(content, at - start);
          }
        }
        expect(contentsOf(map)).toEqual(model);
        const covered: number[] = [];
        map.cover(100, 2000, (start, end, content) => {
          for (let at = start; at < end; at++) covered.push(contentAfter(content, at - start));
        });
        expect(covered).toEqual(model.slice(100, 2000).map((content) => content ?? inFile));
      }),
    );
  });

  it('has many ranges, in whatever order they come', () => {
    const map = new RangeMap();
    const count = 40_000;
    for (let i = 0; i < count; i++) {
      const place = (i * 7919) % count; // each once: 7919 is prime
      map.set(place * 10, place * 10 + 5, hole);
    }
    expect(map.count).toBe(count);
    let at = 0;
    map.visitAll((start, end) => {
      expect([start, end]).toEqual([at, at + 5]);
      at += 10;
    });
    map.delete(12, (count - 1) * 10 + 2);
    const left: number[] = [];
    map.visitAll((start, end) => left.push(start, end));
    expect(left).toEqual([0, 5, 10, 12, (count - 1) * 10 + 2, (count - 1) * 10 + 5]);
  });

  it('joins neighbours that go on in one content', () => {
    const map = new RangeMap();
    map.set(0, 10, 100);
    map.set(20, 30, 120);
    map.set(10, 20, 110);
    map.set(30, 40, zeros);
    map.set(40, 50, zeros);
    const ranges: number[][] = [];
    map.visitAll((...range) => ranges.push(range));
    expect(ranges).toEqual([
      [0, 30, 100],
      [30, 50, zeros],
    ]);
  });
});
