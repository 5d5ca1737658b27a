import { describe, expect, it } from 'vitest';
import { directoryHash, effectiveHashVersion } from '../../src/ext/directory-hash';
import { readSuperblock } from '../../src/ext/superblock';
import { HandMade } from './support/hand-made';

/** The words of UUID 01234567-89ab-cdef-0123-456789abcdef, as they lie on disk. */
const seed = Uint32Array.of(0x67452301, 0xefcdab89, 0x67452301, 0xefcdab89);
const long = 'é'.repeat(40);

describe('the hash of a name', () => {
  // By debugfs 1.47.0: dx_hash -h HASHALG_<version> -s <UUID> <name>
  it.each([
    [0, 'a', 0xe74b53e2, 0x0],
    [0, 'x'.repeat(16), 0x20cefd94, 0x0],
    [0, 'x'.repeat(33), 0x4e0d46ea, 0x0],
    [0, 'grün', 0xc202f150, 0x0],
    [0, long, 0x66086448, 0x0],
    [0, 'name with 32 bytes, which is one.', 0x6e56b8d8, 0x0],
    [0, 'y'.repeat(255), 0xb1624e08, 0x0],
    [1, 'a', 0x35dc0cc4, 0x3f1dacef],
    [1, 'x'.repeat(16), 0xb7633108, 0xc27f5cd3],
    [1, 'x'.repeat(33), 0x9a80601e, 0x88c9761b],
    [1, 'grün', 0x31cb1010, 0x236cad79],
    [1, long, 0x2cf61ea2, 0x3f389690],
    [1, 'name with 32 bytes, which is one.', 0x6095a508, 0xf57a5bc9],
    [1, 'y'.repeat(255), 0x86f7304e, 0x84025928],
    [2, 'a', 0x6d0ea4c0, 0xc18922df],
    [2, 'x'.repeat(16), 0x9ddebb0a, 0xc0202e1],
    [2, 'x'.repeat(33), 0xaeca7924, 0xf8af0104],
    [2, 'grün', 0xa7ae33b6, 0x3c9e4704],
    [2, long, 0xaae0df68, 0xd9d1171c],
    [2, 'name with 32 bytes, which is one.', 0x7b30e42c, 0xbb13e0a1],
    [2, 'y'.repeat(255), 0x2325ef56, 0x6e445230],
    [3, 'a', 0xe74b53e2, 0x0],
    [3, 'x'.repeat(16), 0x20cefd94, 0x0],
    [3, 'x'.repeat(33), 0x4e0d46ea, 0x0],
    [3, 'grün', 0x98481b52, 0x0],
    [3, long, 0xde9ff2fa, 0x0],
    [3, 'name with 32 bytes, which is one.', 0x6e56b8d8, 0x0],
    [3, 'y'.repeat(255), 0xb1624e08, 0x0],
    [4, 'a', 0x35dc0cc4, 0x3f1dacef],
    [4, 'x'.repeat(16), 0xb7633108, 0xc27f5cd3],
    [4, 'x'.repeat(33), 0x9a80601e, 0x88c9761b],
    [4, 'grün', 0xdf0ae406, 0xa744c6ef],
    [4, long, 0x56db60bc, 0x12e991c7],
    [4, 'name with 32 bytes, which is one.', 0x6095a508, 0xf57a5bc9],
    [4, 'y'.repeat(255), 0x86f7304e, 0x84025928],
    [5, 'a', 0x6d0ea4c0, 0xc18922df],
    [5, 'x'.repeat(16), 0x9ddebb0a, 0xc0202e1],
    [5, 'x'.repeat(33), 0xaeca7924, 0xf8af0104],
    [5, 'grün', 0x14bb53ae, 0xe7e0d995],
    [5, long, 0x661640ee, 0xef96a51b],
    [5, 'name with 32 bytes, which is one.', 0x7b30e42c, 0xbb13e0a1],
    [5, 'y'.repeat(255), 0x2325ef56, 0x6e445230],
  ] as const)('version %i of %s', (version, name, major, minor) => {
    const hash = directoryHash(new TextEncoder().encode(name), version, seed);
    expect(hash).toEqual({ major, minor });
  });

  it('starts with the constants of MD4 where the volume has no seed', () => {
    const hash = directoryHash(Uint8Array.of(0x61), 1, new Uint32Array(4));
    expect(hash).toEqual({ major: 0xd5fa7d7a, minor: 0xacb48187 });
  });
});

describe('which hash a volume uses', () => {
  const geometryWith = (flags: number) => {
    const image = new HandMade({ superblock: { s_flags: flags } });
    const reading = readSuperblock(image.volume, 1024);
    if (!('geometry' in reading)) throw new Error(reading.broken);
    return reading.geometry;
  };

  it.each([
    [1, 1, 1],
    [0, 1, 1],
    [2, 0, 3],
    [2, 1, 4],
    [2, 2, 5],
    [1, 4, 4],
    [2, 4, 4],
    [1, 6, null],
    [2, 255, null],
  ])('flags %i, index root %i: %s', (flags, version, effective) => {
    expect(effectiveHashVersion(geometryWith(flags), version)).toBe(effective);
  });
});
