import { describe, expect, it } from 'vitest';
import { VolumeBytes } from '../../src/image/bytes';
import { ImageError } from '../../src/image/errors';
import { MemoryBytes } from '../../src/image/memory-bytes';
import { ImageLayout } from '../../src/session/image-layout';
import { ShownImage } from '../../src/session/shown-image';
import type { FoundVolumes } from '../../src/volume/find-volumes';
import { DiskBuilder } from '../volume/support/partition-tables';
import { FakeFileSystem } from './support/fake-filesystem';

const sectors = 400;
const volumeAt = [50 * 512, 300 * 512];

/** A disk with two partitions, of which the second cannot be opened. */
function open() {
  const disk = new DiskBuilder(sectors).bootRecord(0, [
    [0x83, 50, 250],
    [0x07, 300, 100],
  ]);
  const found: FoundVolumes = {
    scheme: 'mbr',
    sectorSize: 512,
    notes: [],
    volumes: volumeAt.map((offset, index) => ({
      offset,
      length: index === 0 ? 250 * 512 : 100 * 512,
      type: index === 0 ? 'ext2' : 'unknown',
      foreign: null,
      partition: null,
      notes: [],
    })),
  };
  const fileSystem = new FakeFileSystem({ nodes: {}, offset: volumeAt[0] });
  const image = new MemoryBytes(disk.bytes);
  const layout = new ImageLayout(image, found, (index) => {
    if (index !== 0) throw new ImageError('unreadable', 'It holds no known filesystem.');
    return { fileSystem };
  });
  return { layout, disk };
}

const names = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name);

describe('the structures of an image', () => {
  it('are those of its partition table, and of its volumes', () => {
    const { layout } = open();
    expect(names(layout.structureBranches(null, null))).toEqual(['MBR']);
    expect(layout.structureBranches(null, 'mbr')).toHaveLength(4);
    expect(layout.structure(null, 'mbr').kind).toBe('MBR');
    expect(names(layout.structureBranches(0, null))).toEqual(['superblock']);
    expect(names(layout.structureBranches(0, 'superblock'))).toEqual(['part of superblock']);
    expect(layout.structure(0, 'inode 5').name).toBe('inode 5');
    expect(() => layout.structureBranches(1, null)).toThrow('no known filesystem');
  });

  it('are found by their place, of whichever they are', () => {
    const { layout } = open();
    const superblock = volumeAt[0] + 1024;
    expect(names(layout.structuresAt(superblock, 1))).toEqual(['superblock']);
    expect(names(layout.structuresAt(0, 1))).toEqual(['MBR']);
    expect(names(layout.structuresAt(500, superblock))).toEqual([
      'MBR',
      'entry 4 of the MBR',
      'superblock',
    ]);
    expect(layout.structuresAt(volumeAt[1], 512)).toEqual([]);
    expect(layout.structuresAt(1024, 512)).toEqual([]);
  });
});

describe('a byte of an image', () => {
  it('lies in a unit of a volume, in a volume, or in none', () => {
    const { layout } = open();
    const unitAt = (offset: number) => layout.placeAt(offset);
    expect(unitAt(volumeAt[0] + 1024)).toEqual({ volume: 0, unit: 1 });
    expect(unitAt(volumeAt[0] + 100 * 1024 + 1023)).toEqual({ volume: 0, unit: 100 });
    expect(unitAt(volumeAt[0] + 1023)).toEqual({ volume: 0, unit: null });
    expect(unitAt(volumeAt[0] + 101 * 1024)).toEqual({ volume: 0, unit: null });
    expect(unitAt(volumeAt[1])).toEqual({ volume: 1, unit: null });
    expect(unitAt(0)).toEqual({ volume: null, unit: null });
    expect(unitAt(sectors * 512)).toEqual({ volume: null, unit: null });
  });
});

describe('the bytes of an image', () => {
  it('end where the image does', () => {
    const { layout } = open();
    expect([...layout.bytes(510, 2)]).toEqual([0x55, 0xaa]);
    expect(layout.bytes(sectors * 512 - 3, 9)).toHaveLength(3);
    expect(layout.bytes(sectors * 512 + 3, 9)).toHaveLength(0);
    expect(() => layout.bytes(-1, 9)).toThrow('no 9 bytes from byte -1');
    expect(() => layout.bytes(0, NaN)).toThrow('no NaN bytes');
  });

  it('are searched', () => {
    const { layout } = open();
    const pattern = Uint8Array.of(0x55, 0xaa);
    const query = { pattern, backwards: false, ignoreCase: false, places: 2 ** 40 };
    expect(layout.search({ ...query, from: 0 })).toBe(510);
    expect(layout.search({ ...query, from: 511 })).toBeNull();
  });
});

describe('an image that is shown otherwise than it is', () => {
  const image = new MemoryBytes(Uint8Array.from({ length: 100 }, (_, i) => i));
  const after = new VolumeBytes(new MemoryBytes(new Uint8Array(200).fill(255)), 40, 90);
  const read = (shown: ShownImage, offset: number, length: number) => {
    const target = new Uint8Array(length).fill(7);
    const got = shown.read(offset, target);
    return [got, ...target];
  };

  it('shows a volume in its place, and nothing else', () => {
    const shown = new ShownImage(image);
    shown.replace(0, after);
    expect(shown.size).toBe(100);
    expect(read(shown, 38, 4)).toEqual([4, 38, 39, 255, 255]);
    expect(read(shown, 10, 2)).toEqual([2, 10, 11]);
  });

  it('is not longer than it is', () => {
    const shown = new ShownImage(image);
    shown.replace(0, after);
    expect(read(shown, 98, 4)).toEqual([2, 255, 255, 0, 0]);
    expect(read(shown, 120, 2)).toEqual([0, 0, 0]);
  });

  it('shows what is on disk again', () => {
    const shown = new ShownImage(image);
    shown.replace(3, after);
    shown.replace(3, undefined);
    expect(read(shown, 39, 3)).toEqual([3, 39, 40, 41]);
  });
});
