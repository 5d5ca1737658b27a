import { crc32c } from './checksums';
import { readExtent } from './extent-node';
import type { JournalFile } from './journal-file';

/** Kinds of entries: `fs/ext4/fast_commit.h` of Linux; all little-endian. */
const tags = {
  addRange: 1,
  removeRange: 2,
  create: 3,
  link: 4,
  unlink: 5,
  inode: 6,
  pad: 7,
  tail: 8,
  head: 9,
} as const;

const headerSize = 4; // kind and length, 16 bits each

/** One thing that a fast commit says to do. */
export type FastOperation =
  | { readonly kind: 'inode'; readonly inode: number; readonly raw: Uint8Array }
  | {
      readonly kind: 'add';
      readonly inode: number;
      readonly logical: number;
      readonly physical: number;
      readonly length: number;
      readonly unwritten: boolean;
    }
  | {
      readonly kind: 'remove';
      readonly inode: number;
      readonly logical: number;
      readonly length: number;
    }
  | {
      readonly kind: 'create' | 'link' | 'unlink';
      readonly parent: number;
      readonly inode: number;
      readonly name: Uint8Array;
    };

/**
 * The fast commits that follow the log, as far as Linux would replay them: each stretch of them
 * ends in a tail with a matching checksum.
 * @param transaction the number that the next transaction would have had
 */
export function readFastCommits(journal: JournalFile, transaction: number): FastOperation[] {
  const confirmed: FastOperation[] = [];
  let pending: FastOperation[] = [];
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
      if (value + length > view.byteLength) return confirmed;
      // The checksum of a tail covers its first field, not itself.
      const checked = headerSize + (tag === tags.tail ? 4 : length);
      checksum = crc32c(checksum, new Uint8Array(view.buffer, view.byteOffset + at, checked));
      if (tag === tags.tail) {
        const isOurs = length >= 8 && view.getUint32(value, true) === transaction;
        if (!isOurs || view.getUint32(value + 4, true) !== checksum) return confirmed;
        confirmed.push(...pending);
        pending = [];
        checksum = 0;
      } else if (tag === tags.head) {
        // No feature of fast commits is known yet.
        const isOurs = length >= 8 && view.getUint32(value + 4, true) === transaction;
        if (!isOurs || view.getUint32(value, true) !== 0) return confirmed;
      } else if (tag !== tags.pad) {
        const operation = readOperation(view, tag, value, length);
        if (!operation) return confirmed;
        pending.push(operation);
      }
      at = value + length;
    }
  }
  return confirmed;
}

function readOperation(
  view: DataView,
  tag: number,
  at: number,
  length: number,
): FastOperation | null {
  const number = (offset: number) => view.getUint32(at + offset, true);
  const rest = (offset: number) =>
    new Uint8Array(view.buffer, view.byteOffset + at + offset, length - offset).slice();
  switch (tag) {
    case tags.inode:
      return length < 4 ? null : { kind: 'inode', inode: number(0), raw: rest(4) };
    case tags.addRange: {
      if (length < 16) return null;
      return { kind: 'add', inode: number(0), unwritten: false, ...readExtent(view, at + 4) };
    }
    case tags.removeRange:
      if (length < 12) return null;
      return { kind: 'remove', inode: number(0), logical: number(4), length: number(8) };
    case tags.create:
    case tags.link:
    case tags.unlink: {
      if (length < 9) return null;
      const kind = tag === tags.create ? 'create' : tag === tags.link ? 'link' : 'unlink';
      return { kind, parent: number(0), inode: number(4), name: rest(8) };
    }
    default:
      return null;
  }
}
