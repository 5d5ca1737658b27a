import { slotSize } from './boot-sector';
import type { CodePage } from './code-pages';
import { escapedE5, nameLength } from './slots';

/** Bytes of the part before the dot. */
export const baseLength = 8;
/** Flags of DIR_NTRes. */
export const lowerCaseBase = 0x08;
export const lowerCaseExtension = 0x10;
/** The eleven bytes are no name, only the long one counts (patched Linux; dosfstools knows it). */
export const noShortName = 0x20;
const space = 0x20;
const replacement = '\ufffd';

/** The eleven bytes of a slot's name. @param index of the slot */
export function rawName(bytes: Uint8Array, index: number): Uint8Array {
  return bytes.subarray(index * slotSize, index * slotSize + nameLength);
}

/** Bytes as the key of a map or a set. */
export const binaryKey = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/** A short name as people see it. */
export interface ShortName {
  readonly text: string;
  /** False where `text` does not give the bytes back. */
  readonly isExact: boolean;
}

/**
 * @param raw the eleven bytes of the slot
 * @param caseFlags DIR_NTRes: which of base and extension show in lower case
 */
export function decodeShortName(raw: Uint8Array, caseFlags: number, codePage: CodePage): ShortName {
  const bytes = raw.slice(0, nameLength);
  if (bytes[0] === escapedE5) bytes[0] = 0xe5;
  const base = decodePart(bytes.subarray(0, baseLength), caseFlags & lowerCaseBase, codePage);
  const extension = decodePart(
    bytes.subarray(baseLength),
    caseFlags & lowerCaseExtension,
    codePage,
  );
  const text = extension.text === '' ? base.text : `${base.text}.${extension.text}`;
  return {
    text: text === '' ? replacement : text,
    isExact: text !== '' && base.isExact && extension.isExact,
  };
}

/** A volume label takes all eleven bytes as they are: no dot, no lower case. */
export function decodeLabel(raw: Uint8Array, codePage: CodePage): ShortName {
  const bytes = raw.slice(0, nameLength);
  if (bytes[0] === escapedE5) bytes[0] = 0xe5;
  const end = bytes.indexOf(0);
  return codePage.decode(withoutPadding(end < 0 ? bytes : bytes.subarray(0, end)));
}

function decodePart(padded: Uint8Array, isLowerCase: number, codePage: CodePage): ShortName {
  const { text, isExact } = codePage.decode(withoutPadding(padded));
  // A slash or a control character would make a path that means something else.
  const shown = text.replace(/[\0-\x1f/]/g, replacement); // eslint-disable-line no-control-regex
  return {
    text: isLowerCase ? shown.toLowerCase() : shown,
    isExact: isExact && shown === text,
  };
}

function withoutPadding(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === space) end -= 1;
  return bytes.subarray(0, end);
}

/** The checksum that ties long slots to the short name behind them. */
export function shortNameChecksum(bytes: Uint8Array, at = 0): number {
  let sum = 0;
  for (let i = at; i < at + nameLength; i++) sum = (rotateRight(sum) + bytes[i]) & 0xff;
  return sum;
}

/**
 * The first byte of a deleted short name, which the mark has overwritten: only one value gives
 * the checksum that its long slots still hold.
 */
export function lostFirstByte(bytes: Uint8Array, at: number, checksum: number): number {
  let sum = checksum;
  for (let i = at + nameLength - 1; i > at; i--) sum = rotateLeft((sum - bytes[i]) & 0xff);
  return sum;
}

function rotateRight(byte: number): number {
  return ((byte & 1) << 7) | (byte >> 1);
}

function rotateLeft(byte: number): number {
  return ((byte << 1) & 0xff) | (byte >> 7);
}
