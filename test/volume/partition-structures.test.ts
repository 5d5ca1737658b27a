import { describe, expect, it } from 'vitest';
import { MemoryBytes } from '../../src/image/memory-bytes';
import { readGpt } from '../../src/volume/gpt';
import { readMbr } from '../../src/volume/mbr';
import { PartitionStructures } from '../../src/volume/partition-structures';
import { DiskBuilder } from './support/partition-tables';

const names = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name);
const valueOf = (
  structure: { readonly fields: readonly { name: string; value: unknown }[] },
  field: string,
) => structure.fields.find(({ name }) => name === field)?.value;

describe('the structures of an MBR', () => {
  const disk = new DiskBuilder(400)
    .bootRecord(0, [
      [0x83, 10, 50],
      [0x05, 100, 200],
    ])
    .bootRecord(100, [
      [0x83, 2, 40],
      [0x05, 60, 60],
    ])
    .bootRecord(160, [[0x83, 2, 30]]);
  const image = new MemoryBytes(disk.bytes);
  const structures = new PartitionStructures(image, 'mbr', 512);

  it('are those that its partitions were read from', () => {
    expect(readMbr(image, 512)?.partitions.map(({ offset }) => offset / 512)).toEqual([
      10, 102, 162,
    ]);
    const [mbr, extended] = structures.branches();
    expect(mbr).toEqual({ key: 'mbr', name: 'MBR', offset: 0, length: 512, hasChildren: true });
    expect(extended).toMatchObject({ name: 'extended boot records', offset: null, length: 0 });
    expect(names(structures.branches(mbr.key))).toEqual([
      'entry 1 of the MBR',
      'entry 2 of the MBR',
      'entry 3 of the MBR',
      'entry 4 of the MBR',
    ]);
    const records = structures.branches(extended.key);
    expect(records.map(({ offset }) => offset)).toEqual([100 * 512, 160 * 512]);
    const [entry] = structures.branches(records[1].key);
    expect(entry).toMatchObject({ offset: 160 * 512 + 446, length: 16, hasChildren: false });
    const logical = structures.structure(entry.key);
    expect(logical.kind).toBe('MBR entry');
    expect(valueOf(logical, 'SizeInLBA')).toBe(30);
  });

  it('are found by their place, the outermost first', () => {
    expect(names(structures.at(470, 1))).toEqual(['MBR', 'entry 2 of the MBR']);
    expect(names(structures.at(461, 2))).toEqual([
      'MBR',
      'entry 1 of the MBR',
      'entry 2 of the MBR',
    ]);
    expect(names(structures.at(160 * 512, 1))).toEqual(['extended boot record 2']);
    expect(structures.at(512, 1000)).toEqual([]);
    expect(structures.at(470, 0)).toEqual([]);
  });

  it('are only those in the tree', () => {
    expect(() => structures.structure('extended')).toThrow('no structure extended');
    expect(structures.branches('nonsense')).toEqual([]);
  });
});

describe.each([512, 4096])('the structures of a GPT of %i-byte sectors', (sectorSize) => {
  const disk = new DiskBuilder(200, sectorSize).bootRecord(0, [[0xee, 1, 199]]).gpt([
    [0, 50, 59, 'EFI'],
    [5, 60, 79, 'größe'],
  ]);
  const image = new MemoryBytes(disk.bytes);
  const structures = new PartitionStructures(image, 'gpt', sectorSize);

  it('are those that its partitions were read from, in both copies', () => {
    const table = readGpt(image);
    expect(table).toMatchObject({ sectorSize, notes: [] });
    expect(table?.partitions.map(({ number, name }) => [number, name])).toEqual([
      [1, 'EFI'],
      [6, 'größe'],
    ]);
    expect(structures.branches().map(({ name, offset }) => [name, offset])).toEqual([
      ['MBR', 0],
      ['GPT header', sectorSize],
      ['GPT entries in use', null],
      ['backup GPT header', 199 * sectorSize],
      ['backup GPT entries in use', null],
    ]);
    for (const key of ['gpt', 'gpt-backup']) {
      const [first, second] = structures.branches(`${key}/entries`);
      expect(first.name).toContain('entry 1 of the');
      expect(valueOf(structures.structure(second.key), 'PartitionName')).toBe('größe');
    }
    expect(valueOf(structures.structure('gpt-backup'), 'MyLBA')).toBe(199);
  });

  it('are found by their place, unused entries too', () => {
    const entries = 2 * sectorSize;
    expect(names(structures.at(sectorSize + 10, 1))).toEqual(['GPT header']);
    expect(names(structures.at(entries + 127, 2))).toEqual([
      'entry 1 of the GPT',
      'entry 2 of the GPT',
    ]);
    expect(names(structures.at(entries + 127 * 128, 1000))).toEqual(['entry 128 of the GPT']);
    expect(structures.at(50 * sectorSize, 512)).toEqual([]);
  });
});

describe('a damaged GPT', () => {
  it('shows its headers, and no entries where those make no sense', () => {
    const disk = new DiskBuilder(200).bootRecord(0, [[0xee, 1, 199]]).gpt([[0, 50, 59, 'EFI']]);
    new DataView(disk.bytes.buffer).setUint32(512 + 80, 0xffffffff, true);
    const structures = new PartitionStructures(new MemoryBytes(disk.bytes), 'gpt', 512);
    expect(names(structures.branches())).toEqual([
      'MBR',
      'GPT header',
      'backup GPT header',
      'backup GPT entries in use',
    ]);
    expect(structures.at(1024, 512)).toEqual([]);
  });
});

describe('an image without a partition table', () => {
  it('has no such structures, whatever it looks like', () => {
    const disk = new DiskBuilder(100).bootRecord(0, [[0x83, 10, 50]]);
    const structures = new PartitionStructures(new MemoryBytes(disk.bytes), 'none', null);
    expect(structures.branches()).toEqual([]);
    expect(structures.at(0, 512)).toEqual([]);
  });
});
