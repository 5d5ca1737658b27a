import { ImageError } from '../../image/errors';
import type { NodeId } from '../../filesystem/node';
import { slotSize } from '../boot-sector';
import { DirectorySlots, largestDirectory } from '../directory';
import { entryName } from '../entry-names';
import { visitEntries } from '../listing';
import { longSlotChecksum } from '../long-names';
import { baseLength, binaryKey, decodeShortName, rawName, shortNameChecksum } from '../short-names';
import { deletedMark, isDotSlot, slotKind } from '../slots';
import type { ClusterAllocator } from './cluster-allocator';
import { nameKey } from './names';
import { shortNameBytes, type ShortForm } from './short-name-maker';
import type { WritableFat } from './writable-fat';

/** Letters that a name keeps before a number of one digit. */
const lettersBeforeTail = 6;

/** Where an entry lies in its directory: the index of its first slot, and of its short one. */
export interface EntryPlace {
  readonly first: number;
  readonly short: number;
}

/**
 * A directory that is changed. It keeps which slots are free and which names are taken; what the
 * slots hold is on the volume alone.
 */
export class EditedDirectory {
  /** 1 for slots in use, up to the end mark. */
  private used: Uint8Array;
  /** Index of the end mark; the number of slots where there is none. */
  private end: number;
  /** No slot below this one is free. */
  private lowestFree = 0;
  /** Slots of entries by the keys of their names, long and short. */
  private readonly names = new Map<string, number>();
  private readonly rawNames = new Map<string, number>();
  private entryCount = 0;
  /** How many long slots stand before a short one. */
  private readonly longCounts = new Map<number, number>();
  /** The next number to try for a short name, by what stands before and behind it. */
  private readonly nextTails = new Map<string, number>();
  private readonly slots: DirectorySlots;

  /**
   * @param slots of a live directory
   * @param firstCluster of the directory; 0 for the root, as `..` has it
   * @throws ImageError `corrupt` when it cannot be read as a whole
   */
  constructor(
    private readonly volume: WritableFat,
    slots: DirectorySlots,
    readonly node: NodeId,
    readonly firstCluster: number,
  ) {
    const broken = slots.problems.find(({ severity }) => severity === 'error');
    if (broken) {
      throw new ImageError('corrupt', `The directory cannot be changed. ${broken.message}`);
    }
    // What is read here is not kept: the volume alone has it.
    this.slots = new DirectorySlots(volume, slots.runs, []);
    this.used = new Uint8Array(slots.count);
    const { bytes } = slots;
    const { end } = visitEntries(bytes, false, (index, long) => {
      if (long) this.longCounts.set(index, long.count);
      this.register(bytes, index, index);
    });
    this.end = end;
    for (let index = 0; index < this.end; index++) {
      this.used[index] = slotKind(bytes, index * slotSize) === 'deleted' ? 0 : 1;
    }
  }

  /** Whether it holds anything but `.` and `..`. */
  get isEmpty(): boolean {
    return this.entryCount === 0;
  }

  /** The slot of the entry that answers to a name. */
  find(name: string): number | undefined {
    return this.names.get(nameKey(name));
  }

  /**
   * The entry of a node under the name that a listing gave it.
   * @param name in UTF-16LE
   * @throws ImageError `not-found` when it is not there any more
   */
  entry(node: NodeId, name: Uint8Array): EntryPlace {
    const short = this.indexOf(node);
    if (short !== undefined && this.isEntry(short)) {
      const first = short - (this.longCounts.get(short) ?? 0);
      const bytes = this.read(first, short - first + 1);
      const found = this.nameOf(bytes, short - first, short);
      if (found.length === name.length && found.every((byte, i) => byte === name[i])) {
        return { first, short };
      }
    }
    throw new ImageError('not-found', 'The entry is not there any more.');
  }

  offsetOf(index: number): number {
    return this.slots.offsetOf(index);
  }

  /** The short name for a new name. @param own slot of the entry that is to be renamed */
  shortName(form: ShortForm, own?: number): Uint8Array {
    const plain = shortNameBytes(form);
    if (form.fits && this.isFree(plain, own)) return plain;
    const key = binaryKey(plain.slice().fill(0, lettersBeforeTail, baseLength));
    for (let tail = this.nextTails.get(key) ?? 1; ; tail++) {
      const numbered = shortNameBytes(form, `~${tail}`);
      if (!this.isFree(numbered, own)) continue;
      this.nextTails.set(key, tail + 1);
      return numbered;
    }
  }

  /**
   * Finds room for slots that follow one another, and makes the directory longer where it has to.
   * @param own an entry whose slots may be taken: it is going to be removed
   * @returns index of the first one
   * @throws ImageError `full`
   */
  makeRoom(count: number, allocator: ClusterAllocator, own?: EntryPlace): number {
    if (own) this.used.fill(0, own.first, own.short + 1);
    const index = this.searchRoom(count, own);
    if (own) this.used.fill(1, own.first, own.short + 1);
    const missing = index + count - this.slots.count;
    if (missing > 0) this.lengthen(missing, allocator);
    return index;
  }

  /**
   * Puts an entry, or a label, where room was made for it.
   * @param slots long ones if it has any, and the short one
   * @returns where its short slot lies in the volume
   */
  insert(first: number, slots: Uint8Array): number {
    const count = slots.length / slotSize;
    const short = first + count - 1;
    this.dropOrphans(first, shortNameChecksum(slots, (count - 1) * slotSize));
    this.write(first, slots);
    this.used.fill(1, first, first + count);
    if (first + count > this.end) {
      this.end = first + count;
      // What lay behind the end mark must not come to life.
      if (this.end < this.slots.count && this.read(this.end, 1)[0] !== 0) {
        this.write(this.end, new Uint8Array(slotSize));
      }
    }
    if (slotKind(slots, (count - 1) * slotSize) === 'short') {
      if (count > 1) this.longCounts.set(short, count - 1);
      this.register(slots, count - 1, short);
    }
    return this.offsetOf(short);
  }

  /** Marks the slots of an entry, or of a label, as deleted. */
  remove({ first, short }: EntryPlace): void {
    const bytes = this.read(first, short - first + 1);
    if (slotKind(bytes, (short - first) * slotSize) === 'short') {
      this.forget(bytes, short - first, short);
    }
    this.markDeleted(first, short);
  }

  /**
   * Long slots whose short one was deleted by a system that does not know them would give their
   * name to a short slot that takes its place.
   */
  private dropOrphans(first: number, checksum: number): void {
    for (let index = first - 1; index >= 0; index--) {
      const bytes = this.read(index, 1);
      if (slotKind(bytes, 0) !== 'long' || longSlotChecksum(bytes, 0) !== checksum) return;
      this.markDeleted(index, index);
    }
  }

  private markDeleted(first: number, last: number): void {
    for (let index = first; index <= last; index++) {
      this.volume.bytes.write(this.offsetOf(index), Uint8Array.of(deletedMark));
    }
    this.used.fill(0, first, last + 1);
    this.lowestFree = Math.min(this.lowestFree, first);
  }

  /** First fit, as drivers do it; may lie beyond the last slot that there is. */
  private searchRoom(count: number, own: EntryPlace | undefined): number {
    while (this.lowestFree < this.end && this.used[this.lowestFree] !== 0) this.lowestFree += 1;
    const from = Math.min(this.lowestFree, own?.first ?? this.lowestFree);
    let start = from;
    for (let index = from; index < this.end; index++) {
      if (this.used[index] !== 0) start = index + 1;
      else if (index - start + 1 === count) return start;
    }
    return start;
  }

  /** @param missing slots that it lacks */
  private lengthen(missing: number, allocator: ClusterAllocator): void {
    const { clusterSize } = this.volume.boot;
    const { runs } = this.slots;
    if (!runs) throw new ImageError('full', 'The root directory is full, and its size is fixed.');
    const clusters = Math.ceil((missing * slotSize) / clusterSize);
    if ((runs.count + clusters) * clusterSize > largestDirectory) {
      throw new ImageError('full', 'The directory is full: none may have more than 65,536 slots.');
    }
    for (const { start, length } of allocator.allocate(clusters, runs.cluster(runs.count - 1))) {
      this.volume.bytes.zero(this.volume.clusterStart(start), length * clusterSize);
      runs.add(start, length);
    }
    const longer = new Uint8Array(this.slots.count);
    longer.set(this.used);
    this.used = longer;
  }

  /** @param at index in `bytes` of its short slot; the long ones stand before it */
  private register(bytes: Uint8Array, at: number, short: number): void {
    for (const key of this.keysOf(bytes, at, short)) {
      if (!this.names.has(key)) this.names.set(key, short);
    }
    this.rawNames.set(binaryKey(rawName(bytes, at)), short);
    this.entryCount += 1;
  }

  private forget(bytes: Uint8Array, at: number, short: number): void {
    for (const key of this.keysOf(bytes, at, short)) {
      if (this.names.get(key) === short) this.names.delete(key);
    }
    const key = binaryKey(rawName(bytes, at));
    if (this.rawNames.get(key) === short) this.rawNames.delete(key);
    this.longCounts.delete(short);
    this.entryCount -= 1;
  }

  /** Of the names that an entry answers to: its own, and its short one. */
  private keysOf(bytes: Uint8Array, at: number, short: number): string[] {
    const own = utf16.decode(this.nameOf(bytes, at, short));
    return [nameKey(own), this.shortKey(rawName(bytes, at))];
  }

  private nameOf(bytes: Uint8Array, at: number, short: number): Uint8Array {
    const count = this.longCounts.get(short);
    const long = count === undefined ? undefined : { first: at - count, count };
    return entryName(bytes, at, long, this.volume.codePage).name;
  }

  private shortKey(raw: Uint8Array): string {
    return nameKey(decodeShortName(raw, 0, this.volume.codePage).text);
  }

  /** Whether a short name is taken by no entry but maybe the own one. */
  private isFree(raw: Uint8Array, own: number | undefined): boolean {
    const holders = [this.rawNames.get(binaryKey(raw)), this.names.get(this.shortKey(raw))];
    return holders.every((holder) => holder === undefined || holder === own);
  }

  /** Index of the slot at a place of the volume; undefined where this directory has none. */
  private indexOf(place: number): number | undefined {
    const { rootStart, clusterSize } = this.volume.boot;
    const { runs } = this.slots;
    if (!runs) return place < rootStart ? undefined : (place - rootStart) / slotSize;
    const cluster = this.volume.clusterAt(place);
    if (cluster === undefined) return undefined;
    for (let run = 0; run < runs.runs; run++) {
      const inRun = cluster - runs.start(run);
      if (inRun < 0 || inRun >= runs.length(run)) continue;
      const inCluster = place - this.volume.clusterStart(cluster);
      return ((runs.logical(run) + inRun) * clusterSize + inCluster) / slotSize;
    }
    return undefined;
  }

  private isEntry(index: number): boolean {
    if (!Number.isInteger(index) || index >= this.end || this.used[index] === 0) return false;
    const bytes = this.read(index, 1);
    return slotKind(bytes, 0) === 'short' && !isDotSlot(bytes, 0);
  }

  private read(first: number, count: number): Uint8Array {
    const bytes = new Uint8Array(count * slotSize);
    this.visitPieces(first, count, (place, from, to) => {
      this.volume.bytes.read(place, bytes.subarray(from, to));
    });
    return bytes;
  }

  private write(first: number, bytes: Uint8Array): void {
    this.visitPieces(first, bytes.length / slotSize, (place, from, to) => {
      this.volume.bytes.write(place, bytes.subarray(from, to));
    });
  }

  /** Visits the parts of a row of slots that lie in one cluster each; in bytes of the row. */
  private visitPieces(
    first: number,
    count: number,
    visit: (place: number, from: number, to: number) => void,
  ): void {
    const inCluster = this.slots.runs ? this.volume.boot.clusterSize / slotSize : Infinity;
    for (let done = 0; done < count;) {
      const index = first + done;
      const part = Math.min(count - done, inCluster - (index % inCluster));
      visit(this.offsetOf(index), done * slotSize, (done + part) * slotSize);
      done += part;
    }
  }
}

const utf16 = new TextDecoder('utf-16le', { ignoreBOM: true });
