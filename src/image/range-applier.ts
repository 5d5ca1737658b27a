import { DataCursor } from './data-cursor';
import type { HostFile } from './host';
import { recordLimit, type RangeRecord } from './range-file';

const zeroBytes = new Uint8Array(recordLimit);

/** Makes ranges of a file, in the order of their place, hold what they are to hold. */
export class RangeApplier {
  /** What was done, in bytes. */
  written = 0;
  punched = 0;
  /** What should have become holes, but the host cannot make them: zeros were written. */
  unpunched = 0;
  private readonly data: DataCursor;
  private readonly blockSize: number;

  constructor(private readonly file: HostFile) {
    this.blockSize = file.blockSize;
    this.data = new DataCursor(file);
  }

  /** Done twice, the outcome is the same. */
  apply({ offset, length, content }: Pick<RangeRecord, 'offset' | 'length' | 'content'>): void {
    const end = offset + length;
    if (content === 'zeros') return this.writeZeros(offset, end);
    if (content === 'hole') return this.punch(offset, end);
    this.file.write(offset, content);
    this.written += length;
  }

  /** What shares its block with other data is filled with zeros: hosts punch whole blocks. */
  private punch(start: number, end: number): void {
    const { blockSize } = this;
    const first = Math.ceil(start / blockSize) * blockSize;
    const last = Math.floor(end / blockSize) * blockSize;
    if (first >= last) return this.writeZeros(start, end);
    this.writeZeros(start, first);
    if (this.file.punch(first, last - first)) {
      this.punched += last - first;
    } else {
      this.unpunched += last - first;
      this.writeZeros(first, last);
    }
    this.writeZeros(last, end);
  }

  /** Holes stay holes: they are zeros already. */
  private writeZeros(start: number, end: number): void {
    this.data.visit(start, end, (from, to) => {
      fillWithZeros(this.file, from, to);
      this.written += to - from;
    });
  }
}

/** Writes zeros, also into holes. */
export function fillWithZeros(file: HostFile, start: number, end: number): void {
  for (let at = start; at < end; at += zeroBytes.length) {
    file.write(at, zeroBytes.subarray(0, Math.min(zeroBytes.length, end - at)));
  }
}
