import { readView, type ImageBytes } from '../image/bytes';
import { bytes, structure, u16, u32, u8 } from '../filesystem/structure';
import { partitionLimit, type Partition, type PartitionTable } from './partition';

/** UEFI specification, table 5.1. Four entries lie between its fields. */
export const bootRecord = structure('MBR', 512, {
  BootCode: bytes(0, 440, 'program that the firmware starts'),
  UniqueMBRDiskSignature: u32(440, 'identity of the disk'),
  Unknown: bytes(444, 2, 'not used'),
  Signature: u16(510, '0xaa55'),
});
const signature = 0xaa55;

/** A boot record of its own for each logical partition; the first entry is that, the second a link. */
export const extendedBootRecord = structure('extended boot record', 512, {
  Unknown: bytes(0, 446, 'not used'),
  Signature: u16(510, '0xaa55'),
});

/** UEFI specification, table 5.2. */
export const mbrEntry = structure('MBR entry', 16, {
  BootIndicator: u8(0, '0x80 when the firmware should boot it'),
  StartingCHS: bytes(1, 3, 'first sector as head, sector and cylinder'),
  OSType: u8(4, 'what the partition is for; 0 when the entry is unused'),
  EndingCHS: bytes(5, 3, 'last sector as head, sector and cylinder'),
  StartingLBA: u32(8, 'first sector; of a logical partition counted from its own record'),
  SizeInLBA: u32(12, 'length in sectors'),
});
const entryCount = 4;

/** Where the entries of a boot record lie, from its start in bytes. */
export const mbrEntryOffsets: readonly number[] = Array.from(
  { length: entryCount },
  (_, slot) => 446 + slot * mbrEntry.size,
);

const extendedTypes = [0x05, 0x0f, 0x85]; // CHS, LBA, and Linux's own
const firstLogicalNumber = 5;
export const protectiveType = 0xee;

/** One 16-byte entry; places in sectors, as the disk has them. */
interface Entry {
  readonly slot: number;
  readonly type: number;
  readonly start: number;
  readonly length: number;
}

/**
 * The entries of a boot record's table that are in use; undefined where the sector holds none: no
 * 55AA at its end, or flags that no table has (boot code of a filesystem's own boot sector).
 * @param offset of the sector in the image, in bytes
 */
function readEntries(image: ImageBytes, offset: number): Entry[] | undefined {
  if (offset + bootRecord.size > image.size) return undefined;
  const view = readView(image, offset, bootRecord.size);
  if (bootRecord.fields.Signature.read(view, bootRecord.fields.Signature.offset) !== signature)
    return undefined;
  const entries: Entry[] = [];
  for (const [slot, at] of mbrEntryOffsets.entries()) {
    const fields = mbrEntry.read(view, at);
    if (fields.BootIndicator !== 0 && fields.BootIndicator !== 0x80) return undefined;
    if (fields.OSType === 0 || fields.SizeInLBA === 0) continue;
    entries.push({
      slot,
      type: fields.OSType,
      start: fields.StartingLBA,
      length: fields.SizeInLBA,
    });
  }
  return entries;
}

/** The types of the primary entries in use; undefined where sector 0 holds no table. */
export function readPrimaryTypes(image: ImageBytes): number[] | undefined {
  return readEntries(image, 0)?.map((entry) => entry.type);
}

export interface Mbr extends PartitionTable {
  readonly scheme: 'mbr';
  /**
   * Where extended boot records are that the table leads to, in bytes: a sign that the sector size
   * is right.
   */
  readonly extendedRecords: readonly number[];
}

/**
 * The primary and logical partitions of an MBR, with the protective entry of GPT left out.
 * @param sectorSize the unit that the table counts in, in bytes; the table does not say
 * @returns undefined where sector 0 holds no table
 */
export function readMbr(image: ImageBytes, sectorSize: number): Mbr | undefined {
  const entries = readEntries(image, 0);
  if (!entries) return undefined;
  const partitions: Partition[] = [];
  const notes: string[] = [];
  const extendedRecords: number[] = [];
  for (const entry of entries) {
    if (extendedTypes.includes(entry.type) || entry.type === protectiveType) continue;
    partitions.push(partition(entry, entry.slot + 1, 0, sectorSize));
  }
  for (const extended of entries.filter((entry) => extendedTypes.includes(entry.type))) {
    const logical = readLogical(image, extended, sectorSize);
    for (const { entry, base } of logical.found) {
      const number = firstLogicalNumber + partitions.filter(isLogical).length;
      partitions.push(partition(entry, number, base, sectorSize));
    }
    notes.push(...logical.notes);
    extendedRecords.push(...logical.records.map((record) => record * sectorSize));
  }
  return { scheme: 'mbr', sectorSize, partitions, notes, extendedRecords };
}

const isLogical = ({ number }: Partition) => number >= firstLogicalNumber;

/** @param base the sector that the entry counts from */
function partition(entry: Entry, number: number, base: number, sectorSize: number): Partition {
  return {
    number,
    offset: (base + entry.start) * sectorSize,
    length: entry.length * sectorSize,
    type: entry.type.toString(16).padStart(2, '0'),
    name: '',
  };
}

/**
 * Follows the chain of extended boot records. A logical partition counts from its own record, the
 * link to the next record from the start of the extended partition.
 */
function readLogical(image: ImageBytes, extended: Entry, sectorSize: number) {
  const found: { entry: Entry; base: number }[] = [];
  const notes: string[] = [];
  const visited = new Set<number>();
  let record: number | undefined = extended.start;
  while (record !== undefined) {
    if (visited.has(record)) {
      notes.push(`The chain of logical partitions loops at sector ${record}.`);
      break;
    }
    if (visited.size === partitionLimit) {
      notes.push(`Only the first ${partitionLimit} logical partitions are listed.`);
      break;
    }
    const entries = readEntries(image, record * sectorSize);
    if (!entries) {
      notes.push(`There is no extended boot record at sector ${record}, where one should be.`);
      break;
    }
    visited.add(record);
    const base: number = record;
    const end = extended.start + extended.length;
    for (const entry of entries.filter(({ type }) => !extendedTypes.includes(type))) {
      if (entry.start > 0 && base + entry.start + entry.length <= end) {
        found.push({ entry, base });
      } else {
        notes.push(`A logical partition at sector ${base} lies outside the extended partition.`);
      }
    }
    const link = entries.find(({ type }) => extendedTypes.includes(type));
    record = link && extended.start + link.start;
  }
  return { found, notes, records: [...visited] };
}
