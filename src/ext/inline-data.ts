import type { Extent } from '../filesystem/extents';
import type { FileContent } from '../filesystem/file-content';
import type { Finding } from '../filesystem/finding';
import { findInlineData } from './attributes';
import type { Inode } from './inode';
import type { Problems } from './problems';

/** A part of what an inode keeps in itself. */
export interface InlinePart {
  readonly bytes: Uint8Array;
  /** Where it starts in the image, in bytes. */
  readonly place: number;
}

/** Content kept in the inode: the 60 bytes of `i_block`, then the attribute `system.data`. */
function readInlineParts(inode: Inode, problems: Problems): InlinePart[] {
  const parts: InlinePart[] = [{ bytes: inode.blockBytes, place: inode.blockPlace }];
  const rest = findInlineData(inode, problems);
  if (rest) parts.push({ bytes: rest.value, place: rest.valuePlace });
  return parts;
}

/** Content kept in the inode, up to its size; a file that was only prolonged ends in zeros. */
export class InlineData implements FileContent {
  readonly extents: readonly Extent[] = [];
  readonly size: number;
  readonly allocated: number;
  private readonly parts: readonly InlinePart[];

  constructor(
    inode: Inode,
    private readonly found: Problems,
  ) {
    this.size = inode.size;
    this.allocated = inode.allocated;
    this.parts = readInlineParts(inode, found);
  }

  get problems(): readonly Finding[] {
    return this.found.list;
  }

  read(offset: number, target: Uint8Array): number {
    target.fill(0);
    let start = 0;
    for (const { bytes } of this.parts) {
      const from = Math.max(0, offset - start);
      const to = Math.min(bytes.length, offset + target.length - start, this.size - start);
      if (from < to) target.set(bytes.subarray(from, to), start + from - offset);
      start += bytes.length;
    }
    return Math.max(0, Math.min(target.length, this.size - offset));
  }
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
