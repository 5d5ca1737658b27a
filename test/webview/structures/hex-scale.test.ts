import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HexScale } from '../../../webview/structures/hex-scale';

const tib = 2 ** 40;
const rowsOf = (bytes: number) => Math.ceil(bytes / 16);

describe('HexScale', () => {
  it('scrolls small images pixel by pixel', () => {
    const scale = new HexScale(1000, 18, 360);
    expect(scale.isExact).toBe(true);
    expect(scale.height).toBe(18_000);
    expect(scale.topAt(27)).toBe(1.5);
    expect(scale.scrollAt(1.5)).toBe(27);
    expect(scale.lastTop).toBe(980);
  });

  it('reaches both ends of an image of many TiB in an element of bounded height', () => {
    const scale = new HexScale(rowsOf(64 * tib), 18, 400);
    expect(scale.height).toBeLessThanOrEqual(8_000_000);
    expect(scale.topAt(0)).toBe(0);
    expect(scale.topAt(scale.height - scale.sight)).toBe(scale.lastTop);
    expect(scale.lastTop + Math.floor(400 / 18)).toBe(rowsOf(64 * tib));
  });

  it('stands again where it was put', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: rowsOf(1024 * tib) }),
        fc.integer({ min: 20, max: 3000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (rows, sight, share) => {
          const scale = new HexScale(rows, 18, sight);
          const top = Math.floor(share * scale.lastTop);
          const again = scale.topAt(scale.scrollAt(top));
          expect(Math.abs(again - top)).toBeLessThanOrEqual(Math.max(1e-6, rows * 1e-9));
        },
      ),
    );
  });

  it('has every row in sight that is asked for', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 ** 46 }),
        fc.integer({ min: 40, max: 2000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (rows, sight, from, to) => {
          const scale = new HexScale(rows, 18, sight);
          const row = Math.floor(to * (rows - 1));
          const top = scale.topToShow(row, Math.floor(from * scale.lastTop));
          expect(top).toBeLessThanOrEqual(row);
          expect(row).toBeLessThan(top + sight / 18);
          expect(top).toBe(scale.clamp(top));
        },
      ),
    );
  });

  it('moves no further than it takes to a row nearby', () => {
    const scale = new HexScale(1000, 18, 180);
    expect(scale.topToShow(105, 100)).toBe(100);
    expect(scale.topToShow(110, 100)).toBe(101);
    expect(scale.topToShow(99, 100)).toBe(99);
    expect(scale.topToShow(500, 100)).toBe(498);
  });
});
