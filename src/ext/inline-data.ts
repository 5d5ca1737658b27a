import { findInlineData } from './attributes';
import type { Inode } from './inode';
import { Problems } from './problems';

/** A part of what an inode keeps in itself. */
export interface InlinePart {
  readonly bytes: Uint8Array;
  /** Where it starts in the image, in bytes. */
  readonly place: number;
}

/** Content kept in the inode: the 60 bytes of `i_block`, then the attribute `system.data`. */
export function readInlineParts(inode: Inode, problems: Problems): InlinePart[] {
  const parts: InlinePart[] = [{ bytes: inode.blockBytes, place: inode.blockPlace }];
  const rest = findInlineData(inode, problems);
  if (rest) parts.push({ bytes: rest.value, place: rest.valuePlace });
  return parts;
}

/** The content of a file, symlink or directory that is kept in the inode, up to its size. */
export function readInlineContent(inode: Inode, problems: Problems): Uint8Array {
  const parts = readInlineParts(inode, problems);
  const there = parts.reduce((sum, part) => sum + part.bytes.length, 0);
  if (inode.size > there) {
    const message = `Inode ${inode.number} claims ${inode.size} bytes but keeps only ${there}.`;
    problems.error('inline-data-short', message, inode.place + 4, 4);
  }
  const content = new Uint8Array(Math.min(inode.size, there));
  let at = 0;
  for (const { bytes } of parts) {
    content.set(bytes.subarray(0, content.length - at), at);
    at = Math.min(at + bytes.length, content.length);
  }
  return content;
}

const parentLength = 4;

/**
 * The runs of records of a directory kept in the inode: `i_block` starts with the number of the
 * parent, and there are no records for `.` and `..`.
 */
export function readInlineDirectory(inode: Inode, problems: Problems): InlinePart[] {
  const [first, ...rest] = readInlineParts(inode, problems);
  return [
    { bytes: first.bytes.subarray(parentLength), place: first.place + parentLength },
    ...rest.filter(({ bytes }) => bytes.length > 0),
  ];
}
