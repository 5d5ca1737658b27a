import { crc32c } from './checksums';
import type { JournalFile } from './journal-file';

/** Kinds of entries: Documentation/filesystems/ext4/journal.rst, "Fast commits". */
const tags = { addRange: 1, pad: 7, tail: 8, head: 9 } as const;
const headerSize = 4; // kind and length, 16 bits each
const tailChecked = 4; // the tail's own checksum covers its first field, not itself

/**
 * Counts the operations in the fast commits that follow the log: those that Linux would replay,
 * each stretch of which ends in a tail with a matching checksum.
 * @param transaction the number that the next transaction would have had
 */
export function countFastCommits(journal: JournalFile, transaction: number): number {
  let confirmed = 0;
  let pending = 0;
  let checksum = 0;
  // One block between the log and the fast commits is never used.
  for (let index = journal.end + 1; index < journal.length; index++) {
    const view = journal.read(index);
    if (!view) break;
    if (index === journal.end + 1 && view.getUint16(0, true) !== tags.head) break;
    for (let at = 0; at + headerSize <= view.byteLength;) {
      const tag = view.getUint16(at, true);
      const length = view.getUint16(at + 2, true);
      const value = at + headerSize;
      if (tag < tags.addRange || tag > tags.head || value + length > view.byteLength) {
        return confirmed;
      }
      const checked = tag === tags.tail ? tailChecked : length;
      const bytes = new Uint8Array(view.buffer, view.byteOffset + at, headerSize + checked);
      checksum = crc32c(checksum, bytes);
      if (tag === tags.head && view.getUint32(value + 4, true) !== transaction) return confirmed;
      if (tag === tags.tail) {
        const matches =
          view.getUint32(value, true) === transaction &&
          view.getUint32(value + 4, true) === checksum;
        if (!matches) return confirmed;
        confirmed += pending;
        pending = 0;
        checksum = 0;
      } else if (tag !== tags.pad && tag !== tags.head) {
        pending += 1;
      }
      at = value + length;
    }
  }
  return confirmed;
}
