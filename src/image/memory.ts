import { endianness } from 'node:os';

const zeros = new Uint8Array(64 * 1024);

/** True where every byte is zero. Compares memory, for it is asked of whole images. */
export function isZero(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at += zeros.length) {
    const piece = bytes.subarray(at, at + zeros.length);
    if (Buffer.compare(piece, zeros.subarray(0, piece.length)) !== 0) return false;
  }
  return true;
}

/** Whether typed arrays of more than a byte have the order of bytes that all these formats have. */
export const isLittleEndian = endianness() === 'LE';
