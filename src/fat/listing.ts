import { EntryTableBuilder, type EntryTable } from '../filesystem/entry-table';
import type { Finding } from '../filesystem/finding';
import { slotSize } from './boot-sector';
import type { DirectorySlots } from './directory';
import { deletedLongSlots, longEntryName, shortEntryName } from './entry-names';
import type { FatVolume } from './fat-volume';
import { groupLongNames, type LongNameGroup, type LongNameState } from './long-names';
import { firstClusterAt, isDirectorySlot, isDotSlot, slotKind, wasEntry } from './slots';

/** The entries of a directory; of a deleted one all are deleted. */
export function listDirectory(
  volume: FatVolume,
  slots: DirectorySlots,
  withDeleted: boolean,
): EntryTable {
  const { bytes } = slots;
  const builder = new EntryTableBuilder('utf-16le');
  const { end, groups } = groupLongNames(bytes);
  const whole = groups.filter(({ state }) => state === 'whole');
  let nextGroup = 0;
  for (let index = 0; index < end; index++) {
    const at = index * slotSize;
    const isLive = slotKind(bytes, at) === 'short';
    const isEntry = isLive ? !isDotSlot(bytes, at) : withDeleted && wasEntry(bytes, at);
    if (!isEntry || (slots.isDeleted && !withDeleted)) continue;
    while (nextGroup < whole.length && whole[nextGroup].first + whole[nextGroup].count < index) {
      nextGroup += 1;
    }
    const group = whole.at(nextGroup);
    const own = group?.short === index ? group : undefined;
    const long = isLive ? own : deletedLongSlots(bytes, index);
    const { name, undecodable } =
      (long && longEntryName(bytes, long)) ?? shortEntryName(bytes, index, volume.codePage);
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
  }
  const broken = groups.filter(({ state }) => state !== 'whole');
  const problems = broken.map((group) => groupProblem(volume, slots, group));
  return builder.build([...slots.problems, ...problems]);
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
