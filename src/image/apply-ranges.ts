import type { HostFile } from './host';
import { visitData } from './image-file';
import { recordLimit, type RangeRecord } from './range-file';

/** What was done to a file of the host, in bytes. */
export interface Applied {
  written: number;
  punched: number;
  /** What should have become holes, but the host cannot punch them. */
  unpunched: number;
}

export const nothingApplied = (): Applied => ({ written: 0, punched: 0, unpunched: 0 });

const zeroBytes = new Uint8Array(recordLimit);

/** Makes a range of a file hold what it is to hold; done twice, the outcome is the same. */
export function applyRange(
  file: HostFile,
  { offset, length, content }: Pick<RangeRecord, 'offset' | 'length' | 'content'>,
  applied: Applied,
): void {
  const end = offset + length;
  if (content === 'zeros') return writeZeros(file, offset, end, applied);
  if (content === 'hole') return punch(file, offset, end, applied);
  file.write(offset, content);
  applied.written += length;
}

/** What shares its block with other data is filled with zeros: hosts punch whole blocks. */
function punch(file: HostFile, start: number, end: number, applied: Applied): void {
  const { blockSize } = file;
  const first = Math.ceil(start / blockSize) * blockSize;
  const last = Math.floor(end / blockSize) * blockSize;
  if (first >= last) return writeZeros(file, start, end, applied);
  writeZeros(file, start, first, applied);
  if (file.punch(first, last - first)) {
    applied.punched += last - first;
  } else {
    applied.unpunched += last - first;
    writeZeros(file, first, last, applied);
  }
  writeZeros(file, last, end, applied);
}

/** Holes stay holes: they are zeros already. */
function writeZeros(file: HostFile, start: number, end: number, applied: Applied): void {
  if (start >= end) return;
  visitData(file, start, end, (from, to) => {
    fillWithZeros(file, from, to);
    applied.written += to - from;
  });
}

/** Writes zeros, also into holes. */
export function fillWithZeros(file: HostFile, start: number, end: number): void {
  for (let at = start; at < end; at += zeroBytes.length) {
    file.write(at, zeroBytes.subarray(0, Math.min(zeroBytes.length, end - at)));
  }
}
