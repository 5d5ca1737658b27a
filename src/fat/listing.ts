import { EntryTableBuilder, type EntryTable } from '../filesystem/entry-table';
import type { Finding } from '../filesystem/finding';
import { slotSize } from './boot-sector';
import type { DirectorySlots } from './directory';
import { deletedLongSlots, entryName, type LongSlots } from './entry-names';
import type { FatVolume } from './fat-volume';
import {
  groupLongNames,
  type LongNameGroup,
  type LongNames,
  type LongNameState,
} from './long-names';
import { firstClusterAt, isDirectorySlot, isDotSlot, slotKind, wasEntry } from './slots';

/** The entries of a directory; of a deleted one all are deleted. */
export function listDirectory(
  volume: FatVolume,
  slots: DirectorySlots,
  withDeleted: boolean,
): EntryTable {
  const { bytes } = slots;
  const builder = new EntryTableBuilder('utf-16le');
  const { groups } = visitEntries(bytes, withDeleted, (index, long, isLive) => {
    if (slots.isDeleted && !withDeleted) return;
    const at = index * slotSize;
    const { name, undecodable } = entryName(bytes, index, long, volume.codePage);
    const offset = slots.offsetOf(index);
    builder.add({
      name,
      undecodable,
      node: offset,
      number: firstClusterAt(bytes, at, volume.boot.bits),
      type: isDirectorySlot(bytes, at) ? 'directory' : 'file',
      deleted: !isLive || slots.isDeleted,
      offset: volume.inImage(offset),
    });
  });
  const broken = groups.filter(({ state }) => state !== 'whole');
  const problems = broken.map((group) => groupProblem(volume, slots, group));
  return builder.build([...slots.problems, ...problems]);
}

/**
 * Visits the short slots of a directory but those of `.`, `..` and the label, in their order.
 * @param visit gets the index of the slot, the long slots that spell its name, and whether it is
 *   live
 */
export function visitEntries(
  bytes: Uint8Array,
  withDeleted: boolean,
  visit: (index: number, long: LongSlots | undefined, isLive: boolean) => void,
): LongNames {
  const names = groupLongNames(bytes);
  const whole = names.groups.filter(({ state }) => state === 'whole');
  let nextGroup = 0;
  for (let index = 0; index < names.end; index++) {
    const at = index * slotSize;
    const isLive = slotKind(bytes, at) === 'short';
    const isEntry = isLive ? !isDotSlot(bytes, at) : withDeleted && wasEntry(bytes, at);
    if (!isEntry) continue;
    while (nextGroup < whole.length && whole[nextGroup].first + whole[nextGroup].count < index) {
      nextGroup += 1;
    }
    const group = whole.at(nextGroup);
    const own = group?.short === index ? group : undefined;
    visit(index, isLive ? own : deletedLongSlots(bytes, index), isLive);
  }
  return names;
}

const groupMessages: Record<LongNameState, string> = {
  whole: 'is whole',
  checksum: 'belongs to another short name than the one that follows it',
  gap: 'lacks a part or has its parts out of order',
  orphan: 'is not followed by a short name',
};

function groupProblem(volume: FatVolume, slots: DirectorySlots, group: LongNameGroup): Finding {
  return {
    code: `long-name-${group.state}`,
    severity: 'error',
    message: `A long name of ${group.count} slots ${groupMessages[group.state]}.`,
    offset: volume.inImage(slots.offsetOf(group.first)),
    length: slotSize,
    fixable: true,
  };
}
