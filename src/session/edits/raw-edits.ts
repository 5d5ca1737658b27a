/** Changes of the bytes of an image as they are, whatever they mean. */
import { encodeField } from '../../filesystem/field-format';
import type { DescribedStructure } from '../../filesystem/structure';
import type { WritableBytes } from '../../image/bytes';
import type { ByteRange } from '../../image/edits';
import { ImageError } from '../../image/errors';
import type { Operation } from '../operations';
import { labelName } from './labels';

export type RawOperation = Extract<Operation, { kind: 'bytes' | 'field' }>;

/** Bytes for a place of the image, and what the step is called. */
export interface RawEdit {
  readonly label: string;
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/**
 * What a hex edit or a new value of a field comes to.
 * @param structuresAt the structures that cover a range of the image, both in bytes
 * @throws ImageError `usage` for a place outside of the image, and a value that does not fit;
 *   `not-found` for a field that is not there (any more)
 */
export function rawEdit(
  operation: RawOperation,
  image: WritableBytes,
  structuresAt: (offset: number, length: number) => readonly DescribedStructure[],
): RawEdit {
  const edit =
    operation.kind === 'bytes' ? bytesEdit(operation) : fieldEdit(operation, structuresAt);
  const end = edit.offset + edit.bytes.length;
  if (Number.isSafeInteger(edit.offset) && edit.offset >= 0 && end <= image.size) return edit;
  throw new ImageError('usage', `The image ends at byte ${image.size}; nothing is added to it.`);
}

function bytesEdit({ offset, bytes }: Extract<RawOperation, { kind: 'bytes' }>): RawEdit {
  const what = bytes.length === 1 ? 'a byte' : `${bytes.length} bytes`;
  return { label: `Write ${what} at 0x${offset.toString(16)}`, offset, bytes };
}

function fieldEdit(
  { structure, structureKind, field, value }: Extract<RawOperation, { kind: 'field' }>,
  structuresAt: (offset: number, length: number) => readonly DescribedStructure[],
): RawEdit {
  const described = structuresAt(structure, 1)
    .filter(({ offset, kind }) => offset === structure && kind === structureKind)
    .flatMap(({ fields }) => fields)
    .find(({ name }) => name === field);
  if (!described) {
    throw new ImageError(
      'not-found',
      `There is no field ${labelName(field)} of a ${labelName(structureKind)} at byte ${structure}.`,
    );
  }
  const bytes = encodeField(described, value);
  return {
    label: `Set ${labelName(field)} to ${labelName(value)}`,
    offset: described.offset,
    bytes,
  };
}

/** Whether any of some ranges touches a stretch of the image. */
export function touches(ranges: readonly ByteRange[], offset: number, length: number): boolean {
  return ranges.some(
    (range) => range.offset < offset + length && range.offset + range.length > offset,
  );
}
