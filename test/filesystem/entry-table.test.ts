import { describe, expect, it } from 'vitest';
import { EntryTableBuilder, type Entry } from '../../src/filesystem/entry-table';

const entry = (name: Uint8Array, more: Partial<Entry> = {}): Entry => ({
  name,
  node: 12,
  number: 12,
  type: 'file',
  deleted: false,
  offset: 4096,
  ...more,
});

describe('an entry table', () => {
  it('gives back what was added, in the order of the disk', () => {
    const builder = new EntryTableBuilder('utf-8');
    builder.add(entry(new TextEncoder().encode('Größe.txt')));
    builder.add(entry(new Uint8Array(), { type: 'unknown' }));
    builder.add(
      entry(new TextEncoder().encode('old'), { node: 2 ** 40, type: 'directory', deleted: true }),
    );
    const table = builder.build([]);
    expect(table.length).toBe(3);
    expect([0, 1, 2].map((i) => table.name(i))).toEqual(['Größe.txt', '', 'old']);
    expect([0, 1, 2].map((i) => table.type(i))).toEqual(['file', 'unknown', 'directory']);
    expect([0, 1, 2].map((i) => table.isDeleted(i))).toEqual([false, false, true]);
    expect([...table.nodes]).toEqual([12, 12, 2 ** 40]);
    expect(table.nameHex(0)).toBeUndefined();
  });

  it('keeps the bytes of a name that is no text', () => {
    const utf8 = new EntryTableBuilder('utf-8');
    utf8.add(entry(Uint8Array.of(0x61, 0xff)));
    const utf8Table = utf8.build([]);
    expect([utf8Table.name(0), utf8Table.nameHex(0)]).toEqual(['a\ufffd', '61ff']);

    const utf16 = new EntryTableBuilder('utf-16le');
    utf16.add(entry(Uint8Array.of(0x61, 0, 0, 0xd8), {})); // a lone surrogate
    utf16.add(entry(Uint8Array.of(0x62, 0), { undecodable: Uint8Array.of(0x81) }));
    const utf16Table = utf16.build([]);
    expect([utf16Table.name(0), utf16Table.nameHex(0)]).toEqual(['a\ufffd', '610000d8']);
    expect([utf16Table.name(1), utf16Table.nameHex(1)]).toEqual(['b', '81']);
  });

  it('holds thousands of names', () => {
    const builder = new EntryTableBuilder('utf-8');
    for (let i = 0; i < 5000; i++) builder.add(entry(new TextEncoder().encode(`name-${i}`)));
    const table = builder.build([]);
    expect(table.name(4999)).toBe('name-4999');
    expect(table.name(0)).toBe('name-0');
  });
});
