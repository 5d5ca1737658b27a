import type { ImageBytes, VolumeBytes } from '../image/bytes';

/** An image of which some volumes are shown otherwise than they are on disk. */
export class ShownImage implements ImageBytes {
  /** What is shown instead, by the volume's index. */
  private readonly replaced = new Map<number, VolumeBytes>();

  constructor(private readonly image: ImageBytes) {}

  get size(): number {
    return this.image.size;
  }

  /** Shows other bytes in a volume's place; undefined shows it as it is on disk again. */
  replace(index: number, volume: VolumeBytes | undefined): void {
    if (volume) this.replaced.set(index, volume);
    else this.replaced.delete(index);
  }

  read(offset: number, target: Uint8Array): number {
    const got = this.image.read(offset, target);
    for (const volume of this.replaced.values()) {
      const from = Math.max(offset, volume.offset);
      const to = Math.min(offset + got, volume.offset + volume.size);
      if (from < to) volume.read(from - volume.offset, target.subarray(from - offset, to - offset));
    }
    return got;
  }
}
