import { readBytes, type ImageBytes } from '../image/bytes';
import { isZero } from '../image/memory';
import { crc32 } from './crc32';
import { gptEntry, gptHeader } from './gpt-structures';
import {
  overlap,
  partitionLimit,
  sectorSizes,
  type Partition,
  type PartitionTable,
} from './partition';

const signature = 'EFI PART';
/** 128 entries of 128 bytes are usual; this bounds what a hostile header can ask for. */
const entriesLimit = 4 * 1024 * 1024;

type CopyName = 'primary' | 'backup';

/** One of the two copies of the table, as far as it can be read. */
export interface GptCopy {
  readonly sectorSize: number;
  /** Where its header lies, in bytes. */
  readonly offset: number;
  /** Where its entries lie and how long each is, in bytes; no entries where that makes no sense. */
  readonly entriesOffset: number;
  readonly entrySize: number;
  readonly entryCount: number;
  /** Where its header says that the other copy lies, in sectors. */
  readonly otherSector: number;
  readonly partitions: readonly Partition[];
  readonly skipped: readonly string[];
  /** What is wrong with it; empty when both checksums hold. */
  readonly faults: readonly string[];
}

/**
 * Reads a GPT from its primary copy, or from the backup at the image's end when the primary is
 * damaged. Without a copy whose checksums hold, one whose entries make sense is taken.
 * @returns undefined where neither copy can be used
 */
export function readGpt(image: ImageBytes): PartitionTable | undefined {
  const { primary, backup } = findGptCopies(image);
  const copies: [CopyName, GptCopy | undefined][] = [
    ['primary', primary],
    ['backup', backup],
  ];
  const [name, used] =
    copies.find(([, copy]) => copy?.faults.length === 0) ??
    copies.find(([, copy]) => copy && isPlausible(copy, image)) ??
    [];
  if (!name || !used) return undefined;
  const notes = [
    ...copies.flatMap(([copyName, copy]) => describeFaults(copyName, copy)),
    ...(name === 'backup' ? ['The backup of the partition table is used.'] : []),
    ...used.skipped,
    ...differences(primary, backup),
  ];
  const overlapping = overlap(used.partitions);
  if (overlapping) notes.push(`In the partition table, ${overlapping}.`);
  const { sectorSize, partitions } = used;
  return { scheme: 'gpt', sectorSize, partitions, notes };
}

export interface GptCopies {
  readonly primary: GptCopy | undefined;
  readonly backup: GptCopy | undefined;
}

/** The copies of the table that have a header, whatever is wrong with them. */
export function findGptCopies(image: ImageBytes): GptCopies {
  const primary = firstUsable(image, () => [1]);
  return { primary, backup: findBackup(image, primary) };
}

/** The primary tells where the backup lies; without it, it is looked for in the last sector. */
function findBackup(image: ImageBytes, primary: GptCopy | undefined): GptCopy | undefined {
  const told = primary && readCopy(image, primary.otherSector, primary.sectorSize);
  if (told && told.faults.length === 0) return told;
  const atEnd = firstUsable(image, (sectorSize) =>
    primary && primary.sectorSize !== sectorSize ? [] : [Math.floor(image.size / sectorSize) - 1],
  );
  return atEnd ?? told;
}

function firstUsable(image: ImageBytes, places: (sectorSize: number) => number[]) {
  const copies = sectorSizes.flatMap((sectorSize) =>
    places(sectorSize).flatMap((sector) => readCopy(image, sector, sectorSize) ?? []),
  );
  return copies.find((copy) => copy.faults.length === 0) ?? copies.at(0);
}

/** Reads the copy whose header lies in a sector; undefined where there is none. */
function readCopy(image: ImageBytes, sector: number, sectorSize: number): GptCopy | undefined {
  const offset = sector * sectorSize;
  if (sector < 1 || offset + sectorSize > image.size) return undefined;
  const bytes = readBytes(image, offset, sectorSize);
  const header = gptHeader.read(new DataView(bytes.buffer));
  if (header.Signature !== signature) return undefined;
  const faults: string[] = [];
  if (header.HeaderSize < gptHeader.size || header.HeaderSize > sectorSize) {
    faults.push(`its header says it is ${header.HeaderSize} bytes long`);
  } else if (headerChecksum(bytes.slice(0, header.HeaderSize)) !== header.HeaderCRC32) {
    faults.push('the checksum of its header is wrong');
  }
  if (header.MyLBA !== sector) faults.push('its header says it lies elsewhere');

  const entrySize = header.SizeOfPartitionEntry;
  const entryCount = header.NumberOfPartitionEntries;
  const entriesOffset = header.PartitionEntryLBA * sectorSize;
  const length = entryCount * entrySize;
  const otherSector = header.AlternateLBA;
  const copy = { sectorSize, offset, otherSector, entriesOffset, entrySize, entryCount };
  const none = { partitions: [], skipped: [], entryCount: 0 };
  if (entrySize < gptEntry.size || entrySize % 8 !== 0 || length > entriesLimit) {
    const claim = `${entryCount} entries of ${entrySize} bytes`;
    return { ...copy, ...none, faults: [...faults, `its header claims ${claim}`] };
  }
  if (entriesOffset + length > image.size) {
    return { ...copy, ...none, faults: [...faults, 'its entries lie past the end of the image'] };
  }
  const entries = readBytes(image, entriesOffset, length);
  if (crc32(entries) !== header.PartitionEntryArrayCRC32) {
    faults.push('the checksum of its entries is wrong');
  }
  return { ...copy, ...readEntries(entries, entrySize, sectorSize), faults };
}

/** The checksum covers the header as it is while its own field is zero. */
function headerChecksum(header: Uint8Array): number {
  gptHeader.set(new DataView(header.buffer), 'HeaderCRC32', 0);
  return crc32(header);
}

function readEntries(entries: Uint8Array, entrySize: number, sectorSize: number) {
  const view = new DataView(entries.buffer);
  const partitions: Partition[] = [];
  const skipped: string[] = [];
  for (let at = 0; at + entrySize <= entries.length; at += entrySize) {
    if (isZero(entries.subarray(at, at + 16))) continue;
    if (partitions.length === partitionLimit) {
      skipped.push(`Only the first ${partitionLimit} partitions are listed.`);
      break;
    }
    const entry = gptEntry.read(view, at);
    const number = at / entrySize + 1;
    const [first, last] = [entry.StartingLBA, entry.EndingLBA];
    if (first === 0 || last < first || !Number.isSafeInteger((last + 1) * sectorSize)) {
      skipped.push(`Partition ${number} runs from sector ${first} to ${last}; it is left out.`);
      continue;
    }
    partitions.push({
      number,
      offset: first * sectorSize,
      length: (last - first + 1) * sectorSize,
      type: entry.PartitionTypeGUID,
      name: entry.PartitionName,
    });
  }
  return { partitions, skipped };
}

function isPlausible(copy: GptCopy, image: ImageBytes): boolean {
  return (
    copy.partitions.length > 0 &&
    copy.skipped.length === 0 &&
    copy.partitions.every(({ offset, length }) => offset + length <= image.size) &&
    !overlap(copy.partitions)
  );
}

function describeFaults(name: CopyName, copy: GptCopy | undefined): string[] {
  if (!copy) return [`There is no ${name} of the partition table where one should be.`];
  if (copy.faults.length === 0) return [];
  return [`The ${name} of the partition table is damaged: ${copy.faults.join(', ')}.`];
}

function differences(primary: GptCopy | undefined, backup: GptCopy | undefined): string[] {
  if (!primary || !backup || primary.faults.length || backup.faults.length) return [];
  const same = JSON.stringify(primary.partitions) === JSON.stringify(backup.partitions);
  return same ? [] : ['The primary and the backup of the partition table differ.'];
}
