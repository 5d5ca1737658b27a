import type { CodePage } from '../code-pages';
import { baseLength, lowerCaseBase, lowerCaseExtension } from '../short-names';
import { deletedMark, escapedE5, nameLength } from '../slots';

const extensionLength = nameLength - baseLength;
const space = 0x20;

/** A name as far as eight and three bytes can hold it. */
export interface ShortForm {
  /** The bytes of each character; one or two of them. */
  readonly base: readonly Uint8Array[];
  readonly extension: readonly Uint8Array[];
  /** Nothing is cut, left out or replaced: what is stored is the name but for its case. */
  readonly fits: boolean;
  /** DIR_NTRes for a name that needs no long slots; undefined for one that does. */
  readonly caseFlags: number | undefined;
}

/**
 * Makes a short name as the Linux driver does (`vfat_create_shortname` in fs/vfat/namei_vfat.c,
 * with its default `shortname=mixed`).
 * @returns undefined where nothing is left of the name
 */
export function shortForm(name: string, codePage: CodePage): ShortForm | undefined {
  const dot = extensionDot(name);
  const base = makePart(name.slice(0, dot), baseLength, codePage);
  const extension = makePart(name.slice(dot + 1), extensionLength, codePage);
  if (base.characters.length === 0) return undefined;
  const fits = base.fits && extension.fits;
  const isUniform = fits && base.caseFlag !== undefined && extension.caseFlag !== undefined;
  return {
    base: base.characters,
    extension: extension.characters,
    fits,
    caseFlags: isUniform
      ? (base.caseFlag ? lowerCaseBase : 0) | (extension.caseFlag ? lowerCaseExtension : 0)
      : undefined,
  };
}

/** Where the base ends. What follows leading dots and spaces alone is no extension but the base. */
function extensionDot(name: string): number {
  const dot = name.lastIndexOf('.');
  return dot > 0 && /[^ .]/.test(name.slice(0, dot)) ? dot : name.length;
}

interface Part {
  readonly characters: Uint8Array[];
  readonly fits: boolean;
  /** Whether it shows in lower case; undefined where its case is mixed or cannot be told. */
  readonly caseFlag: boolean | undefined;
}

function makePart(text: string, room: number, codePage: CodePage): Part {
  const characters: Uint8Array[] = [];
  let used = 0;
  let fits = true;
  let hasLower = false;
  let hasUpper = false;
  let isAscii = true;
  for (const character of text) {
    if (character === ' ' || character === '.') {
      fits = false;
      continue;
    }
    const encoded = '[];,+='.includes(character) ? undefined : codePage.encodeUpper(character);
    const bytes = encoded ?? Uint8Array.of(underscore);
    if (used + bytes.length > room) {
      fits = false;
      break;
    }
    if (!encoded) fits = false;
    if (/[a-z]/.test(character)) hasLower = true;
    else if (/[A-Z]/.test(character)) hasUpper = true;
    else if (bytes.length > 1 || bytes[0] >= 0x7f) isAscii = false;
    characters.push(bytes);
    used += bytes.length;
  }
  return { characters, fits, caseFlag: isAscii && !(hasLower && hasUpper) ? hasLower : undefined };
}

const underscore = '_'.charCodeAt(0);

/** The eleven bytes of a short form. @param tail `~1` and so on; ends the base, which gives way */
export function shortNameBytes({ base, extension }: ShortForm, tail = ''): Uint8Array {
  const raw = new Uint8Array(nameLength).fill(space);
  let used = 0;
  for (const character of base) {
    if (used + character.length > baseLength - tail.length) break;
    raw.set(character, used);
    used += character.length;
  }
  raw.set(
    Uint8Array.from(tail, (digit) => digit.charCodeAt(0)),
    used,
  );
  used = baseLength;
  for (const character of extension) {
    raw.set(character, used);
    used += character.length;
  }
  if (raw[0] === deletedMark) raw[0] = escapedE5;
  return raw;
}
