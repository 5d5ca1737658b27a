import { structure, text, u16, u32, u8, type Field, type ValuesOf } from '../filesystem/structure';
import { slotSize, type FatBits } from './boot-sector';

/** A name of 8 + 3 bytes and what it leads to. */
export const shortSlot = structure('short slot', slotSize, {
  DIR_Name: text(0, 11, 'base and extension, padded; first byte E5: deleted, 05: a real E5', 0x20),
  DIR_Attr: u8(11, '01 read-only, 02 hidden, 04 system, 08 label, 10 directory, 20 archive'),
  DIR_NTRes: u8(12, '08: the base is in lower case, 10: the extension is'),
  DIR_CrtTimeTenth: u8(13, 'creation: hundredths of a second, 0 to 199'),
  DIR_CrtTime: u16(14, 'creation: hours, minutes, seconds halved'),
  DIR_CrtDate: u16(16, 'creation: years since 1980, month, day'),
  DIR_LstAccDate: u16(18, 'last access: years since 1980, month, day'),
  DIR_FstClusHI: u16(20, 'high half of the first cluster; on FAT32 only'),
  DIR_WrtTime: u16(22, 'last write: hours, minutes, seconds halved'),
  DIR_WrtDate: u16(24, 'last write: years since 1980, month, day'),
  DIR_FstClusLO: u16(26, 'low half of the first cluster; 0 where it has none'),
  DIR_FileSize: u32(28, 'size in bytes; 0 for directories'),
});
export type ShortSlot = ValuesOf<typeof shortSlot>;

/** Thirteen units of a long name; stands before the short slot, its last part first. */
export const longSlot = structure('long name slot', slotSize, {
  LDIR_Ord: u8(0, 'place in the name from 1; 40 is set in the last part; E5: deleted'),
  LDIR_Name1: utf16(1, 5, 'units 1 to 5'),
  LDIR_Attr: u8(11, '0F'),
  LDIR_Type: u8(12, '0'),
  LDIR_Chksum: u8(13, 'checksum of the short name'),
  LDIR_Name2: utf16(14, 6, 'units 6 to 11'),
  LDIR_FstClusLO: u16(26, '0'),
  LDIR_Name3: utf16(28, 2, 'units 12 and 13'),
});

export const attributeBits = {
  readOnly: 0x01,
  hidden: 0x02,
  system: 0x04,
  label: 0x08,
  directory: 0x10,
  archive: 0x20,
};
/** The whole attribute byte of a long slot; any other value with the label bit is a label. */
export const longAttribute = 0x0f;

export const deletedMark = 0xe5;
/** Stands in the first byte of a name that really starts with E5. */
export const escapedE5 = 0x05;

const attributeOffset = shortSlot.fields.DIR_Attr.offset;
export const nameLength = shortSlot.fields.DIR_Name.length;

/** What a slot is by its first byte and its attributes; what lies past `end` has no meaning. */
export type SlotKind = 'short' | 'long' | 'label' | 'deleted' | 'end';

export function slotKind(bytes: Uint8Array, at: number): SlotKind {
  if (bytes[at] === 0) return 'end';
  if (bytes[at] === deletedMark) return 'deleted';
  return usedSlotKind(bytes, at);
}

/** What a slot is, or was before it was deleted. */
export function usedSlotKind(bytes: Uint8Array, at: number): 'short' | 'long' | 'label' {
  const attributes = bytes[at + attributeOffset];
  if (attributes === longAttribute) return 'long';
  return (attributes & attributeBits.label) !== 0 ? 'label' : 'short';
}

/** `.` or `..`, which every directory but the root starts with. */
export function isDotSlot(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== 0x2e) return false;
  const rest = bytes[at + 1] === 0x2e ? at + 2 : at + 1;
  for (let i = rest; i < at + nameLength; i++) if (bytes[i] !== 0x20) return false;
  return true;
}

/** Tells a deleted file or directory from a slot that some formatter filled with E5. */
export function wasEntry(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== deletedMark || usedSlotKind(bytes, at) !== 'short') return false;
  const reservedAttributes = bytes[at + attributeOffset] & 0xc0;
  return reservedAttributes === 0 && bytes[at + 1] !== 0;
}

export function isDirectorySlot(bytes: Uint8Array, at: number): boolean {
  return (bytes[at + attributeOffset] & attributeBits.directory) !== 0;
}

/** As `isDirectorySlot`, of a slot that has been read. */
export function isDirectory(slot: ShortSlot): boolean {
  return (slot.DIR_Attr & attributeBits.directory) !== 0;
}

/** On FAT12 and FAT16 the high half holds something else. */
export function firstClusterOf(slot: ShortSlot, bits: FatBits): number {
  return bits === 32 ? slot.DIR_FstClusHI * 0x10000 + slot.DIR_FstClusLO : slot.DIR_FstClusLO;
}

/** As `firstClusterOf`, for loops over the slots of a directory. */
export function firstClusterAt(bytes: Uint8Array, at: number, bits: FatBits): number {
  const { DIR_FstClusHI: high, DIR_FstClusLO: low } = shortSlot.fields;
  const word = (offset: number) => bytes[at + offset] | (bytes[at + offset + 1] << 8);
  return (bits === 32 ? word(high.offset) * 0x10000 : 0) + word(low.offset);
}

const namedAttributes: readonly (readonly [bit: number, name: string])[] = [
  [attributeBits.readOnly, 'read-only'],
  [attributeBits.hidden, 'hidden'],
  [attributeBits.system, 'system'],
  [attributeBits.label, 'volume-label'],
  [attributeBits.archive, 'archive'],
];

/** Names of the attributes that are set; being a directory is a type. */
export function attributeNames(attributes: number): string[] {
  return namedAttributes.filter(([bit]) => (attributes & bit) !== 0).map(([, name]) => name);
}

/** The bit of an attribute that a file or directory can be given; undefined for other names. */
export function attributeBit(name: string): number | undefined {
  const bit = namedAttributes.find(([, known]) => known === name)?.[0];
  return bit === attributeBits.label ? undefined : bit;
}

function utf16(offset: number, units: number, meaning: string): Field<string> {
  const read = (view: DataView, at: number) =>
    Array.from({ length: units }, (_, i) => String.fromCharCode(view.getUint16(at + 2 * i, true)))
      .join('')
      .replace(/[\0\uffff][^]*$/, ''); // NUL ends a name, FFFF pads what follows
  return {
    offset,
    length: 2 * units,
    meaning,
    format: { kind: 'utf-16', padding: 0xffff },
    read,
    write: (view, at, value) => {
      for (let i = 0; i < units; i++) {
        const unit = i < value.length ? value.charCodeAt(i) : i === value.length ? 0 : 0xffff;
        view.setUint16(at + 2 * i, unit, true);
      }
    },
    show: read,
  };
}
