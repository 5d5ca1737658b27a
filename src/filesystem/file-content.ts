import type { ImageBytes, VolumeBytes } from '../image/bytes';
import { MemoryBytes } from '../image/memory-bytes';
import { findExtent, type Extent } from './extents';
import type { Finding } from './finding';

/** The content of a file, directory or symlink, with the place of every part of it. */
export interface FileContent extends ImageBytes {
  /** In logical order, not overlapping; holes and content kept in the inode have none. */
  readonly extents: readonly Extent[];
  /** What the volume has allocated for it, in bytes. */
  readonly allocated: number;
  /** What is wrong with its chain, block map or extent tree. */
  readonly problems: readonly Finding[];
}

/** Content that lies in units of the volume; holes and unwritten extents read as zeros. */
export class MappedContent implements FileContent {
  /**
   * @param size of the content, in bytes
   * @param unitSize in bytes
   * @param offsetOf where a unit starts in the volume, in bytes
   */
  constructor(
    private readonly volume: VolumeBytes,
    readonly size: number,
    private readonly unitSize: number,
    private readonly offsetOf: (unit: number) => number,
    readonly extents: readonly Extent[],
    readonly allocated: number,
    readonly problems: readonly Finding[],
  ) {}

  read(offset: number, target: Uint8Array): number {
    const length = Math.max(0, Math.min(target.length, this.size - offset));
    target.fill(0);
    const end = offset + length;
    let index = findExtent(this.extents, Math.floor(offset / this.unitSize));
    for (; index < this.extents.length; index++) {
      const extent = this.extents[index];
      const start = extent.logical * this.unitSize;
      if (start >= end) break;
      if (extent.unwritten) continue;
      const from = Math.max(offset, start);
      const to = Math.min(end, start + extent.length * this.unitSize);
      const place = this.offsetOf(extent.physical) + (from - start);
      this.volume.read(place, target.subarray(from - offset, to - offset));
    }
    return length;
  }
}

/** Content kept inside another structure: inline data, fast symlinks. */
export class InlineContent extends MemoryBytes implements FileContent {
  readonly extents: readonly Extent[] = [];

  constructor(
    bytes: Uint8Array,
    readonly allocated = 0,
    readonly problems: readonly Finding[] = [],
  ) {
    super(bytes);
  }
}
