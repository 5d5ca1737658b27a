import { noProgress, type Progress } from '../filesystem/progress';
import { readBytes, type ImageBytes } from '../image/bytes';
import { ImageError } from '../image/errors';
import type { SearchQuery } from './layout-answers';

const chunkSize = 1024 * 1024;

/**
 * Where a pattern next stands in a source, in bytes: at `from` or behind it, or at `from` or
 * before it when backwards. Null where it does not, as far as is to be looked at.
 * @throws ImageError `usage` for an empty pattern
 */
export function search(
  source: ImageBytes,
  query: SearchQuery,
  progress: Progress = noProgress,
): number | null {
  if (query.pattern.length === 0) throw new ImageError('usage', 'There is nothing to search for.');
  const fold = query.ignoreCase ? lowerCase : (bytes: Uint8Array) => bytes;
  // A copy: folding must not change what the caller holds.
  const wanted = fold(Uint8Array.from(query.pattern));
  const last = source.size - wanted.length;
  const { from, places } = query;
  const [lowest, highest] = query.backwards
    ? [Math.max(from - places + 1, 0), Math.min(from, last)]
    : [Math.max(from, 0), Math.min(from + places - 1, last)];
  const total = highest - lowest + 1;
  for (let done = 0; done < total; done += chunkSize) {
    progress.report(done, total);
    const count = Math.min(chunkSize, total - done);
    const start = query.backwards ? highest - done - count + 1 : lowest + done;
    const bytes = fold(readBytes(source, start, count + wanted.length - 1));
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const found = query.backwards ? chunk.lastIndexOf(wanted) : chunk.indexOf(wanted);
    if (found >= 0) return start + found;
  }
  return null;
}

const toLower = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
);

/** ASCII letters in lower case, in place. */
function lowerCase(bytes: Uint8Array): Uint8Array {
  for (let i = 0; i < bytes.length; i++) bytes[i] = toLower[bytes[i]];
  return bytes;
}
