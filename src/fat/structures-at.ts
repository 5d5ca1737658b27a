import type { Ownership } from '../filesystem/ownership';
import type { DescribedStructure } from '../filesystem/structure';
import { firstCluster, slotSize } from './boot-sector';
import { describeEntry, describeFat } from './fat-entries';
import type { FatVolume } from './fat-volume';
import { describeSector, describeSlot, volumeSectors } from './structures';

/** Entries or slots that one question is answered with at most. */
const mostRows = 4096;

/**
 * The structures that cover a range of the volume, given in bytes from its start.
 * @param directories which clusters belong to directories; asked for only when needed
 */
export function structuresAt(
  volume: FatVolume,
  directories: () => Ownership,
  start: number,
  length: number,
): DescribedStructure[] {
  if (!(length > 0)) return [];
  const end = start + length;
  return [
    ...sectorsAt(volume, start, end),
    ...entriesAt(volume, start, end),
    ...rootSlotsAt(volume, start, end),
    ...clusterSlotsAt(volume, directories, start, end),
  ];
}

function sectorsAt(volume: FatVolume, start: number, end: number): DescribedStructure[] {
  return volumeSectors(volume)
    .filter(({ offset, declared }) => offset < end && offset + declared.size > start)
    .map((sector) => describeSector(volume, sector));
}

function entriesAt(volume: FatVolume, start: number, end: number): DescribedStructure[] {
  const { table, boot } = volume;
  const found: DescribedStructure[] = [];
  for (let copy = 0; copy < boot.fatCount; copy++) {
    const fatStart = table.entryOffset(0, copy);
    if (fatStart >= end || fatStart + boot.fatSize <= start) continue;
    found.push(describeFat(volume, copy));
    // One entry earlier than the division says: on FAT12 two of them share a byte.
    const from = Math.max(0, Math.floor(((start - fatStart) * 8) / boot.bits) - 1);
    const entries = Math.min(boot.clusters + firstCluster, from + mostRows);
    for (let cluster = from; cluster < entries; cluster++) {
      const place = table.entryOffset(cluster, copy);
      if (place >= end) break;
      if (place + table.entryLength > start) found.push(describeEntry(volume, copy, cluster));
    }
  }
  return found;
}

function rootSlotsAt(volume: FatVolume, start: number, end: number): DescribedStructure[] {
  const { rootStart, rootSize } = volume.boot;
  return slotsBetween(
    volume,
    rootStart,
    Math.max(rootStart, start),
    Math.min(rootStart + rootSize, end),
  );
}

function clusterSlotsAt(
  volume: FatVolume,
  directories: () => Ownership,
  start: number,
  end: number,
): DescribedStructure[] {
  const { dataStart, clusterSize } = volume.boot;
  const found: DescribedStructure[] = [];
  if (end <= dataStart || volume.boot.clusters === 0) return found;
  const owners = directories();
  const first = volume.clusterAt(Math.max(start, dataStart)) ?? volume.table.lastCluster + 1;
  let row = Math.max(0, owners.rowAfter(first) - 1);
  for (; row < owners.count && found.length < mostRows; row++) {
    const run = owners.owner(row);
    const runStart = volume.clusterStart(run.start);
    if (runStart >= end) break;
    const runEnd = runStart + run.length * clusterSize;
    if (run.role !== 'directory') continue;
    found.push(...slotsBetween(volume, runStart, Math.max(start, runStart), Math.min(end, runEnd)));
  }
  return found;
}

/** @param origin a place where a slot starts, at or before `start` */
function slotsBetween(
  volume: FatVolume,
  origin: number,
  start: number,
  end: number,
): DescribedStructure[] {
  const found: DescribedStructure[] = [];
  let place = start - ((start - origin) % slotSize);
  for (; place < end && found.length < mostRows; place += slotSize) {
    found.push(describeSlot(volume, place));
  }
  return found;
}
