/** A source of bytes at random places: an image file, a volume inside it, a file inside that. */
export interface ImageBytes {
  /** Length in bytes; below 2^53. */
  readonly size: number;

  /**
   * Fills `target` with the bytes from `offset` on. What lies past the end reads as zeros, so that
   * a truncated image can be walked like a whole one.
   * @param offset in bytes, 0 or more
   * @returns how many bytes of `target` came from the source; the rest lies past its end
   * @throws ImageError `unreadable` when the host cannot read
   */
  read(offset: number, target: Uint8Array): number;
}

/** A new array with the `length` bytes from `offset` on; the caller bounds `length`. */
export function readBytes(source: ImageBytes, offset: number, length: number): Uint8Array {
  const target = new Uint8Array(length);
  source.read(offset, target);
  return target;
}

/** As `readBytes`, for structures whose fields are read by number. */
export function readView(source: ImageBytes, offset: number, length: number): DataView {
  return new DataView(readBytes(source, offset, length).buffer);
}

/** A volume as its filesystem sees it: starts at 0, and knows where in the image it lies. */
export class VolumeBytes implements ImageBytes {
  /**
   * @param image the whole image
   * @param offset where the volume starts in the image, in bytes
   * @param size its length in bytes; may exceed what a truncated image still holds
   */
  constructor(
    private readonly image: ImageBytes,
    readonly offset: number,
    readonly size: number,
  ) {}

  read(offset: number, target: Uint8Array): number {
    const inside = Math.max(0, Math.min(target.length, this.size - offset));
    const got = inside > 0 ? this.image.read(this.offset + offset, target.subarray(0, inside)) : 0;
    target.fill(0, inside);
    return got;
  }

  /** How many bytes of the volume the image really holds; less than `size` when it is truncated. */
  get present(): number {
    return Math.max(0, Math.min(this.size, this.image.size - this.offset));
  }
}

/** True where every byte is zero. */
export function isZero(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte !== 0) return false;
  return true;
}
