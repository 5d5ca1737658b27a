/** What a person may type to go somewhere in an image, and what it means there. */
import type { ViewId, VolumeSummary } from '../../../protocol/requests';

/** Sectors are those of partition tables and of FAT: 512 bytes, whatever the disk had. */
const sectorSize = 512;

/** Where it is typed. */
export interface PlaceContext {
  /** Of the image, in bytes. */
  readonly imageSize: number;
  /** The volume that is shown; undefined in an image that has none. */
  readonly volume: VolumeSummary | undefined;
  /** The view that is shown. */
  readonly view: ViewId;
}

/** A place that was typed; a path has not been looked for yet. */
export type TypedPlace =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'inode'; readonly number: number }
  | { readonly kind: 'unit'; readonly number: number }
  | { readonly kind: 'byte'; readonly offset: number };

/** A place and where it would be shown, what is wrong with it, or what could still be typed. */
export type ReadPlace =
  | { readonly kind: 'place'; readonly place: TypedPlace; readonly view: ViewId }
  | { readonly kind: 'wrong'; readonly why: WrongPlace }
  | { readonly kind: 'unfinished' };

export type WrongPlace =
  | { readonly problem: 'no-filesystem' }
  | { readonly problem: 'no-inodes' }
  | { readonly problem: 'no-number'; readonly typed: string }
  | {
      readonly problem: 'out-of-range';
      readonly what: 'inode' | 'block' | 'cluster' | 'byte' | 'sector';
      readonly first: number;
      readonly last: number;
    };

const forms: readonly { pattern: RegExp; kind: 'inode' | 'unit' | 'byte' | 'sector' }[] = [
  { pattern: /^(?:inode\b|#)\s*(.*)$/i, kind: 'inode' },
  { pattern: /^(?:block|cluster)\b\s*(.*)$/i, kind: 'unit' },
  { pattern: /^(?:sector\b|s(?=\d))\s*(.*)$/i, kind: 'sector' },
  { pattern: /^(?:@|(?:byte|offset)\b)\s*(.*)$/i, kind: 'byte' },
  { pattern: /^(0x[\da-f]*)$/i, kind: 'byte' },
];

/**
 * Reads what was typed: a path, `inode 12` or `#12`, `block 5` or `cluster 5`, `0x1f400` or
 * `@131072`, `s64`. What is none of the others is a path, with or without its first slash.
 */
export function readPlace(typed: string, context: PlaceContext): ReadPlace {
  const text = typed.trim();
  if (text === '') return { kind: 'unfinished' };
  for (const { pattern, kind } of forms) {
    const rest = pattern.exec(text)?.[1];
    if (rest === undefined) continue;
    if (rest === '' || /^0x$/i.test(rest)) return { kind: 'unfinished' };
    const number = readNumber(rest);
    if (number === null) return wrong({ problem: 'no-number', typed: rest });
    return placeOf(kind, number, context);
  }
  if (!isOpen(context.volume)) return wrong({ problem: 'no-filesystem' });
  return found({ kind: 'path', path: text.startsWith('/') ? text : `/${text}` }, context.view);
}

function placeOf(
  kind: 'inode' | 'unit' | 'byte' | 'sector',
  number: number,
  { imageSize, volume, view }: PlaceContext,
): ReadPlace {
  if (kind === 'byte' || kind === 'sector') {
    const size = kind === 'byte' ? 1 : sectorSize;
    const last = Math.ceil(imageSize / size) - 1;
    if (number > last) return outOfRange(kind, 0, last);
    return found({ kind: 'byte', offset: number * size }, 'structures');
  }
  if (!isOpen(volume)) return wrong({ problem: 'no-filesystem' });
  if (kind === 'inode') {
    if (volume.inodes === null) return wrong({ problem: 'no-inodes' });
    if (number < 1 || number > volume.inodes) return outOfRange('inode', 1, volume.inodes);
    return found({ kind: 'inode', number }, view);
  }
  const { name, first, count } = volume.unit;
  if (number < first || number >= first + count) return outOfRange(name, first, first + count - 1);
  return found({ kind: 'unit', number }, view === 'structures' ? view : 'space');
}

type OpenVolume = VolumeSummary & { readonly unit: NonNullable<VolumeSummary['unit']> };

function isOpen(volume: VolumeSummary | undefined): volume is OpenVolume {
  return volume?.unreadable === null && volume.unit !== null;
}

/** Decimal or hexadecimal, with the separators that numbers are shown with. */
function readNumber(text: string): number | null {
  const digits = text.replace(/[,_]/g, '');
  if (!/^(\d+|0x[\da-f]+)$/i.test(digits)) return null;
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : null;
}

const found = (place: TypedPlace, view: ViewId): ReadPlace => ({ kind: 'place', place, view });

const wrong = (why: WrongPlace): ReadPlace => ({ kind: 'wrong', why });

const outOfRange = (
  what: Extract<WrongPlace, { problem: 'out-of-range' }>['what'],
  first: number,
  last: number,
) => wrong({ problem: 'out-of-range', what, first, last });
