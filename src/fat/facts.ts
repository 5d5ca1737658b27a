import type { VolumeFacts } from '../filesystem/filesystem';
import { bitsByCount, firstCluster, slotSize, type BootSector } from './boot-sector';
import type { DirectorySlots } from './directory';
import type { FatVolume } from './fat-volume';
import { readFsInfo, type FsInfo } from './fs-info';
import { fatType } from './recognise';
import { decodeLabel, rawName } from './short-names';
import { isDirectorySlot, slotKind } from './slots';

/** What formatters write where there is no label. */
export const noLabel = 'NO NAME';

export function readFacts(volume: FatVolume, root: DirectorySlots): VolumeFacts {
  const { boot } = volume;
  const info = readFsInfo(volume.bytes, boot);
  return {
    type: fatType(boot),
    label: label(volume, root),
    uuid: boot.serial === undefined ? '' : formatSerial(boot.serial),
    blockSize: boot.clusterSize,
    blocks: boot.clusters,
    freeBlocks: info?.freeClusters ?? null,
    inodes: null,
    freeInodes: null,
    state: state(volume),
    features: [],
    notes: [...layoutNotes(volume, info), ...stateNotes(volume)],
  };
}

/** The root directory's label goes before the boot sector's, which older systems never change. */
function label(volume: FatVolume, root: DirectorySlots): string {
  const index = labelSlot(root);
  const raw = index === undefined ? volume.boot.label : rawName(root.bytes, index);
  if (!raw) return '';
  const { text } = decodeLabel(raw, volume.codePage);
  return text === noLabel ? '' : text;
}

/** Index of the slot of the root directory that holds the label. */
export function labelSlot({ bytes, count }: DirectorySlots): number | undefined {
  for (let index = 0; index < count; index++) {
    const at = index * slotSize;
    const kind = slotKind(bytes, at);
    if (kind === 'end') return undefined;
    if (kind === 'label' && !isDirectorySlot(bytes, at)) return index;
  }
  return undefined;
}

function formatSerial(serial: number): string {
  const digits = serial.toString(16).toUpperCase().padStart(8, '0');
  return `${digits.slice(0, 4)}-${digits.slice(4)}`;
}

const dirtyBit = 1;
const errorBit = 2;

function state(volume: FatVolume): string {
  const bits = volume.table.stateBits();
  if (volume.boot.dirty & errorBit || bits?.hadNoErrors === false) return 'has errors';
  if (volume.boot.dirty & dirtyBit || bits?.wasUnmountedCleanly === false) return 'not clean';
  return 'clean';
}

/** The boot sector and FAT[1] each keep the state; drivers that know one ignore the other. */
function stateNotes(volume: FatVolume): string[] {
  const bits = volume.table.stateBits();
  const notes: [boolean, string][] = [
    [
      (volume.boot.dirty & dirtyBit) !== 0,
      'The boot sector says that it was not unmounted cleanly.',
    ],
    [(volume.boot.dirty & errorBit) !== 0, 'The boot sector says that its surface must be tested.'],
    [bits?.wasUnmountedCleanly === false, 'FAT[1] says that it was not unmounted cleanly.'],
    [bits?.hadNoErrors === false, 'FAT[1] says that input/output errors were met.'],
  ];
  return notes.filter(([applies]) => applies).map(([, note]) => note);
}

function layoutNotes(volume: FatVolume, info: FsInfo | undefined): string[] {
  const { boot, bytes } = volume;
  const notes: string[] = [];
  if (boot.sector !== 0) {
    notes.push(
      `The boot sector is destroyed; its backup in sector ${boot.sector} is used in its place.`,
    );
  }
  const length = boot.totalSectors * boot.sectorSize;
  if (bytes.present < length) {
    notes.push(
      `The volume is cut short: ${bytes.present} of its ${length} bytes are there, and the rest reads as zeros.`,
    );
  }
  notes.push(...countNotes(boot));
  const { total16, total32 } = boot;
  if (total16 !== 0 && total32 !== 0 && total16 !== total32) {
    notes.push(
      `The boot sector gives two sizes, ${total16} and ${total32} sectors; the first one counts.`,
    );
  }
  if (!boot.isMirrored) {
    notes.push(`FAT copies are not kept alike: only number ${boot.activeFat} is active.`);
  }
  if (boot.bits === 32 && boot.fsInfoSector === undefined) {
    notes.push('There is no FSInfo sector.');
  } else if (boot.bits === 32 && !info) {
    notes.push(`Sector ${boot.fsInfoSector} should be FSInfo, but its signatures are wrong.`);
  }
  return notes;
}

function countNotes(boot: BootSector): string[] {
  const notes: string[] = [];
  const byCount = bitsByCount(boot.countedClusters);
  if (byCount !== boot.bits) {
    notes.push(
      `It has ${boot.countedClusters} clusters, which makes it FAT${byCount} by their count; it is read as FAT${boot.bits}, as Linux does.`,
    );
  }
  if (boot.clusters < boot.countedClusters) {
    const last = firstCluster + boot.clusters - 1;
    notes.push(
      `The FAT is too small for its ${boot.countedClusters} clusters: those after number ${last} cannot be used.`,
    );
  }
  return notes;
}
