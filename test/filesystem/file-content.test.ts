import { describe, expect, it } from 'vitest';
import { InlineContent, MappedContent } from '../../src/filesystem/file-content';
import { readBytes, VolumeBytes } from '../../src/image/bytes';
import { MemoryBytes } from '../../src/image/memory-bytes';

const image = new MemoryBytes(Uint8Array.from({ length: 256 }, (_, i) => i));
const volume = new VolumeBytes(image, 16, 240);

describe('mapped content', () => {
  // Units of 8 bytes; unit 3 of the volume starts at its byte 24, which is byte 40 of the image.
  const extents = [
    { logical: 0, physical: 3, length: 1 },
    { logical: 2, physical: 5, length: 1, unwritten: true },
    { logical: 3, physical: 10, length: 2 },
  ];
  const content = new MappedContent(volume, 37, 8, (unit) => unit * 8, extents, 32, []);
  const whole = [
    ...[40, 41, 42, 43, 44, 45, 46, 47],
    ...new Array(16).fill(0),
    ...Array.from({ length: 13 }, (_, i) => 96 + i),
  ];

  it('reads extents, holes and unwritten parts as one file', () => {
    expect([...readBytes(content, 0, 37)]).toEqual(whole);
  });

  it('reads every range like the slice of the whole', () => {
    for (let offset = 0; offset <= 37; offset++) {
      for (let length = 0; length <= 45 - offset; length++) {
        const target = new Uint8Array(length).fill(0xee);
        expect(content.read(offset, target)).toBe(Math.min(length, 37 - offset));
        const want = [...whole, ...new Array(8).fill(0)].slice(offset, offset + length);
        expect([...target]).toEqual(want);
      }
    }
  });
});

describe('inline content', () => {
  it('ends with its bytes', () => {
    const content = new InlineContent(Uint8Array.of(1, 2, 3));
    const target = new Uint8Array(4).fill(9);
    expect(content.read(1, target)).toBe(2);
    expect([...target]).toEqual([2, 3, 0, 0]);
  });
});
