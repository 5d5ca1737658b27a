/** What a person types to search for, as bytes. */

export const patternKinds = ['text', 'utf16', 'hex'] as const;
export type PatternKind = (typeof patternKinds)[number];

/** The longest pattern that is searched for, in bytes. */
const longestPattern = 4096;

/** The bytes, or the sentence that says what is wrong with what was typed. */
export type Pattern = Uint8Array | string;

/** UTF-16 is little-endian, as on FAT and GPT. */
export function parsePattern(typed: string, kind: PatternKind): Pattern {
  const bytes = kind === 'hex' ? parseHex(typed) : encode(typed, kind);
  if (typeof bytes === 'string') return bytes;
  if (bytes.length === 0) return 'There is nothing to search for.';
  if (bytes.length > longestPattern) return `That is more than ${longestPattern} bytes.`;
  return bytes;
}

/** Digits in pairs; blanks, commas and `0x` between them mean nothing. */
function parseHex(typed: string): Pattern {
  const digits = typed.replace(/0x|[\s,]/gi, '');
  const wrong = /[^\da-f]/i.exec(digits);
  if (wrong) return `“${wrong[0]}” is no hexadecimal digit.`;
  if (digits.length % 2 !== 0) return 'A byte has two digits; one is missing.';
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function encode(typed: string, kind: 'text' | 'utf16'): Uint8Array {
  if (kind === 'text') return new TextEncoder().encode(typed);
  const bytes = new Uint8Array(typed.length * 2);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < typed.length; i++) view.setUint16(2 * i, typed.charCodeAt(i), true);
  return bytes;
}
