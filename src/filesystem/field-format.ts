/** How the value of a field is written by people, and how it then lies on disk. */
import { ImageError } from '../image/errors';

/**
 * - `integer`: as wide as the field; decimal, `0x…` or `0o…`
 * - `integers`: 32-bit little-endian integers, with spaces between
 * - `bytes`: hexadecimal digits
 * - `text`: UTF-8; what is left of the field is filled with `padding`, or with null must not be
 * - `utf-16`: little-endian; ended by a NUL where there is room, then filled with `padding`
 * - `uuid`: in the order of RFC 4122; `guid`: its first three parts are little-endian
 */
export type FieldFormat =
  | { readonly kind: 'integer'; readonly littleEndian: boolean; readonly isSigned: boolean }
  | { readonly kind: 'integers' }
  | { readonly kind: 'bytes' }
  | { readonly kind: 'text'; readonly padding: number | null }
  | { readonly kind: 'utf-16'; readonly padding: number }
  | { readonly kind: 'uuid' | 'guid' };

interface WritableField {
  readonly name: string;
  /** In bytes. */
  readonly length: number;
  /** Absent where the field cannot be written by itself. */
  readonly format?: FieldFormat;
}

/**
 * The bytes that a field gets for what a person writes.
 * @throws ImageError `usage` for what the field cannot hold
 */
export function encodeField(field: WritableField, value: string): Uint8Array {
  const { format, length, name } = field;
  switch (format?.kind) {
    case 'integer':
      return encodeInteger(field, value.trim(), length, format.isSigned, format.littleEndian);
    case 'integers':
      return encodeIntegers(field, value.trim());
    case 'bytes':
      return encodeDigits(field, value.replace(/\s+/g, ''), length);
    case 'text':
      return encodeText(field, value, format.padding);
    case 'utf-16':
      return encodeUtf16(field, value, format.padding);
    case 'uuid':
      return encodeUuid(field, value.trim());
    case 'guid':
      return littleEndianGuid(encodeUuid(field, value.trim()));
    default:
      throw new ImageError('usage', `The field ${name} cannot be written by itself.`);
  }
}

const refuse = ({ name }: WritableField, wants: string) =>
  new ImageError('usage', `${name} takes ${wants}.`);

function encodeInteger(
  field: WritableField,
  text: string,
  length: number,
  isSigned = false,
  littleEndian = true,
): Uint8Array {
  const bits = 8 * length;
  const least = isSigned ? -(2n ** BigInt(bits - 1)) : 0n;
  const most = least + 2n ** BigInt(bits) - 1n;
  const parts = /^(-?)(\d+|0x[0-9a-f]+|0o[0-7]+)$/i.exec(text);
  const value = parts ? BigInt(parts[2]) * (parts[1] ? -1n : 1n) : undefined;
  if (value === undefined || value < least || value > most) {
    throw refuse(field, `a whole number from ${least} to ${most}`);
  }
  const digits = BigInt.asUintN(bits, value)
    .toString(16)
    .padStart(2 * length, '0');
  const bytes = fromHex(digits);
  return littleEndian ? bytes.reverse() : bytes;
}

function encodeIntegers(field: WritableField, text: string): Uint8Array {
  const words = text === '' ? [] : text.split(/[\s,]+/);
  const count = field.length / 4;
  if (words.length !== count) throw refuse(field, `${count} whole numbers with spaces between`);
  const bytes = new Uint8Array(field.length);
  for (const [i, word] of words.entries()) bytes.set(encodeInteger(field, word, 4), 4 * i);
  return bytes;
}

function encodeDigits(field: WritableField, digits: string, length: number): Uint8Array {
  if (digits.length !== 2 * length || !/^[0-9a-f]*$/i.test(digits)) {
    throw refuse(field, `${2 * length} hexadecimal digits`);
  }
  return fromHex(digits);
}

function encodeText(field: WritableField, text: string, padding: number | null): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > field.length) throw refuse(field, `at most ${field.length} bytes of UTF-8`);
  if (padding === null && bytes.length < field.length) {
    throw refuse(field, `exactly ${field.length} bytes of UTF-8`);
  }
  const encoded = new Uint8Array(field.length).fill(padding ?? 0);
  encoded.set(bytes);
  return encoded;
}

function encodeUtf16(field: WritableField, text: string, padding: number): Uint8Array {
  const units = field.length / 2;
  if (text.length > units) throw refuse(field, `at most ${units} characters`);
  const view = new DataView(new ArrayBuffer(field.length));
  for (let i = 0; i < units; i++) {
    const unit = i < text.length ? text.charCodeAt(i) : i === text.length ? 0 : padding;
    view.setUint16(2 * i, unit, true);
  }
  return new Uint8Array(view.buffer);
}

function encodeUuid(field: WritableField, text: string): Uint8Array {
  if (!/^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i.test(text)) {
    throw refuse(field, 'a UUID such as 0fc63daf-8483-4772-8e79-3d69d8477de4');
  }
  return fromHex(text.replaceAll('-', ''));
}

/** Its first three parts the other way round, as Microsoft stores it. */
function littleEndianGuid(uuid: Uint8Array): Uint8Array {
  for (const [start, end] of [
    [0, 4],
    [4, 6],
    [6, 8],
  ]) {
    uuid.subarray(start, end).reverse();
  }
  return uuid;
}

function fromHex(digits: string): Uint8Array {
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) =>
    Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16),
  );
}
