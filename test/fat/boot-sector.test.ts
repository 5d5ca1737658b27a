import { describe, expect, it } from 'vitest';
import { VolumeBytes } from '../../src/image/bytes';
import { MemoryBytes } from '../../src/image/memory-bytes';
import { bitsByCount, readBootSector } from '../../src/fat/boot-sector';
import { openFat } from '../../src/fat/fat-filesystem';
import { recogniseBackupFat, recogniseFat } from '../../src/fat/recognise';
import { FatImage, type ImageOptions } from './fat-image';

const volumeOf = (bytes: Uint8Array) => new VolumeBytes(new MemoryBytes(bytes), 0, bytes.length);

/** A FAT16 image of one sector: its clusters need not be there to be counted. */
function bootSectorOf(values: { clusters: number; fatSize16?: number; fatSize32?: number }) {
  const bytes = new Uint8Array(512);
  const view = new DataView(bytes.buffer);
  const { clusters, fatSize16 = 0, fatSize32 = 0 } = values;
  view.setUint16(11, 512, true);
  view.setUint8(13, 1);
  view.setUint16(14, 1, true);
  view.setUint8(16, 1);
  view.setUint8(21, 0xf8);
  view.setUint16(22, fatSize16, true);
  view.setUint32(36, fatSize32, true);
  view.setUint32(32, 1 + fatSize16 + fatSize32 + clusters, true);
  return volumeOf(bytes);
}

describe('which FAT it is', () => {
  it.each([
    [4084, 'fat12'],
    [4085, 'fat16'],
    [65524, 'fat16'],
  ])('takes %i clusters for %s', (clusters, type) => {
    expect(recogniseFat(bootSectorOf({ clusters, fatSize16: 256 }))).toBe(type);
  });

  it('is FAT32 whenever the 16-bit FAT size is 0, whatever the count', () => {
    for (const clusters of [0, 100, 5000, 65525, 1_000_000]) {
      expect(recogniseFat(bootSectorOf({ clusters, fatSize32: 8192 }))).toBe('fat32');
    }
  });

  it('knows the borders of the count rule', () => {
    expect([4084, 4085, 65524, 65525].map(bitsByCount)).toEqual([12, 16, 16, 32]);
  });

  it('does not believe the text in the boot sector', () => {
    const image = new FatImage({ bits: 16 });
    image.text(54, 'FAT32   ');
    expect(recogniseFat(image.volume())).toBe('fat16');
    image.text(82, 'FAT12   ');
    expect(recogniseFat(image.volume())).toBe('fat16');
  });

  it('says so where the two rules disagree', () => {
    const small = new FatImage({ bits: 32, clusters: 200 });
    expect(small.open().facts.type).toBe('fat32');
    expect(small.open().facts.notes.join()).toContain('200 clusters, which makes it FAT12');
    const agreeing = new FatImage({ bits: 16 });
    expect(agreeing.open().facts.notes).toEqual([]);
  });

  it('caps FAT16 at the clusters that its numbers reach, and says so', () => {
    const boot = readBootSector(bootSectorOf({ clusters: 70_000, fatSize16: 300 }));
    expect(boot).toMatchObject({ bits: 16, countedClusters: 70_000, clusters: 0xfff4 });
  });
});

describe('a boot sector that the driver refuses', () => {
  const refused: [string, (image: FatImage) => void][] = [
    ['no reserved sector', (image) => image.view.setUint16(14, 0, true)],
    ['no FAT', (image) => image.view.setUint8(16, 0)],
    ['media F1', (image) => image.view.setUint8(21, 0xf1)],
    ['media 00', (image) => image.view.setUint8(21, 0)],
    ['media F7', (image) => image.view.setUint8(21, 0xf7)],
    ['sectors of 0 bytes', (image) => image.view.setUint16(11, 0, true)],
    ['sectors of 256 bytes', (image) => image.view.setUint16(11, 256, true)],
    ['sectors of 520 bytes', (image) => image.view.setUint16(11, 520, true)],
    ['sectors of 8192 bytes', (image) => image.view.setUint16(11, 8192, true)],
    ['0 sectors per cluster', (image) => image.view.setUint8(13, 0)],
    ['3 sectors per cluster', (image) => image.view.setUint8(13, 3)],
    ['both FAT sizes 0', (image) => image.view.setUint16(22, 0, true)],
    ['a root that ends within a sector', (image) => image.view.setUint16(17, 500, true)],
    ['data that starts past the end', (image) => image.view.setUint16(19, 10, true)],
    ['no size', (image) => image.view.setUint16(19, 0, true)],
  ];
  it.each(refused)('%s', (_, spoil) => {
    const image = new FatImage({ bits: 16 });
    expect(recogniseFat(image.volume())).toBe('fat16');
    spoil(image);
    expect(recogniseFat(image.volume())).toBeUndefined();
    expect(() => image.open()).toThrow('no valid FAT boot sector');
  });

  it.each([0xf0, 0xf8, 0xf9, 0xfc, 0xff])('but media %i is fine', (media) => {
    const image = new FatImage({ bits: 12 });
    image.view.setUint8(21, media);
    expect(recogniseFat(image.volume())).toBe('fat12');
  });

  it('and needs neither 55AA nor a jump', () => {
    const image = new FatImage({ bits: 12 });
    image.fill(0, 3, 0);
    expect([...image.bytes.subarray(510, 512)]).toEqual([0, 0]);
    expect(recogniseFat(image.volume())).toBe('fat12');
  });
});

describe('what is not FAT', () => {
  const boot = (...parts: [number, string | number[]][]) => {
    const bytes = new Uint8Array(4096);
    for (const [at, part] of parts) {
      bytes.set(typeof part === 'string' ? new TextEncoder().encode(part) : part, at);
    }
    return volumeOf(bytes);
  };
  const strangers: [string, VolumeBytes][] = [
    ['exFAT', boot([0, [0xeb, 0x76, 0x90]], [3, 'EXFAT   '], [64, [0, 8]], [510, [0x55, 0xaa]])],
    [
      'NTFS',
      boot(
        [0, [0xeb, 0x52, 0x90]],
        [3, 'NTFS    '],
        [11, [0, 2, 8, 0, 0, 0, 0, 0, 0, 0, 0xf8]],
        [510, [0x55, 0xaa]],
      ),
    ],
    ['a bootable ext2 floppy', boot([1080, [0x53, 0xef]], [510, [0x55, 0xaa]])],
    ['an MBR', boot([0, [0xfa, 0x33, 0xc0, 0x8e, 0xd0, 0xbc, 0, 0x7c]], [510, [0x55, 0xaa]])],
    ['nothing', boot()],
    ['an empty file', volumeOf(new Uint8Array(0))],
    ['one byte', volumeOf(new Uint8Array([0xeb]))],
  ];
  it.each(strangers)('%s', (_, volume) => {
    expect(recogniseFat(volume)).toBeUndefined();
    expect(recogniseBackupFat(volume)).toBeUndefined();
  });
});

describe('the layout', () => {
  it.each<ImageOptions>([
    { bits: 12 },
    { bits: 12, sectorSize: 4096, sectorsPerCluster: 2, rootEntries: 128, fats: 1 },
    { bits: 16, sectorSize: 2048, sectorsPerCluster: 4, reserved: 7, fats: 3 },
    { bits: 16, sectorsPerCluster: 128, rootEntries: 16 },
    { bits: 32, sectorSize: 1024, reserved: 9, rootCluster: 77 },
    { bits: 32, sectorSize: 4096, sectorsPerCluster: 16, fats: 1, clusters: 70 },
  ])('of %o', (options) => {
    const image = new FatImage(options);
    const fileSystem = image.open();
    expect(fileSystem.unit).toEqual({
      name: 'cluster',
      size: image.clusterSize,
      first: 2,
      count: image.clusters,
    });
    expect(fileSystem.offsetOf(2)).toBe(image.dataStart);
    expect(fileSystem.offsetOf(9)).toBe(image.cluster(9));
    expect(fileSystem.facts).toMatchObject({
      type: `fat${options.bits}`,
      blockSize: image.clusterSize,
      blocks: image.clusters,
      uuid: '1234-ABCD',
      label: '',
      inodes: null,
      freeInodes: null,
      state: 'clean',
    });
  });

  it('uses no cluster that the FAT has no entry for', () => {
    const image = new FatImage({ bits: 16, clusters: 5000, fatSectors: 10 });
    expect(image.open().facts.blocks).toBe((10 * 512) / 2 - 2);
    expect(image.open().facts.notes.join()).toContain('those after number 2559 cannot be used');
  });

  it('takes the 16-bit size where both are set, and says where they differ', () => {
    const image = new FatImage({ bits: 12 });
    const sectors = image.view.getUint16(19, true);
    image.view.setUint32(32, sectors, true);
    expect(image.open().facts.notes).toEqual([]);
    image.view.setUint32(32, sectors + 1000, true);
    expect(image.open().unit.count).toBe(100);
    expect(image.open().facts.notes.join()).toContain(
      `two sizes, ${sectors} and ${sectors + 1000}`,
    );
  });

  it('says that it is cut short', () => {
    const image = new FatImage({ bits: 12 });
    const notes = openFat(image.volume(image.size - 1)).facts.notes.join();
    expect(notes).toContain(`${image.size - 1} of its ${image.size} bytes`);
  });
});

describe('a destroyed first sector', () => {
  const destroyed = (options: Omit<ImageOptions, 'bits'>, sector: number) => {
    const image = new FatImage({ bits: 32, ...options });
    const copy = image.bytes.slice(0, 512);
    new DataView(copy.buffer).setUint16(50, sector, true);
    new DataView(copy.buffer).setUint16(510, 0xaa55, true);
    image.bytes.set(copy, sector * image.sectorSize);
    image.fill(0, 512, 0x5a);
    return image;
  };

  it.each([
    [512, 6],
    [4096, 6],
    [2048, 12],
  ])('of %i bytes gives way to its backup in sector %i', (sectorSize, sector) => {
    const image = destroyed({ sectorSize }, sector);
    expect(recogniseFat(image.volume())).toBeUndefined();
    expect(recogniseBackupFat(image.volume())).toBe('fat32');
    const { facts } = image.open();
    expect(facts.uuid).toBe('1234-ABCD');
    expect(facts.notes.join()).toContain(`its backup in sector ${sector}`);
  });

  it('is not replaced by a boot sector that calls another place its own', () => {
    const image = destroyed({}, 6);
    new DataView(image.bytes.buffer).setUint16(6 * 512 + 50, 7, true);
    expect(recogniseBackupFat(image.volume())).toBeUndefined();
  });
});
