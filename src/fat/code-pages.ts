import iconv from 'iconv-lite';
import { ImageError } from '../image/errors';

/** OEM code pages that short names are known to have been written in. */
export const codePages = [
  437, 737, 775, 850, 852, 855, 857, 858, 860, 861, 862, 863, 864, 865, 866, 869, 874, 932, 936,
  949, 950, 1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258,
] as const;

/** The driver's default, and that of DOS in the United States. */
export const defaultCodePage = 437;

const replacement = '\ufffd';

/** Text read from bytes; `isExact` is false where bytes are no text in the code page. */
export interface DecodedText {
  readonly text: string;
  readonly isExact: boolean;
}

/** Decodes and encodes short names and labels. */
export class CodePage {
  private readonly encoding: string;

  /** @throws ImageError `usage` for a number that is not in `codePages` */
  constructor(readonly number: number = defaultCodePage) {
    if (!codePages.some((known) => known === number)) {
      throw new ImageError('usage', `Code page ${number} is not known.`);
    }
    this.encoding = `cp${number}`;
  }

  decode(bytes: Uint8Array): DecodedText {
    if (bytes.every((byte) => byte < 0x80)) {
      return { text: String.fromCharCode(...bytes), isExact: true };
    }
    if (!iconv.encodingExists(this.encoding)) {
      return { text: replacement.repeat(bytes.length), isExact: false };
    }
    const text = iconv.decode(bytes, this.encoding);
    return { text, isExact: !text.includes(replacement) };
  }

  /** The bytes of one character, or undefined where the code page has none for it. */
  encode(character: string): Uint8Array | undefined {
    const code = character.charCodeAt(0);
    if (character.length === 1 && code < 0x80) return Uint8Array.of(code);
    if (!iconv.encodingExists(this.encoding)) return undefined;
    const bytes = new Uint8Array(iconv.encode(character, this.encoding));
    // What it does not have becomes a question mark, or a character that only looks like it.
    return iconv.decode(bytes, this.encoding) === character ? bytes : undefined;
  }

  /** As `encode`, in upper case where that is one character that the code page has. */
  encodeUpper(character: string): Uint8Array | undefined {
    const upper = character.toUpperCase();
    const isOne = upper.length === character.length;
    return (isOne ? this.encode(upper) : undefined) ?? this.encode(character);
  }
}
