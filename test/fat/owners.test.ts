import { describe, expect, it } from 'vitest';
import { ImageError } from '../../src/image/errors';
import type { Ownership } from '../../src/filesystem/ownership';
import { deleted, dots, FatImage, short } from './fat-image';

const rows = (owners: Ownership) => Array.from({ length: owners.count }, (_, i) => owners.owner(i));

/** A tree over clusters 2 to 101: see the chains. */
function sample(bits: 12 | 32) {
  const image = new FatImage({ bits, clusters: 100 });
  const root = bits === 32 ? image.cluster(2) : image.rootStart;
  image.chain(10, 11, 20); // a file in two pieces
  image.chain(12, 40); // a directory
  image.chain(13); // a file in it
  image.chain(50, 51); // nobody's
  image.entry(60, 0x0ffffff7); // bad
  const [file, sub] = image.slots(
    root,
    short('FILE       ', { cluster: 10, size: 1200 }),
    short('SUB        ', { attributes: 0x10, cluster: 12 }),
    short('EMPTY      '),
    ...deleted(short('GONE       ', { cluster: 70, size: 100 })),
  );
  const inner = image.cluster(12) + 64;
  const filler = Array.from({ length: 13 }, (_, i) => short(`E${i}`.padEnd(11)));
  image.slots(
    image.cluster(12),
    ...dots(12, 0),
    short('INNER      ', { cluster: 13, size: 1 }),
    ...filler,
  );
  return { image, file, sub, inner };
}

describe('the owners of clusters', () => {
  it.each([12, 32] as const)('are nodes, bad marks and nobody, on FAT%i', (bits) => {
    const { image, file, sub, inner } = sample(bits);
    const root = { start: 2, length: 1, role: 'directory', node: 0, logical: 0 };
    expect(rows(image.open().ownership())).toEqual([
      ...(bits === 32 ? [root] : []),
      { start: 10, length: 2, role: 'file', node: file, logical: 0 },
      { start: 12, length: 1, role: 'directory', node: sub, logical: 0 },
      { start: 13, length: 1, role: 'file', node: inner, logical: 0 },
      { start: 20, length: 1, role: 'file', node: file, logical: 2 },
      { start: 40, length: 1, role: 'directory', node: sub, logical: 1 },
      expect.objectContaining({ start: 50, length: 2, role: 'lost' }),
      expect.objectContaining({ start: 60, length: 1, role: 'bad' }),
    ]);
  });

  it('have nothing to say of free clusters', () => {
    const { image } = sample(12);
    const owners = image.open().ownership();
    expect(owners.at(9)).toBeUndefined();
    expect(owners.at(70)).toBeUndefined();
    expect(owners.at(51)).toMatchObject({ role: 'lost' });
    expect(owners.at(60)?.structure).toContain('bad');
  });

  it('keep a shared cluster for the first one', () => {
    const { image, file } = sample(12);
    image.slots(image.rootStart + 4 * 32, short('TWIN       ', { cluster: 11, size: 1000 }));
    expect(image.open().ownership().at(11)).toMatchObject({ node: file });
    expect(rows(image.open().ownership())).toHaveLength(7);
  });

  it('end where chains and trees loop', () => {
    const image = new FatImage({ bits: 12 });
    image.chain(5, 6, 7, 5);
    image.chain(8);
    const [sub] = image.slots(
      image.rootStart,
      short('SUB        ', { attributes: 0x10, cluster: 5 }),
    );
    image.slots(
      image.cluster(5),
      ...dots(5, 0),
      short('DOWN       ', { attributes: 0x10, cluster: 8 }),
    );
    image.slots(
      image.cluster(8),
      ...dots(8, 5),
      short('UP         ', { attributes: 0x10, cluster: 5 }),
    );
    const owners = image.open().ownership();
    expect(rows(owners)).toMatchObject([
      { start: 5, length: 3, node: sub },
      { start: 8, length: 1, node: image.cluster(5) + 64 },
    ]);
  });

  it('stop at free and bad clusters of a chain', () => {
    const image = new FatImage({ bits: 12 });
    image.entry(5, 6);
    image.entry(8, 9);
    image.entry(9, 0xff7);
    image.slots(
      image.rootStart,
      short('FREE       ', { cluster: 5, size: 1000 }),
      short('BAD        ', { cluster: 8, size: 1000 }),
    );
    expect(rows(image.open().ownership())).toMatchObject([
      { start: 5, length: 1, role: 'file' },
      { start: 8, length: 1, role: 'file' },
      { start: 9, length: 1, role: 'bad' },
    ]);
  });

  it('tell how far the search is, and end when nobody waits', () => {
    const image = new FatImage({ bits: 32, clusters: 6000, sectorsPerCluster: 128 });
    const files = Array.from({ length: 2000 }, (_, i) => {
      image.chain(10 + i);
      return short(`F${i}`.padEnd(11), { cluster: 10 + i, size: 1 });
    });
    image.slots(image.cluster(2), ...files);
    const seen: number[] = [];
    const report = (done: number, total: number) => {
      expect(total).toBe(12_000);
      seen.push(done);
    };
    image.open().ownership({ report });
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.length).toBeGreaterThan(1);
    const cancel = () => {
      throw new ImageError('cancelled', 'Nobody waits.');
    };
    expect(() => image.open().ownership({ report: cancel })).toThrow('Nobody waits.');
  });

  it('are known without a look at any chain only for the root of FAT32', () => {
    expect(rows(sample(12).image.open().metadata())).toEqual([]);
    expect(rows(sample(32).image.open().metadata())).toEqual([
      { start: 2, length: 1, role: 'directory', node: 0, logical: 0 },
    ]);
  });
});
