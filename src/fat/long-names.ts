import { longSlot } from './slots';
import { slotSize } from './boot-sector';

const unitsOfSlot = 13;
/** A name has at most 255 units: twenty slots. */
export const mostLongSlots = 20;
const lastPartFlag = 0x40;

/** Where the thirteen units of a slot lie in it. */
const unitOffsets = [
  longSlot.fields.LDIR_Name1,
  longSlot.fields.LDIR_Name2,
  longSlot.fields.LDIR_Name3,
].flatMap(({ offset, length }) => Array.from({ length: length / 2 }, (_, i) => offset + 2 * i));
const checksumOffset = longSlot.fields.LDIR_Chksum.offset;

/**
 * `whole`: gives its short slot its name. `checksum`: belongs to another short name. `gap`: a
 * part is missing or out of order. `orphan`: no short slot follows.
 */
export type LongNameState = 'whole' | 'checksum' | 'gap' | 'orphan';

/** Long slots that follow one another and belong, or should belong, to one name. */
export interface LongNameGroup {
  /** Index of its first slot, and how many there are. */
  readonly first: number;
  readonly count: number;
  readonly state: LongNameState;
}

/** Collects the long slots of a directory, in the order of the disk, into groups. */
export class LongNameReader {
  private first = 0;
  private count = 0;
  private checksum = 0;
  /** Number that the next slot must have; 0 when the next one is the short slot. */
  private next = 0;
  private isBroken = false;

  constructor(private readonly bytes: Uint8Array) {}

  /** @returns the group before this slot, when the slot does not continue it */
  addLong(index: number): LongNameGroup | undefined {
    const at = index * slotSize;
    const order = this.bytes[at];
    const number = order & ~lastPartFlag;
    const checksum = this.bytes[at + checksumOffset];
    if (this.count > 0 && this.continues(order, number, checksum)) {
      this.count += 1;
      this.next = number - 1;
      return undefined;
    }
    const before = this.close(this.isBroken || this.next > 0 ? 'gap' : 'orphan');
    this.first = index;
    this.count = 1;
    this.checksum = checksum;
    this.next = number - 1;
    this.isBroken = (order & lastPartFlag) === 0 || number === 0 || number > mostLongSlots;
    return before;
  }

  /**
   * Ends the group at a slot that is not long.
   * @param checksum of the short name that follows; undefined where none does
   */
  end(checksum?: number): LongNameGroup | undefined {
    if (this.isBroken || this.next > 0) return this.close('gap');
    if (checksum === undefined) return this.close('orphan');
    return this.close(checksum === this.checksum ? 'whole' : 'checksum');
  }

  private continues(order: number, number: number, checksum: number): boolean {
    const startsName = (order & lastPartFlag) !== 0;
    if (startsName) return false;
    // Parts without a beginning stay together: they are one gap, not one each.
    return this.isBroken || (number === this.next && number > 0 && checksum === this.checksum);
  }

  private close(state: LongNameState): LongNameGroup | undefined {
    if (this.count === 0) return undefined;
    const group = { first: this.first, count: this.count, state };
    this.count = 0;
    this.next = 0;
    this.isBroken = false;
    return group;
  }
}

/**
 * The name that a run of long slots spells, in UTF-16LE.
 * @param first index of the slot with the name's last part
 */
export function longName(bytes: Uint8Array, first: number, count: number): Uint8Array {
  const name = new Uint8Array(2 * unitsOfSlot * count);
  let used = 0;
  for (let index = first + count - 1; index >= first; index--) {
    for (const offset of unitOffsets) {
      const at = index * slotSize + offset;
      if (bytes[at] === 0 && bytes[at + 1] === 0) return name.subarray(0, used);
      name[used] = bytes[at];
      name[used + 1] = bytes[at + 1];
      used += 2;
    }
  }
  return name;
}

/** The deleted long slots before a deleted short one, as far as they can belong to it. */
export interface DeletedLongName {
  readonly first: number;
  readonly count: number;
  readonly checksum: number;
}

/**
 * Deletion overwrites the order of long slots, so they are found by walking back from the short
 * slot while the checksum stays the same, up to the part that holds the name's end.
 * @param isDeletedLong tells what the slot of an index is
 */
export function deletedLongName(
  bytes: Uint8Array,
  short: number,
  isDeletedLong: (index: number) => boolean,
): DeletedLongName | undefined {
  if (short === 0 || !isDeletedLong(short - 1)) return undefined;
  const checksum = bytes[(short - 1) * slotSize + checksumOffset];
  let first = short - 1;
  while (!endsName(bytes, first) && first > 0 && short - first < mostLongSlots) {
    if (!isDeletedLong(first - 1)) break;
    if (bytes[(first - 1) * slotSize + checksumOffset] !== checksum) break;
    first -= 1;
  }
  return { first, count: short - first, checksum };
}

/** A part that is not full is the last one. */
function endsName(bytes: Uint8Array, index: number): boolean {
  return unitOffsets.some((offset) => {
    const at = index * slotSize + offset;
    return bytes[at] === 0 && bytes[at + 1] === 0;
  });
}
