import { readBytes, readView } from '../image/bytes';
import type { DescribedStructure, Structure } from '../filesystem/structure';
import { bootSector16, bootSector32, slotSize } from './boot-sector';
import { deletedLongSlots, shortEntryName, showName } from './entry-names';
import type { FatVolume } from './fat-volume';
import { fsInfoSector } from './fs-info';
import { groupLongNames, longSlotNumber, mostLongSlots } from './long-names';
import { deletedMark, isDotSlot, longSlot, shortSlot, slotKind, usedSlotKind } from './slots';

/** A sector of the reserved area that holds a structure. */
export interface VolumeSector {
  readonly key: string;
  readonly name: string;
  /** In the volume, in bytes. */
  readonly offset: number;
  readonly declared: Structure<object>;
}

/** The boot sector, FSInfo and the backups of both, as far as the volume has them. */
export function volumeSectors(volume: FatVolume): VolumeSector[] {
  const { boot } = volume;
  const bootSector: Structure<object> = boot.bits === 32 ? bootSector32 : bootSector16;
  const sectors: [sector: number | undefined, string, string, Structure<object>][] = [
    [0, 'boot', 'boot sector', bootSector],
    [boot.fsInfoSector, 'fsinfo', 'FSInfo', fsInfoSector],
    [boot.backupSector, 'backup-boot', 'backup boot sector', bootSector],
    [backupFsInfo(volume), 'backup-fsinfo', 'backup FSInfo', fsInfoSector],
  ];
  return sectors.flatMap(([sector, key, name, declared]) =>
    sector === undefined ? [] : [{ key, name, offset: sector * boot.sectorSize, declared }],
  );
}

/** FSInfo's copy follows the backup boot sector as FSInfo follows the boot sector. */
function backupFsInfo({ boot }: FatVolume): number | undefined {
  if (boot.backupSector === undefined || boot.fsInfoSector === undefined) return undefined;
  const sector = boot.backupSector + boot.fsInfoSector;
  return sector < boot.reservedSectors ? sector : undefined;
}

export function describeSector(volume: FatVolume, sector: VolumeSector): DescribedStructure {
  const { declared, name, offset } = sector;
  const view = readView(volume.bytes, offset, declared.size);
  return declared.describe(view, name, volume.inImage(offset));
}

/** The slot at a place of the volume, which must be one where slots lie. */
export function describeSlot(volume: FatVolume, offset: number): DescribedStructure {
  const bytes = readBytes(volume.bytes, offset, slotSize);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const declared: Structure<object> = usedSlotKind(bytes, 0) === 'long' ? longSlot : shortSlot;
  const described = declared.describe(view, slotTitle(volume, bytes), volume.inImage(offset));
  return makesNode(bytes) ? { ...described, node: offset } : described;
}

/** Short slots do, deleted or not, but for the label, and for `.` and `..`. */
function makesNode(bytes: Uint8Array): boolean {
  const kind = slotKind(bytes, 0);
  const isShort = kind === 'short' || (kind === 'deleted' && usedSlotKind(bytes, 0) === 'short');
  return isShort && !isDotSlot(bytes, 0);
}

function slotTitle(volume: FatVolume, bytes: Uint8Array): string {
  const kind = slotKind(bytes, 0);
  if (kind === 'end') return 'free slot';
  if (kind === 'long') return `part ${longSlotNumber(bytes, 0)} of a long name`;
  const isLong = usedSlotKind(bytes, 0) === 'long';
  if (isLong) return 'deleted part of a long name';
  const { name } = showName(shortEntryName(bytes, 0, volume.codePage));
  if (kind === 'label') return `label ${name}`;
  return kind === 'deleted' ? `deleted slot of ${name}` : `slot of ${name}`;
}

/** The short slot at a place, then the long slots that give it its name, the name's start first. */
export function describeNode(volume: FatVolume, offset: number): DescribedStructure[] {
  return [offset, ...ownLongPlaces(volume, offset)].map((place) => describeSlot(volume, place));
}

/** Where the long slots of a short one lie in the volume, the name's start first. */
function ownLongPlaces(volume: FatVolume, offset: number): number[] {
  const places = [...longPlacesBefore(volume, offset), offset];
  const bytes = new Uint8Array(places.length * slotSize);
  places.forEach((place, i) => {
    volume.bytes.read(place, bytes.subarray(i * slotSize, (i + 1) * slotSize));
  });
  const short = places.length - 1;
  const own =
    bytes[short * slotSize] === deletedMark
      ? deletedLongSlots(bytes, short)
      : groupLongNames(bytes).groups.find((group) => group.state === 'whole');
  return own ? places.slice(own.first, own.first + own.count).reverse() : [];
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
