import { describe, expect, it } from 'vitest';
import { bytes, structure, text, u16, u32, u32be, u64, uuid } from '../../src/filesystem/structure';

const sample = structure('sample', 48, {
  s_magic: u16(0, 'what it is'),
  s_count: u32(2, 'how many'),
  s_size: u64(6, 'in bytes'),
  s_label: text(14, 8, 'its name'),
  s_uuid: uuid(22, 'its identity'),
  s_sequence: u32be(38, 'big-endian, as the journal keeps it'),
  s_rest: bytes(42, 6, 'unused'),
});

describe('a declared structure', () => {
  const raw = new Uint8Array(64);
  const view = new DataView(raw.buffer);

  it('reads back what it wrote, at any place, and nothing else changes', () => {
    sample.set(view, 's_magic', 0xef53, 8);
    sample.set(view, 's_count', 0xfffffffe, 8);
    sample.set(view, 's_size', 2 ** 40 + 1, 8);
    sample.set(view, 's_label', 'boot', 8);
    sample.set(view, 's_sequence', 0x01020304, 8);
    expect(sample.read(view, 8)).toMatchObject({
      s_magic: 0xef53,
      s_count: 0xfffffffe,
      s_size: 2 ** 40 + 1,
      s_label: 'boot',
      s_sequence: 0x01020304,
    });
    expect([...raw.subarray(8 + 38, 8 + 42)]).toEqual([1, 2, 3, 4]);
    expect(raw.subarray(0, 8).every((byte) => byte === 0)).toBe(true);
  });

  it('describes its fields with their places in the image', () => {
    const described = sample.describe(view, 'sample 3', 1000, 8);
    expect(described).toMatchObject({ kind: 'sample', name: 'sample 3', offset: 1000, length: 48 });
    expect(described.fields[1]).toMatchObject({ name: 's_count', offset: 1002, length: 4 });
    expect(described.fields[4].value).toBe('00000000-0000-0000-0000-000000000000');
  });

  it('leaves out the fields that a shorter structure has no room for', () => {
    expect(sample.describe(view, '', 0, 8, 14).fields.map((field) => field.name)).toEqual([
      's_magic',
      's_count',
      's_size',
    ]);
  });

  it('shows as text what a double cannot hold', () => {
    view.setBigUint64(6, 2n ** 60n + 1n, true);
    expect(sample.describe(view, '', 0).fields[2].value).toBe('1152921504606846977');
  });
});
