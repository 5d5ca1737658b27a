import type { VolumeBytes } from '../image/bytes';
import { bootSector32, readBootSector, type BootSector } from './boot-sector';

export type FatType = 'fat12' | 'fat16' | 'fat32';

/** @returns undefined where the volume does not start with a boot sector of FAT */
export function recogniseFat(volume: VolumeBytes): FatType | undefined {
  const boot = readBootSector(volume);
  return boot && fatType(boot);
}

/**
 * Looks for a backup boot sector of FAT32, for volumes whose first sector is destroyed. It is a
 * last resort: the volume starts with what may be anything else.
 */
export function recogniseBackupFat(volume: VolumeBytes): FatType | undefined {
  const boot = findBackupBootSector(volume);
  return boot && fatType(boot);
}

export function fatType(boot: BootSector): FatType {
  return `fat${boot.bits}`;
}

const usualBackupSector = 6;
const lastBackupSector = 31; // the usual 32 reserved sectors hold it

/** A backup is believed when it says itself that it lies where it was found. */
export function findBackupBootSector(volume: VolumeBytes): BootSector | undefined {
  const sectors = [usualBackupSector];
  for (let sector = 1; sector <= lastBackupSector; sector++) sectors.push(sector);
  for (const sector of sectors) {
    for (const sectorSize of [512, 1024, 2048, 4096]) {
      const boot = readBootSector(volume, sector, sectorSize);
      if (boot?.sectorSize !== sectorSize || boot.backupSector !== sector) continue;
      if (bootSector32.read(boot.view).BS_Signature === 0xaa55) return boot;
    }
  }
  return undefined;
}
