/**
 * On-disk structures are declared once, as tables of fields. A declaration reads a field, writes
 * it, and describes it for people: field tables, hex annotation, differences, findings.
 */
import type { FieldFormat } from './field-format';
import { toHex } from './hex';
import type { NodeId } from './node';

/** One field of a structure: where it lies, how wide it is, what it means. */
export interface Field<Value> {
  /** From the start of the structure, in bytes. */
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
  readonly meaning: string;
  /** How people write it. */
  readonly format: FieldFormat;
  read(view: DataView, at: number): Value;
  write(view: DataView, at: number, value: Value): void;
  /** The value as JSON and tables show it; a string where a double would lose digits. */
  show(view: DataView, at: number): number | string;
}

type Fields = Readonly<Record<string, Field<unknown>>>;

/** The values of a declared structure, under the names of its fields. */
export type Values<F> = {
  readonly [K in keyof F]: F[K] extends Field<infer Value> ? Value : never;
};

/** The values of the structure that `typeof someStructure` declares. */
export type ValuesOf<S> = S extends Structure<infer F> ? Values<F> : never;

/** A field found in an image. */
export interface DescribedField {
  readonly name: string;
  /** In the image, in bytes. */
  readonly offset: number;
  readonly length: number;
  readonly value: number | string;
  readonly meaning: string;
  /** How a new value is written (`encodeField`); absent where it cannot be by itself. */
  readonly format?: FieldFormat;
}

/** A structure found in an image, with its fields. */
export interface DescribedStructure {
  /** What it is: `superblock`, `inode`, `boot sector`. */
  readonly kind: string;
  /** Which one it is: `inode 12`, `backup boot sector`. */
  readonly name: string;
  readonly offset: number;
  readonly length: number;
  /** The node that it makes, or that it names: of inodes, directory records and slots. */
  readonly node?: NodeId;
  readonly fields: readonly DescribedField[];
}

/** A declared structure: its name, its length in bytes, its fields in the order of the disk. */
export class Structure<F extends object> {
  /** Made once: reading structures is what parsers do most. */
  private readonly entries: readonly [string, Field<unknown>][];

  constructor(
    readonly kind: string,
    readonly size: number,
    readonly fields: F,
  ) {
    this.entries = Object.entries(fields as Record<string, Field<unknown>>);
  }

  /** All values; the structure starts at byte `at` of the view. */
  read(view: DataView, at = 0): Values<F> {
    const values: Record<string, unknown> = {};
    for (const [name, field] of this.entries) values[name] = field.read(view, at + field.offset);
    return values as Values<F>;
  }

  /** Writes one field and touches nothing else. */
  set<K extends keyof F>(view: DataView, name: K, value: Values<F>[K], at = 0): void {
    const field = this.fields[name] as Field<unknown>;
    field.write(view, at + field.offset, value);
  }

  /**
   * The structure for tables and hex views.
   * @param imageOffset where the structure starts in the image, in bytes
   * @param length of what is there, for structures that may be cut short (128-byte inodes);
   *   fields that do not fit in it are left out
   */
  describe(
    view: DataView,
    name: string,
    imageOffset: number,
    at = 0,
    length = this.size,
  ): DescribedStructure {
    const fields = this.entries
      .filter(([, field]) => field.offset + field.length <= length)
      .map(([fieldName, field]) => ({
        name: fieldName,
        offset: imageOffset + field.offset,
        length: field.length,
        value: field.show(view, at + field.offset),
        meaning: field.meaning,
        format: field.format,
      }));
    return { kind: this.kind, name, offset: imageOffset, length, fields };
  }
}

/** Declares a structure of `size` bytes. */
export function structure<F extends Fields>(kind: string, size: number, fields: F): Structure<F> {
  return new Structure(kind, size, fields);
}

type Getter = 'getUint8' | 'getUint16' | 'getUint32' | 'getInt16';
type Setter = 'setUint8' | 'setUint16' | 'setUint32' | 'setInt16';

function integer(get: Getter, set: Setter, length: number, littleEndian = true) {
  return (offset: number, meaning: string): Field<number> => ({
    offset,
    length,
    meaning,
    format: { kind: 'integer', littleEndian, isSigned: get === 'getInt16' },
    read: (view, at) => view[get](at, littleEndian),
    write: (view, at, value) => view[set](at, value, littleEndian),
    show: (view, at) => view[get](at, littleEndian),
  });
}

/** Integers in little-endian order unless the name says `be`. */
export const u8 = integer('getUint8', 'setUint8', 1);
export const u16 = integer('getUint16', 'setUint16', 2);
export const u32 = integer('getUint32', 'setUint32', 4);
export const i16 = integer('getInt16', 'setInt16', 2);
export const u16be = integer('getUint16', 'setUint16', 2, false);
export const u32be = integer('getUint32', 'setUint32', 4, false);

/** A 64-bit integer as a double; exact below 2^53, and `show` is exact always. */
function wideInteger(littleEndian: boolean) {
  return (offset: number, meaning: string): Field<number> => ({
    offset,
    length: 8,
    meaning,
    format: { kind: 'integer', littleEndian, isSigned: false },
    read: (view, at) => Number(view.getBigUint64(at, littleEndian)),
    write: (view, at, value) => view.setBigUint64(at, BigInt(value), littleEndian),
    show: (view, at) => {
      const value = view.getBigUint64(at, littleEndian);
      return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value.toString();
    },
  });
}
export const u64 = wideInteger(true);
export const u64be = wideInteger(false);

const bytesAt = (view: DataView, at: number, length: number) =>
  new Uint8Array(view.buffer, view.byteOffset + at, length);

/** Bytes without an inner structure of their own; shown in hexadecimal. */
export function bytes(offset: number, length: number, meaning: string): Field<Uint8Array> {
  return {
    offset,
    length,
    meaning,
    format: { kind: 'bytes' },
    read: (view, at) => bytesAt(view, at, length).slice(),
    write: (view, at, value) => bytesAt(view, at, length).set(value.subarray(0, length)),
    show: (view, at) => toHex(bytesAt(view, at, length)),
  };
}

/** Text of a fixed width, ended by the first NUL if there is one; padded with `padding`. */
export function text(offset: number, length: number, meaning: string, padding = 0): Field<string> {
  const read = (view: DataView, at: number) => {
    const raw = bytesAt(view, at, length);
    const end = raw.indexOf(0);
    return new TextDecoder().decode(end < 0 ? raw : raw.subarray(0, end));
  };
  return {
    offset,
    length,
    meaning,
    format: { kind: 'text', padding },
    read,
    write: (view, at, value) => {
      const target = bytesAt(view, at, length).fill(padding);
      target.set(new TextEncoder().encode(value).subarray(0, length));
    },
    show: read,
  };
}

/** A row of 32-bit little-endian integers: block pointers, hash seeds. */
export function u32s(offset: number, count: number, meaning: string): Field<Uint32Array> {
  const read = (view: DataView, at: number) =>
    Uint32Array.from({ length: count }, (_, i) => view.getUint32(at + 4 * i, true));
  return {
    offset,
    length: 4 * count,
    meaning,
    format: { kind: 'integers' },
    read,
    write: (view, at, value) => {
      for (let i = 0; i < count; i++) view.setUint32(at + 4 * i, value[i], true);
    },
    show: (view, at) => read(view, at).join(' '),
  };
}

/** A UUID in the order of RFC 4122, as ext stores it. */
export function uuid(offset: number, meaning: string): Field<Uint8Array> {
  return {
    ...bytes(offset, 16, meaning),
    format: { kind: 'uuid' },
    show: (view, at) => formatUuid(bytesAt(view, at, 16)),
  };
}

/** The sixteen bytes of a UUID as `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`. */
export function formatUuid(raw: Uint8Array): string {
  const digits = toHex(raw);
  return [8, 12, 16, 20].reduceRight(
    (done, at) => `${done.slice(0, at)}-${done.slice(at)}`,
    digits,
  );
}
