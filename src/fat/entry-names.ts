import { toHex } from '../filesystem/hex';
import { slotSize } from './boot-sector';
import type { CodePage } from './code-pages';
import { deletedLongName, longName, longSlotChecksum, type LongNameGroup } from './long-names';
import { decodeLabel, decodeShortName, lostFirstByte } from './short-names';
import { deletedMark, escapedE5, nameLength, shortSlot, usedSlotKind } from './slots';

/** A name in UTF-16LE, with the bytes of the disk where it does not give them back. */
export interface EntryName {
  readonly name: Uint8Array;
  readonly undecodable?: Uint8Array;
}

/** Where the long slots of a name lie: index of the first one, and how many there are. */
export type LongSlots = Pick<LongNameGroup, 'first' | 'count'>;

/** The name of an entry: what its long slots spell, else its short name. */
export function entryName(
  bytes: Uint8Array,
  short: number,
  long: LongSlots | undefined,
  codePage: CodePage,
): EntryName {
  return (long && longEntryName(bytes, long)) ?? shortEntryName(bytes, short, codePage);
}

/** The name that long slots spell, or undefined where it is empty. */
export function longEntryName(bytes: Uint8Array, group: LongSlots): EntryName | undefined {
  const name = longName(bytes, group.first, group.count);
  return name.length > 0 ? withoutSlashes(name) : undefined;
}

/** The short name or label of a slot; the lost first byte of a deleted one shows as `_`. */
export function shortEntryName(bytes: Uint8Array, index: number, codePage: CodePage): EntryName {
  const at = index * slotSize;
  const raw = bytes.slice(at, at + nameLength);
  const isDeleted = raw[0] === deletedMark;
  const shown = isDeleted ? Uint8Array.of(lostCharacter, ...raw.subarray(1)) : raw;
  const caseFlags = bytes[at + shortSlot.fields.DIR_NTRes.offset];
  const { text, isExact } =
    usedSlotKind(bytes, at) === 'label'
      ? decodeLabel(shown, codePage)
      : decodeShortName(shown, caseFlags, codePage);
  const name = utf16(text);
  return isExact && !isDeleted ? { name } : { name, undecodable: raw };
}

const lostCharacter = '_'.charCodeAt(0);

/** The long slots that a deleted short slot still has, if they can be its own. */
export function deletedLongSlots(bytes: Uint8Array, index: number): LongSlots | undefined {
  const found = deletedLongName(bytes, index);
  if (!found) return undefined;
  const checksum = longSlotChecksum(bytes, found.first);
  const firstByte = lostFirstByte(bytes, index * slotSize, checksum);
  return isAliasOf(firstByte, longName(bytes, found.first, found.count)) ? found : undefined;
}

/**
 * Whether a short name that starts with this byte can stand for a long one: drivers take its first
 * letter or digit over in upper case, and leave out or replace what a short name cannot hold. If
 * not, the long slots belonged to another name.
 */
function isAliasOf(firstByte: number, long: Uint8Array): boolean {
  if (long.length === 0) return false;
  const [first] = decoder.decode(long).replace(/^[. ]+/, '');
  if (first && /[a-z0-9]/i.test(first)) return firstByte === first.toUpperCase().charCodeAt(0);
  if (firstByte < 0x21) return firstByte === escapedE5;
  return !'"*+,./:;<=>?[\\]|abcdefghijklmnopqrstuvwxyz\x7f'.includes(
    String.fromCharCode(firstByte),
  );
}

/** A name for people, and its bytes in hexadecimal where that loses some of them. */
export function showName(entry: EntryName): { name: string; nameHex?: string } {
  const name = decoder.decode(entry.name);
  const isExact =
    !entry.undecodable && (!name.includes('\ufffd') || isSame(utf16(name), entry.name));
  if (isExact) return { name };
  return { name, nameHex: toHex(entry.undecodable ?? entry.name) };
}

const decoder = new TextDecoder('utf-16le', { ignoreBOM: true });

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** A slash in a name would make a path that means something else. */
function withoutSlashes(name: Uint8Array): EntryName {
  let shown: Uint8Array | undefined;
  for (let i = 0; i < name.length; i += 2) {
    if (name[i] !== 0x2f || name[i + 1] !== 0) continue;
    shown ??= name.slice();
    shown.set([0xfd, 0xff], i); // U+FFFD
  }
  return shown ? { name: shown, undecodable: name } : { name };
}

function utf16(text: string): Uint8Array {
  const bytes = new Uint8Array(2 * text.length);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    bytes[2 * i] = unit;
    bytes[2 * i + 1] = unit >> 8;
  }
  return bytes;
}
