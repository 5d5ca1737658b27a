import { bytes, structure, text, u32, u64, type Field } from '../filesystem/structure';

/** UEFI specification, table 5.5; the checksum covers the header with this field as zero. */
export const gptHeader = structure('GPT header', 92, {
  Signature: text(0, 8, 'EFI PART'),
  Revision: u32(8, '0x00010000'),
  HeaderSize: u32(12, 'length of the header in bytes'),
  HeaderCRC32: u32(16, 'CRC-32 of the header'),
  Reserved: u32(20, 'zero'),
  MyLBA: u64(24, 'sector of this header'),
  AlternateLBA: u64(32, 'sector of the other copy'),
  FirstUsableLBA: u64(40, 'first sector a partition can use'),
  LastUsableLBA: u64(48, 'last sector a partition can use'),
  DiskGUID: guid(56, 'identity of the disk'),
  PartitionEntryLBA: u64(72, 'first sector of the entries'),
  NumberOfPartitionEntries: u32(80, 'entries, used or not'),
  SizeOfPartitionEntry: u32(84, 'length of an entry in bytes'),
  PartitionEntryArrayCRC32: u32(88, 'CRC-32 of all entries'),
});

/** UEFI specification, table 5.6. */
export const gptEntry = structure('GPT entry', 128, {
  PartitionTypeGUID: guid(0, 'what the partition is for; zero when the entry is unused'),
  UniquePartitionGUID: guid(16, 'identity of the partition'),
  StartingLBA: u64(32, 'first sector'),
  EndingLBA: u64(40, 'last sector'),
  Attributes: bytes(48, 8, 'flags: required, hidden, bootable, and those of its type'),
  PartitionName: utf16(56, 72, 'name'),
});

/** A GUID: its first three fields are little-endian, the rest is in order. */
function guid(offset: number, meaning: string): Field<string> {
  const read = (view: DataView, at: number) => {
    const tail = [8, 9, 10, 11, 12, 13, 14, 15].map((i) => digits(view.getUint8(at + i), 2));
    return [
      digits(view.getUint32(at, true), 8),
      digits(view.getUint16(at + 4, true), 4),
      digits(view.getUint16(at + 6, true), 4),
      tail.slice(0, 2).join(''),
      tail.slice(2).join(''),
    ].join('-');
  };
  return {
    offset,
    length: 16,
    meaning,
    format: { kind: 'guid' },
    read,
    write: (view, at, value) => {
      const plain = value.replaceAll('-', '');
      view.setUint32(at, Number.parseInt(plain.slice(0, 8), 16), true);
      view.setUint16(at + 4, Number.parseInt(plain.slice(8, 12), 16), true);
      view.setUint16(at + 6, Number.parseInt(plain.slice(12, 16), 16), true);
      for (let i = 8; i < 16; i++) {
        view.setUint8(at + i, Number.parseInt(plain.slice(2 * i, 2 * i + 2), 16));
      }
    },
    show: read,
  };
}

const digits = (value: number, width: number) => value.toString(16).padStart(width, '0');

/** Little-endian UTF-16 of a fixed width in bytes, padded with NULs. */
function utf16(offset: number, length: number, meaning: string): Field<string> {
  const read = (view: DataView, at: number) => {
    const raw = new Uint8Array(view.buffer, view.byteOffset + at, length);
    const whole = new TextDecoder('utf-16le').decode(raw);
    const end = whole.indexOf('\0');
    return end < 0 ? whole : whole.slice(0, end);
  };
  return {
    offset,
    length,
    meaning,
    format: { kind: 'utf-16', padding: 0 },
    read,
    write: (view, at, value) => {
      for (let i = 0; i < length / 2; i++) {
        view.setUint16(at + 2 * i, i < value.length ? value.charCodeAt(i) : 0, true);
      }
    },
    show: read,
  };
}
