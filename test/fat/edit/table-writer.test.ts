import { describe, expect, it } from 'vitest';
import { TableWriter } from '../../../src/fat/edit/table-writer';
import { readBootSector } from '../../../src/fat/boot-sector';
import { FatTable } from '../../../src/fat/table';
import { WritableVolume } from '../../../src/image/bytes';
import { FatImage, type ImageOptions } from '../fat-image';
import { RecordedBytes } from './editing';

function writerOf(image: FatImage) {
  const bytes = new RecordedBytes(image.bytes);
  const volume = new WritableVolume(bytes, image.before, image.size);
  const boot = readBootSector(volume);
  if (!boot) throw new Error('The image has no valid boot sector.');
  return { bytes, writer: new TableWriter(volume, boot, new FatTable(volume, boot)) };
}

const isSame = (a: FatImage, b: FatImage) => Buffer.compare(a.bytes, b.bytes) === 0;

const shapes: ImageOptions[] = [
  { bits: 12, clusters: 2000 },
  { bits: 12, clusters: 2000, fats: 1, sectorSize: 1024 },
  { bits: 16, clusters: 5000, before: 4096 },
  { bits: 32, clusters: 3000, fats: 3 },
];

describe('entries', () => {
  it.each(shapes)('FAT$bits are set as a plain encoder sets them', (shape) => {
    const [image, expected] = [new FatImage(shape), new FatImage(shape)];
    const { writer } = writerOf(image);
    for (let i = 0; i < 3000; i++) {
      const cluster = 2 + ((i * 7919) % image.clusters);
      const value = (i * 104_729) % (2 ** Math.min(image.bits, 28) - 1);
      expected.entry(cluster, value);
      writer.set(cluster, value);
      expect(writer.get(cluster)).toBe(value);
    }
    expect(isSame(image, expected)).toBe(false);
    writer.flush();
    expect(isSame(image, expected)).toBe(true);
  });

  it('of FAT12 lie in two sectors where they straddle one', () => {
    const image = new FatImage({ bits: 12, clusters: 1000 });
    const { writer } = writerOf(image);
    writer.set(341, 0xabc); // its bytes are 511 and 512 of the FAT
    writer.flush();
    expect(writer.sectorsWritten).toBe(4);
    expect([...image.bytes.subarray(image.fatStart + 511, image.fatStart + 513)]).toEqual([
      0xc0, 0xab,
    ]);
  });

  it('of FAT32 keep their top four bits', () => {
    const image = new FatImage({ bits: 32, clusters: 60_000 });
    image.entry(9, 0xa0000000);
    const { writer } = writerOf(image);
    expect(writer.get(9)).toBe(0);
    writer.set(9, 0x0fffffff);
    writer.flush();
    expect(image.view.getUint32(image.fatStart + 36, true)).toBe(0xafffffff);
  });
});

describe('sectors', () => {
  it('are written once for each copy, however many entries change', () => {
    const image = new FatImage({ bits: 32, clusters: 60_000 });
    const { bytes, writer } = writerOf(image);
    writer.link(3, 1000, undefined); // entries 3 to 1002, in sectors 0 to 7 of the FAT
    writer.link(50_000, 1, 3); // sector 390
    writer.flush();
    expect(writer.sectorsWritten).toBe(2 * 9);
    expect(bytes.writes).toEqual(
      [0, 390].flatMap((sector) =>
        [0, 1].map((copy) => ({
          offset: image.fatStart + copy * image.fatBytes + 512 * sector,
          length: sector === 0 ? 8 * 512 : 512,
        })),
      ),
    );
    writer.flush();
    expect(bytes.writes).toHaveLength(4);
  });

  it('of the active copy alone are written where mirroring is off', () => {
    const image = new FatImage({ bits: 32, clusters: 60_000, fats: 2 });
    image.view.setUint16(40, 0x81, true);
    const { writer } = writerOf(image);
    writer.set(100, 200);
    writer.flush();
    expect(writer.sectorsWritten).toBe(1);
    expect(image.view.getUint32(image.fatStart + 400, true)).toBe(0);
    expect(image.view.getUint32(image.fatStart + image.fatBytes + 400, true)).toBe(200);
  });
});
