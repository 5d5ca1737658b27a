import { ImageError } from './errors';

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

/** Bytes that can be changed; whoever reads them next sees the change. Their size stays. */
export interface WritableBytes extends ImageBytes {
  /** @param offset in bytes; all of `bytes` lies within the size. The array is copied. */
  write(offset: number, bytes: Uint8Array): void;

  /** Makes a range read as zeros; costs what the range costs, not what its bytes cost. */
  zero(offset: number, length: number): void;

  /** As `zero`; when the image is saved, the host's file gives up the room of the range. */
  punch(offset: number, length: number): void;
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

/** A volume whose bytes can be changed, within a transaction. */
export class WritableVolume extends VolumeBytes implements WritableBytes {
  constructor(
    private readonly target: WritableBytes,
    offset: number,
    size: number,
  ) {
    super(target, offset, size);
  }

  write(offset: number, bytes: Uint8Array): void {
    this.target.write(this.place(offset, bytes.length), bytes);
  }

  zero(offset: number, length: number): void {
    this.target.zero(this.place(offset, length), length);
  }

  punch(offset: number, length: number): void {
    this.target.punch(this.place(offset, length), length);
  }

  /** Where a range of the volume lies in the image. @throws ImageError `corrupt` outside of it */
  private place(offset: number, length: number): number {
    if (offset >= 0 && offset + length <= this.present) return this.offset + offset;
    throw new ImageError(
      'corrupt',
      `Bytes ${offset} to ${offset + length} lie outside of the volume; they are not written.`,
    );
  }
}
