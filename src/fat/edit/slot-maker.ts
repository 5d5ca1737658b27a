import type { Timestamp } from '../../filesystem/timestamp';
import { slotSize, type FatBits } from '../boot-sector';
import { longSlotsFor, writeLongName } from '../long-names';
import { shortNameChecksum } from '../short-names';
import { nameLength, type ShortSlot } from '../slots';
import { slotTime } from '../times';
import { firstClusterFields, setFields } from './writable-fat';

/** How a name is stored. */
export interface StoredName {
  /** What the long slots spell; undefined where the short name says it all. */
  readonly long: string | undefined;
  readonly short: Uint8Array;
  /** DIR_NTRes. */
  readonly caseFlags: number;
}

/** How many slots an entry takes. */
export const slotsFor = ({ long }: Pick<StoredName, 'long'>) =>
  (long === undefined ? 0 : longSlotsFor(long.length)) + 1;

/** The slots of an entry, the long ones first. @param fields of the short slot; but for its name */
export function makeSlots(name: StoredName, fields: Partial<ShortSlot>): Uint8Array {
  const slots = new Uint8Array(slotsFor(name) * slotSize);
  const at = slots.length - slotSize;
  slots.set(name.short, at);
  const named = { ...fields, DIR_Name: undefined, DIR_NTRes: name.caseFlags };
  setFields(new DataView(slots.buffer), named, at);
  if (name.long !== undefined) {
    writeLongName(slots.subarray(0, at), name.long, shortNameChecksum(name.short));
  }
  return slots;
}

/** `.` and `..`, which a directory starts with. @param parent 0 for the root */
export function makeDotSlots(
  cluster: number,
  parent: number,
  fields: Partial<ShortSlot>,
  bits: FatBits,
): Uint8Array {
  const slots = new Uint8Array(2 * slotSize);
  const view = new DataView(slots.buffer);
  slots.fill(0x20, 0, nameLength).fill(0x20, slotSize, slotSize + nameLength);
  slots.fill(0x2e, 0, 1).fill(0x2e, slotSize, slotSize + 2);
  setFields(view, { ...fields, ...firstClusterFields(cluster, bits) });
  setFields(view, { ...fields, ...firstClusterFields(parent, bits) }, slotSize);
  return slots;
}

/** The fields of a slot that was just made. */
export function newTimes(now: Timestamp, modified = now): Partial<ShortSlot> {
  return { ...createdFields(now), ...accessedFields(now), ...modifiedFields(modified) };
}

export function createdFields(moment: Timestamp): Partial<ShortSlot> {
  const { date, time, hundredths } = slotTime(moment);
  return { DIR_CrtDate: date, DIR_CrtTime: time, DIR_CrtTimeTenth: hundredths };
}

export function modifiedFields(moment: Timestamp): Partial<ShortSlot> {
  const { date, time } = slotTime(moment);
  return { DIR_WrtDate: date, DIR_WrtTime: time };
}

/** Slots keep the day of the last access alone. */
export function accessedFields(moment: Timestamp): Partial<ShortSlot> {
  return { DIR_LstAccDate: slotTime(moment).date };
}
