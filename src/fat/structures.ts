import { readView } from '../image/bytes';
import type { DescribedStructure } from '../filesystem/structure';
import { bootSector16, bootSector32, slotSize } from './boot-sector';
import type { FatVolume } from './fat-volume';
import { fsInfoSector } from './fs-info';
import { deletedLongName, LongNameReader, mostLongSlots } from './long-names';
import { shortNameChecksum } from './short-names';
import { deletedMark, longSlot, shortSlot, slotKind, usedSlotKind } from './slots';

/** The boot sector, its backup, FSInfo and its backup, as far as the volume has them. */
export function describeVolume(volume: FatVolume): DescribedStructure[] {
  const { boot } = volume;
  const sectors: [sector: number | undefined, name: string, isFsInfo: boolean][] = [
    [0, 'boot sector', false],
    [boot.fsInfoSector, 'FSInfo', true],
    [boot.backupSector, 'backup boot sector', false],
    [backupFsInfo(volume), 'backup FSInfo', true],
  ];
  return sectors.flatMap(([sector, name, isFsInfo]) => {
    if (sector === undefined) return [];
    const offset = sector * boot.sectorSize;
    const declaration = isFsInfo ? fsInfoSector : boot.bits === 32 ? bootSector32 : bootSector16;
    const view = readView(volume.bytes, offset, declaration.size);
    return [declaration.describe(view, name, volume.inImage(offset))];
  });
}

/** FSInfo's copy follows the backup boot sector as FSInfo follows the boot sector. */
function backupFsInfo({ boot }: FatVolume): number | undefined {
  if (boot.backupSector === undefined || boot.fsInfoSector === undefined) return undefined;
  const sector = boot.backupSector + boot.fsInfoSector;
  return sector < boot.reservedSectors ? sector : undefined;
}

/** The short slot at a place, then the long slots that give it its name, the name's start first. */
export function describeSlots(volume: FatVolume, offset: number): DescribedStructure[] {
  const places = [...longPlacesBefore(volume, offset), offset];
  const bytes = new Uint8Array(places.length * slotSize);
  places.forEach((place, i) => {
    volume.bytes.read(place, bytes.subarray(i * slotSize, (i + 1) * slotSize));
  });
  const view = new DataView(bytes.buffer);
  const short = places.length - 1;
  const described = [
    shortSlot.describe(view, 'short slot', volume.inImage(offset), short * slotSize),
  ];
  const count = longSlotsBefore(bytes, short);
  for (let part = 1; part <= count; part++) {
    const index = short - part;
    const name = `long name slot ${part}`;
    described.push(longSlot.describe(view, name, volume.inImage(places[index]), index * slotSize));
  }
  return described;
}

function longSlotsBefore(bytes: Uint8Array, short: number): number {
  if (bytes[short * slotSize] === deletedMark) {
    const isDeletedLong = (index: number) =>
      bytes[index * slotSize] === deletedMark && usedSlotKind(bytes, index * slotSize) === 'long';
    return deletedLongName(bytes, short, isDeletedLong)?.count ?? 0;
  }
  const groups = new LongNameReader(bytes);
  for (let index = 0; index < short; index++) {
    if (bytes[index * slotSize] === deletedMark) groups.end();
    else groups.addLong(index);
  }
  const group = groups.end(shortNameChecksum(bytes, short * slotSize));
  return group?.state === 'whole' ? group.count : 0;
}

/** Where the long slots right before a slot lie, live or deleted, in the order of the directory. */
function longPlacesBefore(volume: FatVolume, offset: number): number[] {
  const slot = new Uint8Array(slotSize);
  const places: number[] = [];
  let place = placeBefore(volume, offset);
  while (place !== undefined && places.length < mostLongSlots) {
    volume.bytes.read(place, slot);
    if (slotKind(slot, 0) === 'end' || usedSlotKind(slot, 0) !== 'long') break;
    places.unshift(place);
    place = placeBefore(volume, place);
  }
  return places;
}

/** The slot before one; at the start of a cluster only a scan of the FAT finds it. */
function placeBefore(volume: FatVolume, offset: number): number | undefined {
  const { boot } = volume;
  const cluster = volume.clusterAt(offset);
  const start = cluster === undefined ? boot.rootStart : volume.clusterStart(cluster);
  if (offset > start) return offset - slotSize;
  const before = cluster === undefined ? undefined : volume.table.predecessor(cluster);
  return before === undefined
    ? undefined
    : volume.clusterStart(before) + boot.clusterSize - slotSize;
}
