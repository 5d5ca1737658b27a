import { bootSector16, bootSector32, slotSize } from '../boot-sector';
import type { DirectorySlots } from '../directory';
import { noLabel } from '../facts';
import type { FatVolume } from '../fat-volume';
import { decodeLabel, rawName } from '../short-names';
import { isDirectorySlot, nameLength, slotKind } from '../slots';
import type { FatReport } from './problem-table';
import { isLabel } from './short-name-rules';

/** Compares the label of the boot sector with that of the root directory. */
export function checkLabels(volume: FatVolume, root: DirectorySlots, report: FatReport): void {
  const { boot, codePage } = volume;
  const field = boot.bits === 32 ? bootSector32.fields.BS_VolLab : bootSector16.fields.BS_VolLab;
  const bootPlace = {
    offset: volume.inImage(boot.sector * boot.sectorSize + field.offset),
    length: field.length,
    field: 'boot sector.BS_VolLab',
  };
  // Without its signature the field is taken for blank, as checkers take it.
  const inBoot = boot.label ?? new Uint8Array(nameLength).fill(0x20);
  const bootText = decodeLabel(inBoot, codePage).text;
  const hasBootLabel = bootText !== noLabel;
  const [index, ...others] = labelSlots(root);
  if (index === undefined) {
    if (!hasBootLabel) return;
    if (!isLabel(inBoot)) {
      report.add('fat-label-invalid', `The label "${bootText}" of the boot sector is invalid.`, {
        ...bootPlace,
      });
    } else {
      const message = `The boot sector has the label "${bootText}", the root directory none.`;
      report.add('fat-labels-differ', message, bootPlace);
    }
    return;
  }
  const raw = rawName(root.bytes, index);
  const rootText = decodeLabel(raw, codePage).text;
  const placeOf = (slot: number) => ({
    offset: volume.inImage(root.offsetOf(slot)),
    length: nameLength,
    field: 'short slot.DIR_Name',
  });
  if (!isLabel(raw)) {
    const message = `The label "${rootText}" of the root directory is invalid.`;
    report.add('fat-label-invalid', message, placeOf(index));
  } else if (!hasBootLabel || raw.some((byte, i) => byte !== inBoot[i])) {
    const boots = hasBootLabel ? `the label "${bootText}"` : 'no label';
    const message = `The root directory has the label "${rootText}", the boot sector ${boots}.`;
    report.add('fat-labels-differ', message, placeOf(index));
  }
  for (const other of others) {
    report.add('fat-label-several', 'The root directory has a further label.', placeOf(other));
  }
}

/** Indices of the labels, also of those behind the end mark: checkers read on. */
function labelSlots({ bytes, count }: DirectorySlots): number[] {
  const found: number[] = [];
  for (let index = 0; index < count; index++) {
    const at = index * slotSize;
    if (slotKind(bytes, at) === 'label' && !isDirectorySlot(bytes, at)) found.push(index);
  }
  return found;
}
