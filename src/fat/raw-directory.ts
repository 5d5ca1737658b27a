import type {
  DirectoryRecord,
  RawDirectory,
  RawDirectoryBlock,
  RecordColumn,
  RecordState,
} from '../filesystem/raw-directory';
import { formatTimestamp } from '../filesystem/timestamp';
import { slotSize } from './boot-sector';
import type { DirectorySlots } from './directory';
import {
  deletedLongSlots,
  longEntryName,
  shortEntryName,
  showName,
  type EntryName,
} from './entry-names';
import type { FatVolume } from './fat-volume';
import { groupLongNames, longSlotChecksum, longSlotNumber, type LongNameGroup } from './long-names';
import { shortNameChecksum } from './short-names';
import {
  attributeNames,
  firstClusterOf,
  isDirectorySlot,
  isDotSlot,
  shortSlot,
  slotKind,
  usedSlotKind,
  wasEntry,
} from './slots';
import { fatTimestamp } from './times';

const columns: readonly RecordColumn[] = [
  { key: 'attributes', title: 'Attributes', meaning: 'the attributes that are set' },
  { key: 'firstCluster', title: 'First cluster', meaning: 'where its content starts; 0: nowhere' },
  { key: 'size', title: 'Size', meaning: 'length of its content in bytes; 0 for directories' },
  { key: 'modified', title: 'Modified', meaning: 'last write, as if it were UTC' },
  { key: 'longName', title: 'Long name', meaning: 'the name that its long slots spell' },
  { key: 'order', title: 'Part', meaning: 'which part of the long name it holds, from 1' },
  { key: 'checksum', title: 'Checksum', meaning: 'of the short name: kept by long slots' },
];

/** The fixed root is no chain of clusters; it is shown in pieces of this size, in bytes. */
const rootPiece = 64 * 1024;

const noName: EntryName = { name: new Uint8Array(0) };

/** What a directory's slots mean, taken together. */
interface Reading {
  /** Index of the end mark; the number of slots where there is none. */
  readonly end: number;
  /** The long slots that name a short slot, by its index. */
  readonly longOf: ReadonlyMap<number, Pick<LongNameGroup, 'first' | 'count'>>;
  /** The short slot that a long slot names, by its index. */
  readonly shortOf: ReadonlyMap<number, number>;
  /** What is wrong with a long slot, by its index. */
  readonly problems: ReadonlyMap<number, string>;
}

/** A directory as its 32-byte slots lie on disk. */
export class FatRawDirectory implements RawDirectory {
  readonly columns = columns;
  readonly index = [];
  readonly blocks: readonly RawDirectoryBlock[];
  private readonly reading: Reading;

  constructor(
    private readonly volume: FatVolume,
    private readonly slots: DirectorySlots,
    /** The root has neither `.` nor `..`. */
    private readonly isRoot: boolean,
  ) {
    this.blocks = blocksOf(volume, slots);
    this.reading = readSlots(slots.bytes);
  }

  get problems() {
    return this.slots.problems;
  }

  records(block: number): DirectoryRecord[] {
    const { offset, length } = this.blocks[block];
    const first = (block * this.blocks[0].length) / slotSize;
    return Array.from({ length: length / slotSize }, (_, i) =>
      this.record(first + i, offset + i * slotSize),
    );
  }

  private record(index: number, offset: number): DirectoryRecord {
    const state = this.state(index);
    const short = this.reading.shortOf.get(index);
    const { name, nameHex } = showName(this.nameOf(index, state));
    return {
      offset,
      length: slotSize,
      used: state === 'short' || state === 'long' || state === 'label' ? slotSize : 0,
      state,
      name,
      nameHex,
      node: this.nodeOf(index, state),
      partOf: short === undefined ? undefined : this.volume.inImage(this.slots.offsetOf(short)),
      problem: this.problem(index, state),
      values: this.values(index, state),
    };
  }

  private state(index: number): RecordState {
    const kind = slotKind(this.slots.bytes, index * slotSize);
    if (index <= this.reading.end) return kind;
    return kind === 'end' ? 'free' : 'unreachable';
  }

  private nameOf(index: number, state: RecordState): EntryName {
    if (state === 'end' || state === 'free') return noName;
    const { bytes } = this.slots;
    if (usedSlotKind(bytes, index * slotSize) === 'long') {
      return longEntryName(bytes, { first: index, count: 1 }) ?? noName;
    }
    return shortEntryName(bytes, index, this.volume.codePage);
  }

  private nodeOf(index: number, state: RecordState): number | undefined {
    const { bytes } = this.slots;
    const at = index * slotSize;
    const leads =
      state === 'short' ? !isDotSlot(bytes, at) : state === 'deleted' && wasEntry(bytes, at);
    return leads ? this.slots.offsetOf(index) : undefined;
  }

  private values(index: number, state: RecordState): Record<string, number | string> {
    if (state === 'end' || state === 'free') return {};
    const { bytes } = this.slots;
    const at = index * slotSize;
    if (usedSlotKind(bytes, at) === 'long') {
      const checksum = longSlotChecksum(bytes, index);
      return slotKind(bytes, at) === 'deleted'
        ? { checksum }
        : { order: longSlotNumber(bytes, index), checksum };
    }
    const slot = shortSlot.read(new DataView(bytes.buffer, bytes.byteOffset), at);
    const modified = fatTimestamp(slot.DIR_WrtDate, slot.DIR_WrtTime);
    const attributes = attributeNames(slot.DIR_Attr);
    if (isDirectorySlot(bytes, at)) attributes.unshift('directory');
    const common = {
      attributes: attributes.join(' '),
      modified: modified ? formatTimestamp(modified) : '',
    };
    if (usedSlotKind(bytes, at) === 'label') return common;
    const long = this.reading.longOf.get(index);
    const longName = long && longEntryName(bytes, long);
    return {
      ...common,
      firstCluster: firstClusterOf(slot, this.volume.boot.bits),
      size: slot.DIR_FileSize,
      longName: longName ? showName(longName).name : '',
      ...(slotKind(bytes, at) !== 'deleted' && { checksum: shortNameChecksum(bytes, at) }),
    };
  }

  /** The rule that a slot violates, if it violates one. */
  private problem(index: number, state: RecordState): string | undefined {
    const { bytes } = this.slots;
    const at = index * slotSize;
    if (!this.isRoot && index < 2 && !this.slots.isDeleted) {
      const isRight = isDotSlot(bytes, at) && (bytes[at + 1] === bytes[at]) === (index === 1);
      if (!isRight) return `The ${index === 0 ? 'first' : 'second'} slot must be ${dots[index]}.`;
    }
    if (state === 'long') return this.reading.problems.get(index);
    if (state !== 'short') return undefined;
    if (isDotSlot(bytes, at)) {
      return this.isRoot || index > 1
        ? 'It may only stand at the start of a subdirectory.'
        : undefined;
    }
    const slot = shortSlot.read(new DataView(bytes.buffer, bytes.byteOffset), at);
    const cluster = firstClusterOf(slot, this.volume.boot.bits);
    const isDirectory = isDirectorySlot(bytes, at);
    if (isDirectory && slot.DIR_FileSize !== 0) return 'The size of a directory must be 0.';
    if (cluster === 0) {
      if (isDirectory) return 'A directory must have a first cluster.';
      return slot.DIR_FileSize > 0 ? 'A size above 0 needs a first cluster.' : undefined;
    }
    return this.volume.table.has(cluster)
      ? undefined
      : `The first cluster must be one from 2 to ${this.volume.table.lastCluster}.`;
  }
}

const dots = ['`.`', '`..`'];

function blocksOf(volume: FatVolume, slots: DirectorySlots): RawDirectoryBlock[] {
  const { clusterSize, rootStart } = volume.boot;
  const { runs } = slots;
  const length = runs ? clusterSize : rootPiece;
  return Array.from({ length: Math.ceil(slots.size / length) }, (_, logical) => {
    const unit = runs ? runs.cluster(logical) : null;
    const place = unit === null ? rootStart + logical * length : volume.clusterStart(unit);
    return {
      unit,
      logical,
      offset: volume.inImage(place),
      length: Math.min(length, slots.size - logical * length),
    };
  });
}

function readSlots(bytes: Uint8Array): Reading {
  const { end, groups } = groupLongNames(bytes);
  const longOf = new Map<number, Pick<LongNameGroup, 'first' | 'count'>>();
  const shortOf = new Map<number, number>();
  const problems = new Map<number, string>();
  const tie = (short: number, long: Pick<LongNameGroup, 'first' | 'count'>) => {
    longOf.set(short, long);
    for (let i = 0; i < long.count; i++) shortOf.set(long.first + i, short);
  };
  for (const group of groups) {
    if (group.state === 'whole' && group.short !== undefined) {
      tie(group.short, group);
      continue;
    }
    const problem = groupProblem(bytes, group);
    for (let i = 0; i < group.count; i++) problems.set(group.first + i, problem);
  }
  for (let index = 0; index < end; index++) {
    const long = wasEntry(bytes, index * slotSize) && deletedLongSlots(bytes, index);
    if (long) tie(index, long);
  }
  return { end, longOf, shortOf, problems };
}

function groupProblem(bytes: Uint8Array, group: LongNameGroup): string {
  if (group.state === 'gap') return 'A part of the long name is missing or out of order.';
  if (group.short === undefined) return 'No short name follows the long name.';
  const hex = (byte: number) => byte.toString(16).padStart(2, '0');
  const kept = hex(longSlotChecksum(bytes, group.first));
  const computed = hex(shortNameChecksum(bytes, group.short * slotSize));
  return `It keeps checksum ${kept}, but that of the short name behind it is ${computed}.`;
}
