import type { Geometry } from './superblock';

/** The hash functions of directory indexes, by their number in the index root. */
const hashVersions = { legacy: 0, halfMd4: 1, tea: 2 } as const;

/** Added to the number where characters count as unsigned. */
const unsignedHashes = 3;
const unsignedFlag = 2; // of s_flags
const firstUnknown = 6; // siphash, which needs the key of an encrypted directory

/** What a directory index sorts a name by. */
export interface NameHash {
  /** Bit 0 is always clear: an index uses it for its own purpose. */
  readonly major: number;
  /** Orders names of one major hash where a directory is read; 0 with the legacy hash. */
  readonly minor: number;
}

/**
 * The hash function that a volume uses where an index root names one: which sign characters have
 * is told by the superblock (`s_flags`).
 * @returns 0 to 5; null where the function is not known
 */
export function effectiveHashVersion(geometry: Geometry, version: number): number | null {
  if (version >= firstUnknown) return null;
  const isSigned = version < unsignedHashes;
  const volumeIsUnsigned = (geometry.values.s_flags & unsignedFlag) !== 0;
  return isSigned && volumeIsUnsigned ? version + unsignedHashes : version;
}

/**
 * The hash of a name, as `ext4fs_dirhash` of Linux makes it.
 * @param version 0 to 5, from `effectiveHashVersion`
 * @param seed the four words of `s_hash_seed`; all zeros for the constants of MD4
 */
export function directoryHash(name: Uint8Array, version: number, seed: Uint32Array): NameHash {
  const isUnsigned = version >= unsignedHashes;
  const kind = isUnsigned ? version - unsignedHashes : version;
  if (kind === hashVersions.legacy)
    return { major: asMajor(legacyHash(name, isUnsigned)), minor: 0 };
  const hasSeed = (seed[0] | seed[1] | seed[2] | seed[3]) !== 0;
  state.set(hasSeed ? seed : md4Start);
  if (kind === hashVersions.tea) {
    for (let at = 0; at < name.length; at += 16) {
      takeWords(name, at, 4, isUnsigned);
      addTea();
    }
    return { major: asMajor(state[0]), minor: state[1] };
  }
  for (let at = 0; at < name.length; at += 32) {
    takeWords(name, at, 8, isUnsigned);
    addHalfMd4();
  }
  return { major: asMajor(state[1]), minor: state[2] };
}

/** The same for all names: a check hashes each that a volume has. */
const state = new Uint32Array(4);
const input = new Uint32Array(8);

const md4Start = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
const endOfDirectory = 0xfffffffe; // means that a reader has seen all

function asMajor(hash: number): number {
  const even = (hash & ~1) >>> 0;
  return even === endOfDirectory ? endOfDirectory - 2 : even;
}

function character(byte: number, isUnsigned: boolean): number {
  return isUnsigned ? byte : (byte << 24) >> 24;
}

function legacyHash(name: Uint8Array, isUnsigned: boolean): number {
  let last = 0x12a3fe2d;
  let before = 0x37abe8f9;
  for (const byte of name) {
    let next = (before + (last ^ Math.imul(character(byte, isUnsigned), 7152373))) >>> 0;
    if (next >= 0x80000000) next -= 0x7fffffff;
    before = last;
    last = next;
  }
  return last << 1;
}

/** Has `input` hold the characters of a name from `at` on, padded with their number. */
function takeWords(name: Uint8Array, at: number, count: number, isUnsigned: boolean): void {
  const rest = name.length - at;
  const padding = Math.imul(rest, 0x01010101); // names have at most 255 bytes
  input.fill(padding, 0, count);
  const length = Math.min(rest, 4 * count);
  let value = padding;
  for (let i = 0; i < length; i++) {
    value = (character(name[at + i], isUnsigned) + (value << 8)) | 0;
    input[i >>> 2] = value;
    if (i % 4 === 3) value = padding;
  }
}

/** MD4 with half of its steps: the words of each round in their order, and its rotations. */
const md4Rounds = [
  { order: [0, 1, 2, 3, 4, 5, 6, 7], turns: [3, 7, 11, 19] },
  { order: [1, 3, 5, 7, 0, 2, 4, 6], turns: [3, 5, 9, 13] },
  { order: [3, 7, 2, 6, 1, 5, 0, 4], turns: [3, 9, 11, 15] },
] as const;

function addHalfMd4(): void {
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  for (let round = 0; round < md4Rounds.length; round++) {
    const { order, turns } = md4Rounds[round];
    for (let step = 0; step < order.length; step++) {
      // Written out, for a call of a function that differs from round to round takes far longer.
      const mixed =
        round === 0
          ? d ^ (b & (c ^ d))
          : round === 1
            ? (b & c) + ((b ^ c) & d) + 0x5a827999
            : (b ^ c ^ d) + 0x6ed9eba1;
      const sum = (a + mixed + input[order[step]]) | 0;
      const turn = turns[step & 3];
      a = d;
      d = c;
      c = b;
      b = (sum << turn) | (sum >>> (32 - turn));
    }
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

const teaDelta = 0x9e3779b9;

function addTea(): void {
  const a = input[0];
  const b = input[1];
  const c = input[2];
  const d = input[3];
  let first = state[0];
  let second = state[1];
  for (let cycle = 1, sum = 0; cycle <= 16; cycle++) {
    sum = (sum + teaDelta) | 0;
    const turned = ((second << 4) + a) ^ (second + sum) ^ ((second >>> 5) + b);
    first = (first + turned) >>> 0;
    const other = ((first << 4) + c) ^ (first + sum) ^ ((first >>> 5) + d);
    second = (second + other) >>> 0;
  }
  state[0] += first;
  state[1] += second;
}
