import { readView, type ImageBytes } from '../image/bytes';
import { bytes, structure, u32, u8 } from '../filesystem/structure';
import { partitionLimit, type Partition, type PartitionTable } from './partition';

/** Four of them lie at byte 446 of a boot record, before its signature. */
export const mbrEntry = structure('MBR entry', 16, {
  BootIndicator: u8(0, '0x80 when the firmware should boot it'),
  StartingCHS: bytes(1, 3, 'first sector as head, sector and cylinder'),
  OSType: u8(4, 'what the partition is for; 0 when the entry is unused'),
  EndingCHS: bytes(5, 3, 'last sector as head, sector and cylinder'),
  StartingLBA: u32(8, 'first sector; of a logical partition counted from its own record'),
  SizeInLBA: u32(12, 'length in sectors'),
});
const entriesOffset = 446;
const signatureOffset = 510;
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
  if (offset + signatureOffset + 2 > image.size) return undefined;
  const view = readView(image, offset, signatureOffset + 2);
  if (view.getUint16(signatureOffset, true) !== 0xaa55) return undefined;
  const entries: Entry[] = [];
  for (let slot = 0; slot < 4; slot++) {
    const fields = mbrEntry.read(view, entriesOffset + slot * mbrEntry.size);
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
  /** Extended boot records that are where the table says: a sign that the sector size is right. */
  readonly extendedRecords: number;
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
  let extendedRecords = 0;
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
    extendedRecords += logical.records;
  }
  return { scheme: 'mbr', partitions, notes, extendedRecords };
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
  return { found, notes, records: visited.size };
}
