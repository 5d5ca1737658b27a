import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBytes, VolumeBytes } from '../../src/image/bytes';
import { isZero } from '../../src/image/memory';
import { MemoryBytes } from '../../src/image/memory-bytes';
import { PageCache } from '../../src/image/page-cache';

const counting = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7 + (i >> 8)) & 0xff);

/** What a source must give: the bytes that are there, and zeros past the end. */
function expected(offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes.set(counting.subarray(offset, offset + length));
  return bytes;
}

describe.each([
  ['memory', () => new MemoryBytes(counting)],
  ['a page cache', () => new PageCache(new MemoryBytes(counting))],
  ['a volume', () => new VolumeBytes(new MemoryBytes(counting), 0, counting.length)],
])('bytes of %s', (_name, make) => {
  it('are those at the place, and zeros past the end, whatever the target held', () => {
    const source = make();
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 400_000 }),
        fc.integer({ min: 0, max: 150_000 }),
        (offset, length) => {
          const target = new Uint8Array(length).fill(0xa5);
          const got = source.read(offset, target);
          expect(got).toBe(Math.max(0, Math.min(length, counting.length - offset)));
          expect(Buffer.compare(target, expected(offset, length))).toBe(0);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('a page cache', () => {
  it('reads a page once, and keeps the ones used last', () => {
    const reads: number[] = [];
    const size = 300 * 65536;
    const cache = new PageCache({
      size,
      read: (offset, target) => {
        reads.push(offset / 65536);
        return target.fill(1).length;
      },
    });
    const touch = (page: number) => readBytes(cache, page * 65536 + 5, 10);
    for (let page = 0; page < 256; page++) touch(page);
    touch(0);
    touch(256); // pushes out page 1, since page 0 has just been used
    expect(reads).toHaveLength(257);
    touch(0);
    expect(reads).toHaveLength(257);
    touch(1);
    expect(reads.slice(256)).toEqual([256, 1]);
  });

  it('leaves large reads to the source', () => {
    const reads: number[] = [];
    const cache = new PageCache({
      size: 1_000_000,
      read: (offset, target) => {
        reads.push(offset);
        return target.length;
      },
    });
    readBytes(cache, 100, 200_000);
    readBytes(cache, 100, 200_000);
    expect(reads).toEqual([100, 100]);
  });
});

describe('a volume', () => {
  it('never shows what lies behind it', () => {
    const volume = new VolumeBytes(new MemoryBytes(counting), 1000, 500);
    const target = new Uint8Array(100).fill(0xa5);
    expect(volume.read(450, target)).toBe(50);
    expect([...target.subarray(0, 50)]).toEqual([...counting.subarray(1450, 1500)]);
    expect(isZero(target.subarray(50))).toBe(true);
    expect(volume.read(600, target)).toBe(0);
    expect(isZero(target)).toBe(true);
  });

  it('tells how much of it a truncated image holds', () => {
    const image = new MemoryBytes(counting);
    expect(new VolumeBytes(image, 0, 1e9).present).toBe(300_000);
    expect(new VolumeBytes(image, 299_000, 5000).present).toBe(1000);
    expect(new VolumeBytes(image, 1e6, 5000).present).toBe(0);
    expect(new VolumeBytes(image, 1000, 5000).present).toBe(5000);
  });
});
