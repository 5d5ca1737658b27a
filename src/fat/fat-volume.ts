import type { VolumeBytes } from '../image/bytes';
import { firstCluster, slotSize, type BootSector } from './boot-sector';
import type { CodePage } from './code-pages';
import { FatTable } from './table';

/** What every part of the family needs to know of a volume. */
export class FatVolume {
  readonly table: FatTable;

  constructor(
    readonly bytes: VolumeBytes,
    readonly boot: BootSector,
    readonly codePage: CodePage,
  ) {
    this.table = new FatTable(bytes, boot);
  }

  /** Where a cluster starts in the volume, in bytes. */
  clusterStart(cluster: number): number {
    return this.boot.dataStart + (cluster - firstCluster) * this.boot.clusterSize;
  }

  /** The cluster that holds a byte of the volume; undefined outside of the clusters. */
  clusterAt(offset: number): number | undefined {
    const cluster =
      firstCluster + Math.floor((offset - this.boot.dataStart) / this.boot.clusterSize);
    return this.table.has(cluster) ? cluster : undefined;
  }

  /** Whether a slot can start at a byte of the volume: in the fixed root, or in a cluster. */
  isSlotPlace(offset: number): boolean {
    const { rootStart, rootSize, dataStart } = this.boot;
    if (!Number.isSafeInteger(offset) || offset < rootStart) return false;
    if ((offset - dataStart) % slotSize !== 0) return false;
    return offset < rootStart + rootSize || this.clusterAt(offset) !== undefined;
  }

  /** The entry of a cluster in the active FAT, in the image, as findings show it. */
  entryPlace(cluster: number) {
    const offset = this.inImage(this.table.entryOffset(cluster));
    return { offset, length: this.table.entryLength, cluster };
  }

  /** The place in the image of a byte of the volume. */
  inImage(offset: number): number {
    return this.bytes.offset + offset;
  }
}
