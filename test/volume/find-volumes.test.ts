import { describe, expect, it, vi } from 'vitest';
import type { VolumeBytes } from '../../src/image/bytes';
import { readBytes } from '../../src/image/bytes';
import { MemoryBytes } from '../../src/image/memory-bytes';
import { gptHeader } from '../../src/volume/gpt-structures';
import { findVolumes, type Recognisers } from '../../src/volume/find-volumes';
import { mbrEntry, mbrEntryOffsets } from '../../src/volume/mbr';
import { DiskBuilder } from './support/partition-tables';

const textAt = (volume: VolumeBytes, offset: number) =>
  Buffer.from(readBytes(volume, offset, 4)).toString('latin1');

/** A filesystem that says its name at byte 8, and keeps a backup of that at byte 1024. */
const recognisers: Recognisers = {
  primary: (volume) => (textAt(volume, 8) === 'TEST' ? 'testfs' : undefined),
  backup: (volume) => (textAt(volume, 1024) === 'TEST' ? 'testfs' : undefined),
};

const find = (bytes: Uint8Array) => findVolumes(new MemoryBytes(bytes), recognisers);

/** Puts the filesystem where a volume starts, in bytes. */
function withFileSystem(disk: DiskBuilder, ...places: number[]): DiskBuilder {
  for (const place of places) disk.bytes.set(Buffer.from('TEST'), place + 8);
  return disk;
}

const places = (found: ReturnType<typeof find>) =>
  found.volumes.map(({ type, offset, length, partition }) => [
    type,
    offset / 512,
    length / 512,
    partition?.number,
  ]);

describe('an image without a partition table', () => {
  it.each([0, 1, 511, 512, 513, 70_000])('of %i zeros is one unknown volume', (size) => {
    const found = find(new Uint8Array(size));
    expect(found).toMatchObject({ scheme: 'none', notes: [] });
    expect(found.volumes).toMatchObject([
      { type: 'unknown', offset: 0, length: size, foreign: null, partition: null },
    ]);
  });

  it('is the filesystem that starts it, even where its boot sector ends like a table', () => {
    // mkfs.fat writes an entry that covers the image from sector 0; a boot loader ends in 55AA.
    const covering = withFileSystem(new DiskBuilder(64).bootRecord(0, [[0x0c, 0, 64]]), 0);
    const inside = withFileSystem(new DiskBuilder(64).bootRecord(0, [[0x0c, 10, 20]]), 0, 5120);
    for (const disk of [covering, inside]) {
      expect(find(disk.bytes)).toMatchObject({ scheme: 'none', notes: [] });
      expect(find(disk.bytes).volumes).toMatchObject([{ type: 'testfs', offset: 0 }]);
    }
  });

  it('is named when its contents are known, but not read', () => {
    const bytes = new Uint8Array(4096);
    bytes.set(Buffer.from('XFSB'));
    expect(find(bytes).volumes).toMatchObject([{ type: 'xfs', foreign: { name: 'XFS' } }]);
  });

  it('is told by a backup when nothing else is known', () => {
    const bytes = new Uint8Array(4096);
    bytes.set(Buffer.from('TEST'), 1024);
    expect(find(bytes).volumes).toMatchObject([{ type: 'testfs', offset: 0 }]);
  });
});

describe('a table that makes no sense', () => {
  it.each<[string, [number, number, number][], string]>([
    ['starts at the start', [[0x0c, 0, 64]], 'partition 1 starts at the very start'],
    ['reaches past the end', [[0x83, 10, 60]], 'partition 1 reaches past the end'],
    [
      'overlaps',
      [
        [0x83, 10, 20],
        [0x83, 29, 10],
      ],
      'partitions 1 and 2 overlap',
    ],
  ])('is not believed when a partition %s', (_name, entries, reason) => {
    const found = find(new DiskBuilder(64).bootRecord(0, entries).bytes);
    expect(found.scheme).toBe('none');
    expect(found.notes.join()).toContain(reason);
    expect(found.volumes).toMatchObject([{ type: 'unknown', offset: 0 }]);
  });

  it('is none where the flags are those of no table', () => {
    const disk = new DiskBuilder(64).bootRecord(0, [[0x83, 10, 20]]);
    disk.bytes[mbrEntryOffsets[2]] = 0x7f;
    expect(find(disk.bytes)).toMatchObject({ scheme: 'none', notes: [] });
  });
});

describe('an MBR', () => {
  it('lists primary partitions in the order of the table, then logical ones', () => {
    const disk = new DiskBuilder(400)
      .bootRecord(0, [
        [0x83, 300, 50],
        [0x0f, 100, 200],
        [0x83, 10, 50],
      ])
      .bootRecord(100, [
        [0x83, 2, 40],
        [0x05, 60, 60],
      ])
      .bootRecord(160, [[0x83, 2, 30]]);
    withFileSystem(disk, 10 * 512, 162 * 512);
    const found = find(disk.bytes);
    expect(found).toMatchObject({ scheme: 'mbr', sectorSize: 512, notes: [] });
    expect(places(found)).toEqual([
      ['unknown', 300, 50, 1],
      ['testfs', 10, 50, 3],
      ['unknown', 102, 40, 5],
      ['testfs', 162, 30, 6],
    ]);
    expect(found.volumes[0].partition).toMatchObject({ type: '83', name: '' });
  });

  it.each([0x05, 0x0f, 0x85])('follows extended partitions of type %i', (type) => {
    const disk = new DiskBuilder(100)
      .bootRecord(0, [[type, 10, 80]])
      .bootRecord(10, [[0x83, 1, 20]]);
    expect(places(find(disk.bytes))).toEqual([['unknown', 11, 20, 5]]);
  });

  it('ends where the chain of logical partitions loops, and says so', () => {
    const disk = new DiskBuilder(400)
      .bootRecord(0, [[0x05, 100, 200]])
      .bootRecord(100, [
        [0x83, 2, 40],
        [0x05, 60, 60],
      ])
      .bootRecord(160, [
        [0x83, 2, 30],
        [0x05, 0, 60],
      ]);
    const found = find(disk.bytes);
    expect(places(found)).toEqual([
      ['unknown', 102, 40, 5],
      ['unknown', 162, 30, 6],
    ]);
    expect(found.notes).toEqual(['The chain of logical partitions loops at sector 100.']);
  });

  it('ends at 256 logical partitions', () => {
    const disk = new DiskBuilder(1000).bootRecord(0, [[0x05, 1, 999]]);
    for (let i = 0; i < 300; i++) {
      disk.bootRecord(1 + 2 * i, [
        [0x83, 1, 1],
        [0x05, 2 * (i + 1), 2],
      ]);
    }
    const found = find(disk.bytes);
    expect(found.volumes).toHaveLength(256);
    expect(found.notes).toEqual(['Only the first 256 logical partitions are listed.']);
  });

  it('looks for backups of a few unknown volumes only', () => {
    const disk = new DiskBuilder(1000).bootRecord(0, [[0x05, 1, 999]]);
    for (let i = 0; i < 100; i++) {
      disk.bootRecord(1 + 2 * i, [
        [0x83, 1, 1],
        [0x05, 2 * (i + 1), 2],
      ]);
    }
    const backup = vi.fn(() => undefined);
    const found = findVolumes(new MemoryBytes(disk.bytes), { ...recognisers, backup });
    expect(found.volumes).toHaveLength(100);
    expect(backup).toHaveBeenCalledTimes(8);
  });

  it('notes a missing record and a partition that leaves the extended one', () => {
    const disk = new DiskBuilder(400).bootRecord(0, [[0x05, 100, 100]]).bootRecord(100, [
      [0x83, 2, 140],
      [0x05, 60, 40],
    ]);
    expect(find(disk.bytes).notes).toEqual([
      'A logical partition at sector 100 lies outside the extended partition.',
      'There is no extended boot record at sector 160, where one should be.',
    ]);
  });

  it.each([1024, 2048, 4096])('counts in sectors of %i bytes where that makes sense', (size) => {
    const disk = new DiskBuilder(64, size).bootRecord(0, [
      [0x83, 8, 16],
      [0x83, 32, 16],
    ]);
    withFileSystem(disk, 8 * size, 32 * size);
    const found = find(disk.bytes);
    expect(found).toMatchObject({ scheme: 'mbr', sectorSize: size });
    expect(found.volumes).toMatchObject([
      { type: 'testfs', offset: 8 * size, length: 16 * size },
      { type: 'testfs', offset: 32 * size, length: 16 * size },
    ]);
  });

  it('lists what a truncated image has lost, when what is left proves the table', () => {
    const disk = new DiskBuilder(100).bootRecord(0, [
      [0x83, 10, 20],
      [0x83, 40, 30],
      [0x83, 80, 20],
    ]);
    withFileSystem(disk, 10 * 512);
    const found = find(disk.bytes.subarray(0, 50 * 512));
    expect(found.scheme).toBe('mbr');
    expect(found.volumes.map(({ notes }) => notes)).toEqual([
      [],
      ['The image ends 10240 bytes before partition 2 does.'],
      ['Partition 3 lies past the end of the image.'],
    ]);
  });

  it('comes before what lies deeper in the image', () => {
    // An image for optical and hard disks alike has both.
    const disk = new DiskBuilder(200).bootRecord(0, [[0x83, 100, 50]]);
    disk.bytes.set(Buffer.from('CD001'), 32 * 1024 + 1);
    const found = find(disk.bytes);
    expect(found).toMatchObject({
      scheme: 'mbr',
      notes: ['The image also looks like ISO 9660 as a whole.'],
    });
    expect(places(found)).toEqual([['unknown', 100, 50, 1]]);
  });
});

describe.each([512, 2048, 4096])('a GPT of %i-byte sectors', (sectorSize) => {
  const make = () => {
    const disk = new DiskBuilder(200, sectorSize).bootRecord(0, [[0xee, 1, 199]]).gpt([
      [0, 60, 79, 'boot'],
      [2, 90, 109, 'größe'],
    ]);
    return withFileSystem(disk, 90 * sectorSize);
  };
  const expected = [
    ['unknown', 60 * sectorSize, 20 * sectorSize, 1, 'boot'],
    ['testfs', 90 * sectorSize, 20 * sectorSize, 3, 'größe'],
  ];
  const listed = (found: ReturnType<typeof find>) =>
    found.volumes.map(({ type, offset, length, partition }) => [
      type,
      offset,
      length,
      partition?.number,
      partition?.name,
    ]);
  const damage = (disk: DiskBuilder, sector: number, at: number) => {
    disk.bytes[sector * sectorSize + at] ^= 0x01;
    return disk;
  };

  it('lists its partitions', () => {
    const found = find(make().bytes);
    expect(found).toMatchObject({ scheme: 'gpt', sectorSize, notes: [] });
    expect(listed(found)).toEqual(expected);
    expect(found.volumes[0].partition?.type).toBe('0fc63daf-8483-4772-8e79-3d69d8477de4');
  });

  it.each<[string, number, number, string]>([
    ['header', 1, 56, 'the checksum of its header is wrong'],
    ['entries', 2, 130, 'the checksum of its entries is wrong'],
  ])('uses the backup when the primary %s is damaged', (_name, sector, at, reason) => {
    const found = find(damage(make(), sector, at).bytes);
    expect(listed(found)).toEqual(expected);
    expect(found.notes).toEqual([
      `The primary of the partition table is damaged: ${reason}.`,
      'The backup of the partition table is used.',
    ]);
  });

  it('uses the backup when the primary is gone', () => {
    const disk = make();
    disk.bytes.fill(0, sectorSize, 50 * sectorSize);
    const found = find(disk.bytes);
    expect(listed(found)).toEqual(expected);
    expect(found.notes).toEqual([
      'There is no primary of the partition table where one should be.',
      'The backup of the partition table is used.',
    ]);
  });

  it('uses a damaged copy that makes sense when there is no other', () => {
    const disk = damage(damage(make(), 1, 56), 199, 56);
    const found = find(disk.bytes);
    expect(listed(found)).toEqual(expected);
    expect(found.notes).toHaveLength(2);
  });

  it('notes a lost backup', () => {
    const found = find(make().bytes.subarray(0, 150 * sectorSize));
    expect(listed(found)).toEqual(expected);
    expect(found.notes).toEqual(['There is no backup of the partition table where one should be.']);
  });

  it('notes that partitions overlap, and lists them', () => {
    const disk = new DiskBuilder(200, sectorSize).bootRecord(0, [[0xee, 1, 199]]).gpt([
      [0, 60, 79, ''],
      [1, 70, 89, ''],
    ]);
    const found = find(disk.bytes);
    expect(found.volumes).toHaveLength(2);
    expect(found.notes).toEqual(['In the partition table, partitions 1 and 2 overlap.']);
  });

  it('counts without a protective MBR, but not against another MBR', () => {
    const bare = make();
    bare.bytes.fill(0, 0, 512);
    expect(find(bare.bytes)).toMatchObject({
      scheme: 'gpt',
      notes: ['There is no protective MBR before the GPT.'],
    });

    const other = make();
    other.bytes.fill(0, 446, 510);
    other.bootRecord(0, [[0x83, 90, 10]]);
    expect(find(other.bytes)).toMatchObject({
      scheme: 'mbr',
      notes: ['There is a GPT too, but the MBR has no entry for it.'],
    });
  });

  it('comes before the other entries of a hybrid MBR', () => {
    const disk = make().bootRecord(0, [
      [0xee, 1, 199],
      [0x83, 90, 20],
    ]);
    const found = find(disk.bytes);
    expect(found.scheme).toBe('gpt');
    expect(found.notes).toEqual(['The MBR is a hybrid: it has entries of its own beside the GPT.']);
    expect(listed(found)).toEqual(expected);
  });
});

describe('a hostile GPT', () => {
  const disk = () =>
    new DiskBuilder(200).bootRecord(0, [[0xee, 1, 199]]).gpt([[0, 60, 79, 'boot']]);

  it.each<[string, 'NumberOfPartitionEntries' | 'SizeOfPartitionEntry', number]>([
    ['four billion entries', 'NumberOfPartitionEntries', 0xffffffff],
    ['entries of no size', 'SizeOfPartitionEntry', 0],
    ['entries of an odd size', 'SizeOfPartitionEntry', 129],
    ['entries of two GiB', 'SizeOfPartitionEntry', 0x80000000],
  ])('with %s is not followed', (_name, field, value) => {
    const { bytes } = disk();
    const view = new DataView(bytes.buffer);
    for (const at of [512, 199 * 512]) gptHeader.set(view, field, value, at);
    const found = find(bytes);
    expect(found.scheme).toBe('none');
    expect(found.notes).toEqual(['The MBR announces a GPT, but neither copy can be used.']);
  });

  it('leaves out partitions that end before they start or past 2^53', () => {
    const found = find(
      new DiskBuilder(200).bootRecord(0, [[0xee, 1, 199]]).gpt([
        [0, 60, 59, ''],
        [1, 0, 10, ''],
        [2, 60, 2 ** 50, ''],
        [3, 60, 70, ''],
      ]).bytes,
    );
    expect(places(found)).toEqual([['unknown', 60, 11, 4]]);
    expect(found.notes).toHaveLength(3);
  });
});

describe('the declared MBR entry', () => {
  it('lies where the boot record has it', () => {
    expect(mbrEntryOffsets).toEqual([446, 462, 478, 494]);
    expect(mbrEntry.size).toBe(16);
  });
});
