import { readView, type VolumeBytes } from '../image/bytes';
import type { GroupTable } from './groups';
import type { Geometry } from './superblock';

/** What every reader of an ext structure needs: the bytes, the geometry, and where groups lie. */
export interface ExtVolume {
  readonly bytes: VolumeBytes;
  readonly geometry: Geometry;
  readonly groups: GroupTable;
}

/** Where a block starts in the image, in bytes. */
export function imageOffset(volume: ExtVolume, block: number): number {
  return volume.bytes.offset + block * volume.geometry.blockSize;
}

/** The bytes of one block. */
export function readBlock(volume: ExtVolume, block: number): DataView {
  const { blockSize } = volume.geometry;
  return readView(volume.bytes, block * blockSize, blockSize);
}
