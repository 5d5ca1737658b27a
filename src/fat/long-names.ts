import { slotSize } from './boot-sector';
import { shortNameChecksum } from './short-names';
import { deletedMark, longAttribute, longSlot, slotKind, usedSlotKind } from './slots';

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

/**
 * `whole`: gives its short slot its name. `checksum`: belongs to another short name. `gap`: a
 * part is missing or out of order. `orphan`: no short slot follows.
 */
export type LongNameState = 'whole' | 'checksum' | 'gap' | 'orphan';

/** Long slots that follow one another and belong, or should belong, to one name. */
export interface LongNameGroup {
  /** Index of its first slot, which holds the name's end, and how many there are. */
  readonly first: number;
  readonly count: number;
  readonly state: LongNameState;
  /** Index of the short slot behind it; undefined where there is none. */
  readonly short: number | undefined;
}

/** The long names of a directory. */
export interface LongNames {
  /** Index of the end mark; the number of slots where there is none. */
  readonly end: number;
  /** In the order of the disk, up to the end mark. */
  readonly groups: readonly LongNameGroup[];
}

/** Puts the long slots of a directory into groups, as the Linux driver reads them. */
export function groupLongNames(bytes: Uint8Array): LongNames {
  const groups = new GroupBuilder(bytes);
  const count = Math.floor(bytes.length / slotSize);
  for (let index = 0; index < count; index++) {
    const kind = slotKind(bytes, index * slotSize);
    if (kind === 'long') groups.addLong(index);
    else groups.end(kind === 'short' ? index : undefined);
    if (kind === 'end') return { end: index, groups: groups.all };
  }
  groups.end();
  return { end: count, groups: groups.all };
}

class GroupBuilder {
  readonly all: LongNameGroup[] = [];
  private first = 0;
  private count = 0;
  private checksum = 0;
  /** Number that the next slot must have; 0 when the next one is the short slot. */
  private next = 0;
  private isBroken = false;

  constructor(private readonly bytes: Uint8Array) {}

  addLong(index: number): void {
    const order = this.bytes[index * slotSize];
    const number = order & ~lastPartFlag;
    const checksum = longSlotChecksum(this.bytes, index);
    if (this.count > 0 && this.continues(order, number, checksum)) {
      this.count += 1;
      this.next = number - 1;
      return;
    }
    this.end();
    this.first = index;
    this.count = 1;
    this.checksum = checksum;
    this.next = number - 1;
    this.isBroken = (order & lastPartFlag) === 0 || number === 0 || number > mostLongSlots;
  }

  /** @param short index of the short slot that ends the group; undefined where something else does */
  end(short?: number): void {
    if (this.count === 0) return;
    const { first, count } = this;
    this.all.push({ first, count, state: this.state(short), short });
    this.count = 0;
  }

  private state(short: number | undefined): LongNameState {
    if (this.isBroken || this.next > 0) return 'gap';
    if (short === undefined) return 'orphan';
    const isSame = shortNameChecksum(this.bytes, short * slotSize) === this.checksum;
    return isSame ? 'whole' : 'checksum';
  }

  private continues(order: number, number: number, checksum: number): boolean {
    const startsName = (order & lastPartFlag) !== 0;
    if (startsName) return false;
    // Parts without a beginning stay together: they are one gap, not one each.
    return this.isBroken || (number === this.next && number > 0 && checksum === this.checksum);
  }
}

/** The checksum of its short name that a long slot keeps. */
export function longSlotChecksum(bytes: Uint8Array, index: number): number {
  return bytes[index * slotSize + longSlot.fields.LDIR_Chksum.offset];
}

/** The place of a part in its name, from 1; not kept by deleted slots. */
export function longSlotNumber(bytes: Uint8Array, index: number): number {
  return bytes[index * slotSize] & ~lastPartFlag;
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

/** How many long slots a name of so many UTF-16 units takes. */
export const longSlotsFor = (units: number) => Math.ceil(units / unitsOfSlot);

/**
 * Spells a name in long slots, its last part first.
 * @param slots exactly as many bytes as the name takes slots
 * @param checksum of the short name that follows
 */
export function writeLongName(slots: Uint8Array, name: string, checksum: number): void {
  const count = slots.length / slotSize;
  const view = new DataView(slots.buffer, slots.byteOffset, slots.length);
  for (let part = 1; part <= count; part++) {
    const at = (count - part) * slotSize;
    longSlot.set(view, 'LDIR_Ord', part === count ? part | lastPartFlag : part, at);
    longSlot.set(view, 'LDIR_Attr', longAttribute, at);
    longSlot.set(view, 'LDIR_Chksum', checksum, at);
    unitOffsets.forEach((offset, i) => {
      const unit = (part - 1) * unitsOfSlot + i;
      // A name that does not fill its last part ends with NUL, and FFFF pads the rest.
      const value = unit < name.length ? name.charCodeAt(unit) : unit === name.length ? 0 : 0xffff;
      view.setUint16(at + offset, value, true);
    });
  }
}

/**
 * The deleted long slots before a deleted short one, as far as they can belong to it. Deletion
 * overwrites their order, so they are found by walking back while the checksum stays the same, up
 * to the part that holds the name's end.
 * @param short index of the deleted short slot
 */
export function deletedLongName(
  bytes: Uint8Array,
  short: number,
): Pick<LongNameGroup, 'first' | 'count'> | undefined {
  if (!isDeletedLong(bytes, short - 1)) return undefined;
  const checksum = longSlotChecksum(bytes, short - 1);
  let first = short - 1;
  while (!endsName(bytes, first) && short - first < mostLongSlots) {
    if (!isDeletedLong(bytes, first - 1)) break;
    if (longSlotChecksum(bytes, first - 1) !== checksum) break;
    first -= 1;
  }
  return { first, count: short - first };
}

function isDeletedLong(bytes: Uint8Array, index: number): boolean {
  const at = index * slotSize;
  return index >= 0 && bytes[at] === deletedMark && usedSlotKind(bytes, at) === 'long';
}

/** A part that is not full is the last one. */
function endsName(bytes: Uint8Array, index: number): boolean {
  return unitOffsets.some((offset) => {
    const at = index * slotSize + offset;
    return bytes[at] === 0 && bytes[at + 1] === 0;
  });
}
