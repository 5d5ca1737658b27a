import type { Editing, EditOptions } from '../../filesystem/editing';
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
    open: (bytes, options) => openFatEditor(bytes, volume.codePage, options),
  };
}

/**
 * Starts to edit a volume.
 * @param oneAtATime see `AllocatorOptions`
 * @throws ImageError `corrupt` when the boot sector is gone
 */
export function openFatEditor(
  bytes: WritableVolume,
  codePage: CodePage,
  options: EditOptions,
  oneAtATime = false,
): FatEditor {
  const boot = readBootSector(bytes);
  if (!boot) throw new ImageError('corrupt', 'The volume has no valid FAT boot sector any more.');
  return new FatEditor(new WritableFat(bytes, boot, codePage), options, oneAtATime);
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
