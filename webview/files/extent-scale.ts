/** A file's layout as pieces without gaps, and those pieces at the scale of a strip of pixels. */
import type { Extent } from '../../src/protocol/requests';

/** `unlisted`: where extents lie that were not asked for. */
export type PieceKind = 'data' | 'unwritten' | 'hole' | 'unlisted';

/** Numbers are units: blocks, or clusters on FAT. */
export interface Piece {
  readonly kind: PieceKind;
  /** From the file's start. */
  readonly logical: number;
  /** On the volume; null where there is nothing. */
  readonly physical: number | null;
  readonly length: number;
}

/**
 * The file from its first unit to its last.
 * @param extents in logical order; parts that overlap an earlier extent are left out
 * @param units that the file's size asks for
 * @param extentCount how many extents there are, with those that are not in the list
 */
export function layOutPieces(
  extents: readonly Extent[],
  units: number,
  extentCount: number,
): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { logical, physical, length, unwritten } of extents) {
    if (logical > end) {
      pieces.push({ kind: 'hole', logical: end, physical: null, length: logical - end });
    }
    const start = Math.max(logical, end);
    const rest = logical + length - start;
    if (rest <= 0) continue;
    pieces.push({
      kind: unwritten ? 'unwritten' : 'data',
      logical: start,
      physical: physical + (start - logical),
      length: rest,
    });
    end = start + rest;
  }
  if (units > end) {
    const kind = extentCount > extents.length ? 'unlisted' : 'hole';
    pieces.push({ kind, logical: end, physical: null, length: units - end });
  }
  return pieces;
}

/** A run of pixels; `mixed` where several pieces share one pixel. */
export interface Span {
  readonly kind: PieceKind | 'mixed';
  readonly start: number;
  readonly width: number;
  /** The pieces that it stands for, by their first and last index. */
  readonly first: number;
  readonly last: number;
}

/** Pieces as wide as their length; none is lost, however small. `width` is in pixels. */
export function scalePieces(pieces: readonly Piece[], width: number): Span[] {
  const lastPiece = pieces.at(-1);
  if (!lastPiece || width < 1) return [];
  const scale = width / (lastPiece.logical + lastPiece.length);
  const columns = new Array<Omit<Span, 'start' | 'width'> | undefined>(width);

  const small: number[] = [];
  pieces.forEach(({ kind, logical, length }, index) => {
    const start = Math.round(logical * scale);
    const end = Math.round((logical + length) * scale);
    if (start === end) small.push(index);
    columns.fill({ kind, first: index, last: index }, start, end);
  });
  // A piece too small for a pixel takes one from its neighbour, or shares it with its like.
  let taken = -1;
  for (const index of small) {
    const at = Math.min(Math.floor(pieces[index].logical * scale), width - 1);
    const shared = at === taken ? columns[at] : undefined;
    columns[at] = shared
      ? { kind: 'mixed', first: shared.first, last: index }
      : { kind: pieces[index].kind, first: index, last: index };
    taken = at;
  }
  return joinColumns(columns);
}

function joinColumns(columns: readonly (Omit<Span, 'start' | 'width'> | undefined)[]): Span[] {
  const spans: Span[] = [];
  columns.forEach((column, start) => {
    const before = spans.at(-1);
    if (!column) return;
    const joins =
      before?.kind === column.kind && (column.kind === 'mixed' || before.first === column.first);
    if (joins) {
      spans[spans.length - 1] = { ...before, width: before.width + 1, last: column.last };
    } else {
      spans.push({ ...column, start, width: 1 });
    }
  });
  return spans;
}
