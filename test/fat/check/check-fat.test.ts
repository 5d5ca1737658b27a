import { describe, expect, it } from 'vitest';
import type { CheckReport } from '../../../src/filesystem/check';
import { dots, FatImage, long, short } from '../fat-image';

/** What a check finds beyond what the made-up boot area lacks. */
function check(image: FatImage): CheckReport {
  return image.open().check();
}

function codes(image: FatImage): string[] {
  return check(image).findings.map(({ code }) => code);
}

/** A sound volume: a file of two clusters, and a directory with a file in it. */
function sound(bits: 12 | 16 | 32 = 16): { image: FatImage; file: number; inner: number } {
  const image = new FatImage({ bits, clusters: bits === 16 ? 5000 : 100 });
  const root = bits === 32 ? image.cluster(2) : image.rootStart;
  image.chain(10, 11);
  image.chain(12);
  image.chain(13);
  const [file] = image.slots(
    root,
    short('FILE    TXT', { cluster: 10, size: 2 * image.clusterSize }),
    short('SUB        ', { attributes: 0x10, cluster: 12 }),
  );
  const [, , inner] = image.slots(
    image.cluster(12),
    ...dots(12, 0),
    short('INNER      ', { cluster: 13, size: 1 }),
  );
  return { image, file, inner };
}

const baseline = new Set(codes(sound().image));
const found = (image: FatImage) => codes(image).filter((code) => !baseline.has(code));

describe('a check of FAT', () => {
  it('finds an entry that says that it has no short name, and has no long one', () => {
    const { image, file } = sound();
    image.bytes[file + 12] = 0x20;
    expect(found(image)).toEqual(['fat-name-missing']);
    // What stands where the name would be is none, so nothing of it can be wrong.
    image.bytes[file] = 0x2f;
    expect(found(image)).toEqual(['fat-name-missing']);
  });

  it.each([
    [0, 'fat-info-missing'],
    [5000, 'fat-info-outside'],
    [0xffff, 'fat-info-outside'],
  ])('tells what sector %i of FSInfo means', (sector, code) => {
    const { image } = sound(32);
    image.bytes[48] = sector & 0xff;
    image.bytes[49] = sector >> 8;
    expect(codes(image).filter((found) => found.startsWith('fat-info'))).toEqual([code]);
  });

  it('finds nothing wrong with chains, names and directories that are sound', () => {
    const { image } = sound();
    const report = check(image);
    expect(report.findings.filter(({ code }) => /chain|name|dot|lost|start/.test(code))).toEqual(
      [],
    );
    expect(report.isCut).toBe(false);
  });

  it('says where a chain is too long, and that what is cut off follows from it', () => {
    const { image, file } = sound();
    image.chain(10, 11, 20, 21);
    const { findings } = check(image);
    const cut = findings.findIndex(({ code }) => code === 'fat-chain-long');
    expect(findings[cut]).toMatchObject({ cluster: 20, node: file, path: '/FILE.TXT' });
    const lost = findings.find(({ code }) => code === 'fat-lost-clusters');
    expect(lost).toMatchObject({ cluster: 20, cause: cut });
    expect(lost?.message).toMatch(/^2 clusters from 20/);
  });

  it('finds a cluster of two files, and which entry it went to', () => {
    const { image, inner } = sound();
    image.chain(13, 11);
    const finding = check(image).findings.find(({ code }) => code === 'fat-chain-long');
    expect(finding).toMatchObject({ node: inner });
    const { image: other, inner: node } = sound();
    other.slots(other.cluster(12) + 64, short('INNER      ', { cluster: 10, size: 9 }));
    expect(check(other).findings.find(({ code }) => code === 'fat-chain-shared')).toMatchObject({
      node,
      cluster: 10,
      path: '/SUB/INNER',
    });
  });

  it.each([
    ['fat-chain-free', 0],
    ['fat-chain-bad', 0xfff7],
    ['fat-entry-out-of-range', 0x5000],
  ])('finds %s', (code, value) => {
    const { image } = sound();
    image.entry(11, value);
    expect(found(image)).toContain(code);
  });

  it('ends on loops, of chains and of directories', () => {
    const { image } = sound();
    image.chain(10, 11);
    image.entry(11, 10);
    image.slots(image.rootStart, short('FILE    TXT', { cluster: 10, size: 2 ** 31 }));
    expect(found(image)).toContain('fat-chain-loop');
    const { image: other } = sound();
    other.slots(other.cluster(12) + 64, short('INNER      ', { attributes: 0x10, cluster: 12 }));
    expect(found(other)).toContain('fat-directory-start');
  });

  it('finds dot entries that are missing or lead astray', () => {
    const { image } = sound();
    image.slots(image.cluster(12), ...dots(12, 99));
    expect(found(image)).toEqual(['fat-dot-wrong']);
    image.slots(image.cluster(12), short('OTHER      '));
    expect(found(image)).toContain('fat-dot-missing');
  });

  it('finds names that are bad, double, or long names of nothing', () => {
    const { image } = sound();
    image.slots(image.rootStart + 64, short('A*      TXT'), short('FILE    TXT'));
    expect(found(image)).toEqual(['fat-name-bad', 'fat-name-duplicate']);
    const { image: other } = sound();
    other.slots(other.rootStart + 64, ...long('a long name', 'ALONGN~1   '));
    expect(found(other)).toEqual(['fat-long-name-orphan']);
  });

  it('lists ten thousand findings and counts the others', () => {
    const image = new FatImage({ bits: 32, clusters: 70_000 });
    image.chain(2);
    for (let cluster = 100; cluster < 60_100; cluster += 2) image.entry(cluster, 0x0fffffff);
    const report = check(image);
    expect(report.findings).toHaveLength(10_000);
    expect(report.counts.error).toBeGreaterThanOrEqual(30_000);
    expect(report.isCut).toBe(true);
  });

  it('knows every code that it finds', () => {
    const { image } = sound();
    const table = new Set(image.open().problemTable.map(({ code }) => code));
    image.chain(10, 11, 20);
    for (const code of codes(image)) expect(table).toContain(code);
  });
});
