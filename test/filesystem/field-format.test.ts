import { describe, expect, it } from 'vitest';
import { encodeField, type FieldFormat } from '../../src/filesystem/field-format';
import {
  bytes,
  i16,
  structure,
  text,
  u16,
  u32be,
  u32s,
  u64,
  uuid,
} from '../../src/filesystem/structure';
import { gptEntry } from '../../src/volume/gpt-structures';

const integer = (isSigned = false, littleEndian = true): FieldFormat => ({
  kind: 'integer',
  isSigned,
  littleEndian,
});

function encode(format: FieldFormat | undefined, length: number, value: string): number[] {
  return [...encodeField({ name: 'field', length, format }, value)];
}

const refuses = (format: FieldFormat | undefined, length: number, value: string) =>
  expect(() => encode(format, length, value)).toThrow(
    expect.objectContaining({ code: 'usage', message: expect.stringMatching(/field.*\.$/) }),
  );

describe('an integer', () => {
  it('is decimal, hexadecimal or octal', () => {
    expect(encode(integer(), 2, ' 258 ')).toEqual([2, 1]);
    expect(encode(integer(), 2, '0xFFfe')).toEqual([0xfe, 0xff]);
    expect(encode(integer(), 2, '0o644')).toEqual([0o244, 1]);
    expect(encode(integer(false, false), 4, '1')).toEqual([0, 0, 0, 1]);
    expect(encode(integer(true), 2, '-2')).toEqual([0xfe, 0xff]);
    expect(encode(integer(), 8, '18446744073709551615')).toEqual(Array(8).fill(0xff));
  });

  it.each([
    ['-1', false],
    ['65536', false],
    ['32768', true],
    ['-32769', true],
    ['', false],
    ['1.5', false],
    ['0x', false],
    ['0o8', false],
    ['1e3', false],
    ['Infinity', false],
  ])('that does not fit is refused: %s', (value, isSigned) => {
    refuses(integer(isSigned), 2, value);
  });
});

describe('other formats', () => {
  it('rows of integers', () => {
    expect(encode({ kind: 'integers' }, 8, '1 0xff')).toEqual([1, 0, 0, 0, 255, 0, 0, 0]);
    refuses({ kind: 'integers' }, 8, '1');
    refuses({ kind: 'integers' }, 8, '1 2 3');
    refuses({ kind: 'integers' }, 8, '1 4294967296');
  });

  it('bytes', () => {
    expect(encode({ kind: 'bytes' }, 3, 'de ad BE')).toEqual([0xde, 0xad, 0xbe]);
    refuses({ kind: 'bytes' }, 3, 'dead');
    refuses({ kind: 'bytes' }, 2, 'dexd');
  });

  it('text', () => {
    expect(encode({ kind: 'text', padding: 0x20 }, 4, 'ä')).toEqual([0xc3, 0xa4, 0x20, 0x20]);
    expect(encode({ kind: 'text', padding: null }, 2, 'ab')).toEqual([0x61, 0x62]);
    refuses({ kind: 'text', padding: null }, 3, 'ab');
    refuses({ kind: 'text', padding: 0 }, 3, 'abcd');
  });

  it('UTF-16', () => {
    const padded: FieldFormat = { kind: 'utf-16', padding: 0xffff };
    expect(encode(padded, 6, 'a')).toEqual([0x61, 0, 0, 0, 0xff, 0xff]);
    expect(encode(padded, 4, 'ab')).toEqual([0x61, 0, 0x62, 0]);
    refuses(padded, 4, 'abc');
  });

  it('UUIDs', () => {
    const id = '00112233-4455-6677-8899-aabbccddeeff';
    const inOrder = Array.from({ length: 16 }, (_, i) => 0x11 * i);
    expect(encode({ kind: 'uuid' }, 16, id)).toEqual(inOrder);
    expect(encode({ kind: 'guid' }, 16, id)).toEqual([
      ...[0x33, 0x22, 0x11, 0x00, 0x55, 0x44, 0x77, 0x66],
      ...inOrder.slice(8),
    ]);
    refuses({ kind: 'uuid' }, 16, id.slice(1));
  });

  it('none', () => refuses(undefined, 2, '1'));
});

describe('what a declared structure shows', () => {
  const declared = structure('thing', 48, {
    a: u16(0, 'a'),
    b: u32be(2, 'b'),
    c: i16(6, 'c'),
    d: u64(8, 'd'),
    e: text(16, 4, 'e', 0x20),
    f: bytes(20, 4, 'f'),
    g: u32s(24, 2, 'g'),
    h: uuid(32, 'h'),
  });
  const raw = Uint8Array.from({ length: 48 }, (_, i) => 0x41 + i);

  it.each([
    ['thing', declared.describe(new DataView(raw.buffer), 'one', 0), raw],
    [
      'GPT entry',
      gptEntry.describe(new DataView(new Uint8Array(128).fill(0x41).buffer), 'one', 0),
      new Uint8Array(128).fill(0x41),
    ],
  ])('is written back as it was: %s', (_kind, { fields }, before) => {
    for (const field of fields) {
      const { offset, length } = field;
      const written = encodeField(field, String(field.value));
      expect({ [field.name]: [...written] }).toEqual({
        [field.name]: [...before.subarray(offset, offset + length)],
      });
    }
  });
});
