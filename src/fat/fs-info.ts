import { readView, type VolumeBytes, type WritableVolume } from '../image/bytes';
import { bytes, structure, u32 } from '../filesystem/structure';
import type { BootSector } from './boot-sector';

/** FSInfo of FAT32: hints, never the truth. */
export const fsInfoSector = structure('FSInfo', 512, {
  FSI_LeadSig: u32(0, '41615252'),
  FSI_Reserved1: bytes(4, 480, 'reserved'),
  FSI_StrucSig: u32(484, '61417272'),
  FSI_Free_Count: u32(488, 'free clusters when it was last written; FFFFFFFF: unknown'),
  FSI_Nxt_Free: u32(492, 'where to look for free clusters; FFFFFFFF: unknown'),
  FSI_Reserved2: bytes(496, 12, 'reserved'),
  FSI_TrailSig: u32(508, 'AA550000'),
});

/** What the marks of the sector are. Drivers test the first two, checkers all. */
export const fsInfoMarks = [
  ['FSI_LeadSig', 0x41615252],
  ['FSI_StrucSig', 0x61417272],
  ['FSI_TrailSig', 0xaa550000],
] as const;
const testedMarks = fsInfoMarks.slice(0, 2);

export interface FsInfo {
  /** Null where it says nothing, or more than there can be. */
  readonly freeClusters: number | null;
  readonly nextFree: number | null;
}

/** @returns undefined where the volume has none, or its signatures are wrong */
export function readFsInfo(volume: VolumeBytes, boot: BootSector): FsInfo | undefined {
  if (boot.fsInfoSector === undefined) return undefined;
  const offset = boot.fsInfoSector * boot.sectorSize;
  const info = fsInfoSector.read(readView(volume, offset, fsInfoSector.size));
  if (testedMarks.some(([field, mark]) => info[field] !== mark)) return undefined;
  const { FSI_Free_Count: free, FSI_Nxt_Free: next } = info;
  return {
    freeClusters: free <= boot.clusters ? free : null,
    nextFree: next === 0xffffffff ? null : next,
  };
}

/** Writes those hints that are known; others stay. The volume must have an FSInfo. */
export function writeFsInfo(
  volume: WritableVolume,
  boot: BootSector,
  hints: Partial<FsInfo>,
): void {
  const offset = (boot.fsInfoSector ?? 1) * boot.sectorSize;
  const view = readView(volume, offset, fsInfoSector.size);
  const { freeClusters, nextFree } = hints;
  if (typeof freeClusters === 'number') fsInfoSector.set(view, 'FSI_Free_Count', freeClusters);
  if (typeof nextFree === 'number') fsInfoSector.set(view, 'FSI_Nxt_Free', nextFree);
  volume.write(offset, new Uint8Array(view.buffer));
}
