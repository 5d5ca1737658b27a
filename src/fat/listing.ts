import { EntryTableBuilder, type EntryTable } from '../filesystem/entry-table';
import type { Finding } from '../filesystem/finding';
import { slotSize } from './boot-sector';
import type { DirectorySlots } from './directory';
import type { FatVolume } from './fat-volume';
import {
  deletedLongName,
  longName,
  LongNameReader,
  type LongNameGroup,
  type LongNameState,
} from './long-names';
import { decodeShortName, lostFirstByte, shortNameChecksum } from './short-names';
import {
  attributeBits,
  attributeOffset,
  deletedMark,
  escapedE5,
  isDotSlot,
  nameLength,
  shortSlot,
  slotKind,
  usedSlotKind,
} from './slots';

/** A name as the entry table takes it: UTF-16LE, with the bytes of the disk where it lost some. */
interface EntryName {
  readonly name: Uint8Array;
  readonly undecodable?: Uint8Array;
}

/** The entries of a directory; of a deleted one all are deleted. */
export function listDirectory(
  volume: FatVolume,
  slots: DirectorySlots,
  withDeleted: boolean,
): EntryTable {
  const { bytes } = slots;
  const builder = new EntryTableBuilder('utf-16le');
  const problems = [...slots.problems];
  const groups = new LongNameReader(bytes);
  const close = (group: LongNameGroup | undefined) => {
    if (group && group.state !== 'whole') problems.push(groupProblem(volume, slots, group));
    return group?.state === 'whole' ? group : undefined;
  };
  const add = (index: number, name: EntryName, deleted: boolean) => {
    const offset = slots.offsetOf(index);
    builder.add({
      ...name,
      node: offset,
      number: clusterOf(volume, bytes, index * slotSize),
      type:
        bytes[index * slotSize + attributeOffset] & attributeBits.directory ? 'directory' : 'file',
      deleted,
      offset: volume.inImage(offset),
    });
  };
  for (let index = 0; index < slots.count; index++) {
    const at = index * slotSize;
    const kind = slotKind(bytes, at);
    if (kind === 'long') {
      close(groups.addLong(index));
    } else if (kind === 'short') {
      const group = close(groups.end(shortNameChecksum(bytes, at)));
      const isWanted = !slots.isDeleted || withDeleted;
      if (isWanted && !isDotSlot(bytes, at)) {
        add(index, liveName(volume, bytes, at, group), slots.isDeleted);
      }
    } else {
      close(groups.end());
      if (kind === 'end') break;
      if (kind === 'deleted' && withDeleted && wasEntry(bytes, at)) {
        add(index, deletedName(volume, bytes, index), true);
      }
    }
  }
  close(groups.end());
  return builder.build(problems);
}

function clusterOf(volume: FatVolume, bytes: Uint8Array, at: number): number {
  const { DIR_FstClusHI: high, DIR_FstClusLO: low } = shortSlot.fields;
  const word = (offset: number) => bytes[at + offset] | (bytes[at + offset + 1] << 8);
  return (volume.boot.bits === 32 ? word(high.offset) * 0x10000 : 0) + word(low.offset);
}

/** Tells a deleted entry from a slot that some formatter filled with E5. */
function wasEntry(bytes: Uint8Array, at: number): boolean {
  const reservedAttributes = bytes[at + attributeOffset] & 0xc0;
  return usedSlotKind(bytes, at) === 'short' && reservedAttributes === 0 && bytes[at + 1] !== 0;
}

function liveName(
  volume: FatVolume,
  bytes: Uint8Array,
  at: number,
  group: LongNameGroup | undefined,
): EntryName {
  const long = group && longName(bytes, group.first, group.count);
  if (long && long.length > 0) return withoutSlashes(long);
  const raw = bytes.slice(at, at + nameLength);
  const { text, isExact } = decodeShortName(raw, caseFlags(bytes, at), volume.codePage);
  return isExact ? { name: utf16(text) } : { name: utf16(text), undecodable: raw };
}

function deletedName(volume: FatVolume, bytes: Uint8Array, index: number): EntryName {
  const at = index * slotSize;
  const raw = bytes.slice(at, at + nameLength);
  const found = deletedLongName(bytes, index, (other) => {
    const slot = other * slotSize;
    return bytes[slot] === deletedMark && usedSlotKind(bytes, slot) === 'long';
  });
  if (found) {
    const long = longName(bytes, found.first, found.count);
    if (isAliasOf(lostFirstByte(bytes, at, found.checksum), long)) return withoutSlashes(long);
  }
  const shown = raw.slice();
  shown[0] = lostCharacter;
  const { text } = decodeShortName(shown, caseFlags(bytes, at), volume.codePage);
  return { name: utf16(text), undecodable: raw };
}

/** Stands for the first character of a deleted name, which the mark has overwritten. */
const lostCharacter = '_'.charCodeAt(0);

/**
 * Whether a short name that starts with this byte can stand for a long one: drivers take its first
 * letter or digit over in upper case, and leave out or replace what a short name cannot hold. If
 * not, the long slots belonged to another name.
 */
function isAliasOf(firstByte: number, long: Uint8Array): boolean {
  if (long.length === 0) return false;
  const [first] = new TextDecoder('utf-16le').decode(long).replace(/^[. ]+/, '');
  if (first && /[a-z0-9]/i.test(first)) return firstByte === first.toUpperCase().charCodeAt(0);
  if (firstByte < 0x21) return firstByte === escapedE5;
  return !'"*+,./:;<=>?[\\]|abcdefghijklmnopqrstuvwxyz\x7f'.includes(
    String.fromCharCode(firstByte),
  );
}

function caseFlags(bytes: Uint8Array, at: number): number {
  return bytes[at + shortSlot.fields.DIR_NTRes.offset];
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

const groupMessages: Record<Exclude<LongNameState, 'whole'>, string> = {
  checksum: 'belongs to another short name than the one that follows it',
  gap: 'lacks a part or has its parts out of order',
  orphan: 'is not followed by a short name',
};

function groupProblem(volume: FatVolume, slots: DirectorySlots, group: LongNameGroup): Finding {
  const state = group.state === 'whole' ? 'orphan' : group.state;
  return {
    code: `long-name-${state}`,
    severity: 'error',
    message: `A long name of ${group.count} slots ${groupMessages[state]}.`,
    offset: volume.inImage(slots.offsetOf(group.first)),
    length: slotSize,
    fixable: true,
  };
}
