/** What the bytes at a place say, taken for each kind of value. */
import { none } from '../words/formats';

/** One kind of value, in both byte orders; a kind without an order stands in one column. */
export interface DataValue {
  readonly kind: string;
  readonly little: string;
  /** Null where the order makes no difference. */
  readonly big: string | null;
}

type Read = (view: DataView, little: boolean) => string;

/** Unsigned, and signed where that differs. */
const integer = (unsigned: number | bigint, signed: number | bigint) =>
  signed < 0
    ? `${unsigned.toLocaleString('en-US')} (${signed.toLocaleString('en-US')})`
    : unsigned.toLocaleString('en-US');

const kinds: readonly { kind: string; length: number; read: Read }[] = [
  {
    kind: 'u16, i16',
    length: 2,
    read: (view, little) => integer(view.getUint16(0, little), view.getInt16(0, little)),
  },
  {
    kind: 'u32, i32',
    length: 4,
    read: (view, little) => integer(view.getUint32(0, little), view.getInt32(0, little)),
  },
  {
    kind: 'u64, i64',
    length: 8,
    read: (view, little) => integer(view.getBigUint64(0, little), view.getBigInt64(0, little)),
  },
  { kind: 'f32', length: 4, read: (view, little) => real(view.getFloat32(0, little), 8) },
  { kind: 'f64', length: 8, read: (view, little) => real(view.getFloat64(0, little), 16) },
  { kind: 'Unix time', length: 4, read: (view, little) => unixTime(view.getInt32(0, little)) },
];

/** Bytes that the values are read from at most. */
export const inspectedBytes = 32;

/** The values at the start of the bytes; a dash for those that need more bytes. */
export function dataValues(bytes: Uint8Array): DataValue[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const byte = bytes.length > 0 ? integer(view.getUint8(0), view.getInt8(0)) : none;
  return [
    { kind: 'u8, i8', little: byte, big: null },
    ...kinds.map(({ kind, length, read }) => {
      const value = (little: boolean) => (bytes.length < length ? none : read(view, little));
      return { kind, little: value(true), big: value(false) };
    }),
    { kind: 'FAT time', little: bytes.length >= 4 ? fatTime(view) : none, big: null },
    { kind: 'UTF-8', little: text(bytes, 'utf-8'), big: null },
    { kind: 'UTF-16', little: text(bytes, 'utf-16le'), big: text(bytes, 'utf-16be') },
  ];
}

/** As few digits as tell the value from its neighbours. */
function real(value: number, digits: number): string {
  return String(Number.isFinite(value) ? Number(value.toPrecision(digits)) : value);
}

function unixTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('T', ' ').replace('.000Z', ' UTC');
}

/** A time and the date behind it, as directory slots keep them (fatgen103, "Date and Time"). */
function fatTime(view: DataView): string {
  const time = view.getUint16(0, true);
  const date = view.getUint16(2, true);
  const [hours, minutes, seconds] = [time >> 11, (time >> 5) & 63, (time & 31) * 2];
  const [year, month, day] = [1980 + (date >> 9), (date >> 5) & 15, date & 31];
  const valid = hours < 24 && minutes < 60 && seconds < 60 && month >= 1 && month <= 12 && day >= 1;
  if (!valid) return 'no valid time';
  const two = (value: number) => String(value).padStart(2, '0');
  return `${year}-${two(month)}-${two(day)} ${two(hours)}:${two(minutes)}:${two(seconds)}`;
}

/** Up to the first NUL, as strings on disk end there. */
function text(bytes: Uint8Array, encoding: string): string {
  const decoded = new TextDecoder(encoding).decode(bytes);
  const end = decoded.indexOf('\0');
  return end < 0 ? decoded : decoded.slice(0, end);
}
