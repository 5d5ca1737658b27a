import type { NodeChanges } from '../../filesystem/editing';
import type { Timestamp } from '../../filesystem/timestamp';
import { ImageError } from '../../image/errors';
import { attributeBit, type ShortSlot } from '../slots';
import { fitsSlot } from '../times';
import { accessedFields, createdFields, modifiedFields } from './slot-maker';

/**
 * The fields of a slot that some changes come to.
 * @throws ImageError `unsupported` for what FAT does not keep; `usage` for a time before 1980 or
 *   after 2107, or an attribute that there is not
 */
export function changedFields(slot: ShortSlot, changes: NodeChanges): Partial<ShortSlot> {
  if (changes.mode !== undefined || changes.uid !== undefined || changes.gid !== undefined) {
    throw new ImageError('unsupported', 'FAT keeps no owner and no permissions of a file.');
  }
  const { modified, accessed, created } = changes;
  return {
    DIR_Attr: (slot.DIR_Attr | bitsOf(changes.set)) & ~bitsOf(changes.clear),
    ...(modified && modifiedFields(kept(modified))),
    ...(accessed && accessedFields(kept(accessed))),
    ...(created && createdFields(kept(created))),
  };
}

function kept(moment: Timestamp): Timestamp {
  if (fitsSlot(moment)) return moment;
  throw new ImageError('usage', 'FAT keeps times of the years 1980 to 2107 only.');
}

function bitsOf(names: readonly string[] = []): number {
  return names.reduce((bits, name) => {
    const bit = attributeBit(name);
    if (bit === undefined) {
      throw new ImageError(
        'usage',
        `FAT has no attribute ${JSON.stringify(name)} to set or clear.`,
      );
    }
    return bits | bit;
  }, 0);
}
