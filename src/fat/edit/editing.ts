import type { Editing } from '../../filesystem/editing';
import type { WritableVolume } from '../../image/bytes';
import { ImageError } from '../../image/errors';
import { readBootSector } from '../boot-sector';
import type { CodePage } from '../code-pages';
import type { FatVolume } from '../fat-volume';
import { FatEditor } from './fat-editor';
import { WritableFat } from './writable-fat';

/** How a FAT volume can be changed. */
export function fatEditing(volume: FatVolume): Editing {
  const whyNot = whyNotEditable(volume);
  if (whyNot !== null) return { whyNot };
  return {
    whyNot,
    open: (bytes, options) => new FatEditor(openWritable(bytes, volume.codePage), options),
  };
}

/** @throws ImageError `corrupt` when the boot sector is gone */
export function openWritable(bytes: WritableVolume, codePage: CodePage): WritableFat {
  const boot = readBootSector(bytes);
  if (!boot) throw new ImageError('corrupt', 'The volume has no valid FAT boot sector any more.');
  return new WritableFat(bytes, boot, codePage);
}

function whyNotEditable({ boot, bytes }: FatVolume): string | null {
  if (boot.sector !== 0) {
    return 'The boot sector is destroyed: the volume is read by its backup, and not changed.';
  }
  if (bytes.present < boot.totalSectors * boot.sectorSize) {
    return 'The volume is cut short: what is missing cannot be written.';
  }
  return boot.clusters === 0 ? 'The volume has no cluster that could be used.' : null;
}
