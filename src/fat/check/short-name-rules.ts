import { escapedE5, nameLength } from '../slots';

const space = 0x20;
const deleteCharacter = 0x7f;
/** What checkers refuse in short names and labels; `+,;=[]` stand in many and are let pass. */
const forbidden = new Set(Array.from('*?<>|"\\/:.', (character) => character.charCodeAt(0)));

/** The first byte of a short name that it must not have; undefined where all are allowed. */
export function badNameByte(bytes: Uint8Array, at: number): number | undefined {
  if (bytes[at] === space) return space;
  const start = bytes[at] === escapedE5 ? at + 1 : at;
  return bytes.subarray(start, at + nameLength).find(isForbidden);
}

/**
 * Whether the bytes can be a label: not blank, without a byte that it must not have, and in ASCII,
 * since a label means something else in every code page.
 */
export function isLabel(bytes: Uint8Array): boolean {
  const isBlank = bytes.every((byte) => byte === space);
  return !isBlank && !bytes.some((byte) => isForbidden(byte) || byte > deleteCharacter);
}

function isForbidden(byte: number): boolean {
  return byte < space || byte === deleteCharacter || forbidden.has(byte);
}
