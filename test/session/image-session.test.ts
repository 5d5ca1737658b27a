import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { MemoryBytes } from '../../src/image/memory-bytes';
import { ImageSession } from '../../src/session/image-session';
import { FatImage } from '../fat/fat-image';
import { DiskBuilder } from '../volume/support/partition-tables';

const sample = (name: string) =>
  brotliDecompressSync(readFileSync(join(import.meta.dirname, `../samples/sample-${name}.img.br`)));

const open = (bytes: Uint8Array) => new ImageSession(new MemoryBytes(bytes));

describe('an image with one filesystem', () => {
  it.each(['fat32', 'ext2', 'ext4'])('says what it is: %s', (type) => {
    const bytes = sample(type);
    const session = open(bytes);
    const { image, scheme, volumes, notes, first } = session.summary();
    expect(image).toEqual({ size: bytes.length, allocated: bytes.length });
    expect({ scheme, notes, first }).toEqual({ scheme: 'none', notes: [], first: 0 });
    expect(volumes).toHaveLength(1);
    expect(volumes[0]).toMatchObject({
      ...{ index: 0, offset: 0, length: bytes.length, type, partition: null },
      ...{ foreign: null, unreadable: null },
    });
    expect(session.volume(0)).toBe(session.volume());
  });
});

describe('a partitioned image', () => {
  it('has a volume for each partition, with places in the image', () => {
    const session = open(sample('card'));
    const { scheme, volumes, first } = session.summary();
    expect(scheme).not.toBe('none');
    expect(volumes.length).toBeGreaterThan(1);
    expect(first).toBe(0);
    for (const { index, offset, partition } of volumes) {
      expect(partition).toMatchObject({ offset });
      const { fileSystem } = session.volume(index);
      expect(fileSystem.offsetOf(fileSystem.unit.first)).toBeGreaterThanOrEqual(offset);
      expect(session.volume(index).resolve('/')).toHaveLength(1);
    }
    expect(() => session.volume(volumes.length)).toThrow(
      `There is no volume ${volumes.length}: the image has volumes 0 to ${volumes.length - 1}.`,
    );
  });

  it('opens the first volume that can be opened', () => {
    const { bytes } = new FatImage({ bits: 12 });
    const sectors = bytes.length / 512;
    const disk = new DiskBuilder(400 + sectors).bootRecord(0, [
      [0x83, 100, 100],
      [0x0c, 300, sectors],
    ]);
    disk.bytes.set(Buffer.from('XFSB'), 100 * 512);
    disk.bytes.set(bytes, 300 * 512);
    const session = open(disk.bytes);
    const { volumes, first } = session.summary();
    expect(first).toBe(1);
    expect(volumes).toMatchObject([
      { type: 'xfs', foreign: 'XFS', blockSize: null, freeBlocks: null, unit: null },
      { type: 'fat12', foreign: null, unreadable: null, offset: 300 * 512 },
    ]);
    expect(volumes[0].unreadable).toBe('It is XFS, which is recognised, but not read.');
    expect(() => session.volume(0)).toThrow('It is XFS, which is recognised, but not read.');
    expect(session.volume().fileSystem.facts.type).toBe('fat12');
  });
});

describe('an image that cannot be opened', () => {
  it.each([
    ['nothing', new Uint8Array(0), 'The image holds no known filesystem.'],
    ['zeros', new Uint8Array(1e6), 'The image holds no known filesystem.'],
    ['NTFS', Buffer.from('\xeb\x52\x90NTFS    '.padEnd(1024), 'latin1'), 'The image is NTFS'],
  ])('says why: %s', (_name, bytes, message) => {
    const session = open(bytes);
    expect(session.summary().first).toBeNull();
    expect(() => session.volume()).toThrow(expect.objectContaining({ code: 'unreadable' }));
    expect(() => session.volume()).toThrow(message);
    expect(() => session.volume(1)).toThrow('There is no volume 1: the image has only volume 0.');
  });

  it('says so of all its volumes', () => {
    const disk = new DiskBuilder(400).bootRecord(0, [
      [0x83, 100, 100],
      [0x83, 200, 100],
    ]);
    expect(() => open(disk.bytes).volume()).toThrow(
      'None of the 2 volumes holds a filesystem that can be read.',
    );
  });
});

describe('a volume whose first sector is destroyed', () => {
  it('is opened by its backup', () => {
    const bytes = sample('fat32');
    bytes.fill(0, 0, 512);
    expect(open(bytes).summary().volumes).toMatchObject([{ type: 'fat32', unreadable: null }]);
  });
});

describe('free space', () => {
  it('is what the table of the volume says, in units', () => {
    const image = new FatImage({ bits: 12, clusters: 100 });
    image.chain(10, 11);
    image.chain(50);
    const volume = open(image.bytes).volume();
    const { free, extents, largest, total, unit } = volume.freeSpace();
    expect({ free, extents, largest, total, unit }).toEqual({
      ...{ free: 97, extents: 3, largest: 51, total: 100, unit: 512 },
    });
    expect([...volume.freeList(0)]).toEqual([
      [2, 8],
      [12, 38],
      [51, 51],
    ]);
    expect([...volume.freeList(38)]).toEqual([
      [12, 38],
      [51, 51],
    ]);
  });
});
