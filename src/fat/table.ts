import { readBytes, type VolumeBytes } from '../image/bytes';
import { noProgress, type Progress } from '../filesystem/progress';
import { firstCluster, type BootSector, type FatBits } from './boot-sector';

/** Values from here up end a chain that is followed; this one marks its own cluster as bad. */
const badMark: Record<FatBits, number> = { 12: 0xff7, 16: 0xfff7, 32: 0x0ffffff7 };

/** What drivers write to end a chain. */
export const lastOfChain: Record<FatBits, number> = { 12: 0xfff, 16: 0xffff, 32: 0x0fffffff };

/** On FAT32 the top four bits of an entry are no part of its value. */
const valueMask: Record<FatBits, number> = { 12: 0xfff, 16: 0xffff, 32: 0x0fffffff };

const windowSize = 4096;
const chunkEntries = 64 * 1024; // what fits into the fastest memory of most processors
/** Tables up to this many entries are held in memory by what asks for most of them. */
const mostLoaded = 2 ** 25;

/** What an entry says of its cluster. */
export type EntryMeaning = 'free' | 'next' | 'bad' | 'end' | 'out-of-range';

/** What FAT[1] says of the last unmount; FAT12 has no room for it. */
export interface VolumeStateBits {
  readonly wasUnmountedCleanly: boolean;
  readonly hadNoErrors: boolean;
}

interface Window {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Where it starts in the volume, in bytes, and whose it is. */
  start: number;
  reader: object | undefined;
}

function newWindow(): Window {
  const bytes = new Uint8Array(windowSize);
  return { bytes, view: new DataView(bytes.buffer), start: 0, reader: undefined };
}

/** The file allocation table; its active copy unless a method says otherwise. */
export class FatTable {
  readonly bits: FatBits;
  /** Number of the last cluster that can be used. */
  readonly lastCluster: number;
  /** Bytes that an entry touches; those of FAT12 share one with a neighbour. */
  readonly entryLength: number;
  /** Memory that readers take turns in: a listing makes one for every file. */
  private readonly window: Window = newWindow();

  constructor(
    private readonly volume: VolumeBytes,
    private readonly boot: BootSector,
  ) {
    this.bits = boot.bits;
    this.lastCluster = firstCluster + boot.clusters - 1;
    this.entryLength = this.bits === 32 ? 4 : 2;
  }

  /** Where the first byte of an entry lies in the volume. */
  entryOffset(cluster: number, copy = this.boot.activeFat): number {
    const start = this.boot.firstFat + copy * this.boot.fatSize;
    return start + Math.floor((cluster * this.bits) / 8);
  }

  has(cluster: number): boolean {
    return cluster >= firstCluster && cluster <= this.lastCluster;
  }

  meaning(value: number): EntryMeaning {
    if (value === 0) return 'free';
    if (value === badMark[this.bits]) return 'bad';
    if (value > badMark[this.bits]) return 'end';
    return this.has(value) ? 'next' : 'out-of-range';
  }

  /**
   * A function that reads entries through a window that it loads afresh: for a walk that ends
   * before the volume can change. The cluster must be one that the table has, or 0 or 1.
   */
  reader(copy = this.boot.activeFat): (cluster: number) => number {
    const { window } = this;
    const self = {};
    return (cluster) => {
      const offset = this.entryOffset(cluster, copy);
      const isLoaded =
        window.reader === self &&
        offset >= window.start &&
        offset + this.entryLength <= window.start + windowSize;
      if (!isLoaded) {
        // Half-window steps: an entry that straddles a step lies whole within the window.
        window.start = offset - (offset % (windowSize / 2));
        window.reader = self;
        this.volume.read(window.start, window.bytes);
      }
      return this.valueIn(window.view, cluster, offset - window.start);
    };
  }

  /** The value of a cluster's entry, whose first byte is byte `at` of the view. */
  valueIn(view: DataView, cluster: number, at = 0): number {
    if (this.bits === 32) return view.getUint32(at, true) & valueMask[32];
    const word = view.getUint16(at, true);
    if (this.bits === 16) return word;
    return cluster % 2 === 0 ? word & valueMask[12] : word >> 4;
  }

  /** As `reader`, of the whole table in memory where it is not too large for that. */
  loaded(): (cluster: number) => number {
    if (this.boot.clusters > mostLoaded) return this.reader();
    const all = new Uint32Array(this.boot.clusters);
    this.scan((first, values) => {
      all.set(values, first - firstCluster);
      return false;
    });
    return (cluster) => all[cluster - firstCluster];
  }

  /**
   * Streams the entries of all usable clusters, in large chunks.
   * @param visit gets the first cluster of a chunk and the values from it on, in an array that
   *   the next chunk reuses; may return true to end the scan
   */
  scan(
    visit: (first: number, values: Uint32Array) => boolean | undefined,
    progress: Progress = noProgress,
  ): void {
    this.scanUnmasked((first, values) => {
      if (this.bits === 32) clearUpperBits(values);
      return visit(first, values);
    }, progress);
  }

  /** As `scan`, with all 32 bits of the entries of FAT32. */
  private scanUnmasked(
    visit: (first: number, values: Uint32Array) => boolean | undefined,
    progress: Progress,
  ): void {
    const values = new Uint32Array(Math.min(chunkEntries, this.boot.clusters));
    for (let first = firstCluster; first <= this.lastCluster; first += values.length) {
      const count = Math.min(values.length, this.lastCluster - first + 1);
      progress.report(first - firstCluster, this.boot.clusters);
      this.load(first, values.subarray(0, count));
      if (visit(first, values.subarray(0, count))) return;
    }
  }

  /** Visits the runs of free clusters in order; a run may come in pieces. */
  visitFree(visit: (start: number, length: number) => void, progress?: Progress): void {
    this.scanUnmasked((first, values) => {
      visitZeroRuns(values, (start, length) => visit(first + start, length));
      return false;
    }, progress ?? noProgress);
  }

  /** The cluster whose entry leads to this one, or undefined; scans the table. */
  predecessor(cluster: number): number | undefined {
    let found: number | undefined;
    this.scan((first, values) => {
      const index = values.indexOf(cluster);
      if (index >= 0) found = first + index;
      return index >= 0;
    });
    return found;
  }

  /** @returns undefined on FAT12 */
  stateBits(): VolumeStateBits | undefined {
    if (this.bits === 12) return undefined;
    const value = this.reader()(1);
    const clean = this.bits === 16 ? 0x8000 : 0x08000000;
    return {
      wasUnmountedCleanly: (value & clean) !== 0,
      hadNoErrors: (value & (clean / 2)) !== 0,
    };
  }

  private load(first: number, values: Uint32Array): void {
    const offset = this.entryOffset(first);
    if (this.bits === 32) {
      const target = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
      this.volume.read(offset, target);
    } else if (this.bits === 16) {
      const words = readBytes(this.volume, offset, 2 * values.length);
      values.set(new Uint16Array(words.buffer));
    } else {
      // FAT12 has so few entries that all of them are the first chunk: it starts at cluster 2.
      const packed = readBytes(this.volume, offset, Math.ceil((values.length * 3) / 2));
      for (let i = 0; i < values.length; i++) {
        const at = Math.floor((i * 3) / 2);
        const word = packed[at] | (packed[at + 1] << 8);
        values[i] = i % 2 === 0 ? word & valueMask[12] : word >> 4;
      }
    }
  }
}

function clearUpperBits(values: Uint32Array): void {
  const mask = valueMask[32];
  for (let i = 0; i < values.length; i++) values[i] &= mask;
}

/** Visits the runs of values that are zero but for the top four bits, four values at a time. */
function visitZeroRuns(values: Uint32Array, visit: (start: number, length: number) => void): void {
  const mask = valueMask[32];
  const count = values.length;
  for (let i = 0; i < count;) {
    while (i < count && (values[i] & mask) !== 0) i += 1;
    if (i === count) return;
    const start = i;
    while (
      i + 4 <= count &&
      ((values[i] | values[i + 1] | values[i + 2] | values[i + 3]) & mask) === 0
    ) {
      i += 4;
    }
    while (i < count && (values[i] & mask) === 0) i += 1;
    visit(start, i - start);
  }
}
