import { describe, expect, it } from 'vitest';
import type { FileContent } from '../../src/filesystem/file-content';
import { openFat } from '../../src/fat/fat-filesystem';
import { deleted, FatImage, short } from './fat-image';

const cluster = 512;

/** A FAT12 image with one file; each of its clusters is filled with its own number. */
function fileOf(size: number, first: number, prepare: (image: FatImage) => void = () => undefined) {
  const image = new FatImage({ bits: 12, before: 1536 });
  for (let number = 2; number <= 101; number++) image.fill(image.cluster(number), cluster, number);
  image.slots(image.rootStart, short('FILE       ', { cluster: first, size }));
  prepare(image);
  return { image, content: image.open().content(image.rootStart) };
}

function bytesOf(content: FileContent): Uint8Array {
  const bytes = new Uint8Array(content.size);
  expect(content.read(0, bytes)).toBe(content.size);
  return bytes;
}

/** The cluster numbers that the content was read from, one for each cluster. */
const clustersOf = (content: FileContent) =>
  [...bytesOf(content)].filter((_, i) => i % cluster === 0);

describe('the content of a file', () => {
  it('follows its chain', () => {
    const { content } = fileOf(5 * cluster - 100, 9, (it) => it.chain(9, 10, 50, 51, 3));
    expect(clustersOf(content)).toEqual([9, 10, 50, 51, 3]);
    expect(content.extents).toEqual([
      { logical: 0, physical: 9, length: 2 },
      { logical: 2, physical: 50, length: 2 },
      { logical: 4, physical: 3, length: 1 },
    ]);
    expect(content).toMatchObject({ size: 2460, allocated: 2560, problems: [] });
  });

  it('reads at any place and never past its end', () => {
    const { content } = fileOf(1200, 9, (it) => it.chain(9, 30, 12));
    const whole = bytesOf(content);
    for (const offset of [0, 1, 511, 512, 513, 1023, 1024, 1199, 1200, 5000]) {
      for (const length of [0, 1, 2, 512, 513, 2000]) {
        const target = new Uint8Array(length).fill(0xaa);
        const got = content.read(offset, target);
        expect(got).toBe(Math.max(0, Math.min(length, 1200 - offset)));
        expect([...target.subarray(0, got)]).toEqual([...whole.subarray(offset, offset + got)]);
        expect(target.subarray(got).every((byte) => byte === 0)).toBe(true);
      }
    }
  });

  it('may be empty without a cluster', () => {
    const { content } = fileOf(0, 0);
    expect(content).toMatchObject({ size: 0, allocated: 0, extents: [], problems: [] });
  });

  it.each([0xff8, 0xffb, 0xfff])('ends at end mark %i', (mark) => {
    const { content } = fileOf(cluster, 9, (it) => it.entry(9, mark));
    expect([clustersOf(content), content.problems]).toEqual([[9], []]);
  });

  const broken: [string, number, number, (image: FatImage) => void, string, number, number[]][] = [
    [
      'shorter than the size',
      3000,
      9,
      (it) => it.chain(9, 10),
      'chain-shorter-than-size',
      10,
      [9, 10],
    ],
    [
      'longer than the size',
      600,
      9,
      (it) => it.chain(9, 10, 11),
      'chain-longer-than-size',
      11,
      [9, 10],
    ],
    ['kept by an empty file', 0, 9, (it) => it.chain(9), 'chain-longer-than-size', 9, []],
    [
      'that loops',
      9000,
      9,
      (it) => it.chain(9, 10, 11, 12, 10),
      'chain-loops',
      12,
      [9, 10, 11, 12],
    ],
    ['that leads to itself', 9000, 9, (it) => it.chain(9, 9), 'chain-loops', 9, [9]],
    [
      'that leads back to its start',
      600,
      9,
      (it) => it.chain(9, 10, 9),
      'chain-loops',
      10,
      [9, 10],
    ],
    [
      'that runs into a free cluster',
      900,
      9,
      (it) => it.entry(9, 10),
      'chain-runs-into-free',
      10,
      [9],
    ],
    ['that starts at a free cluster', 900, 9, () => undefined, 'chain-runs-into-free', 9, []],
    [
      'that runs into a bad cluster',
      900,
      9,
      (it) => {
        it.entry(9, 10);
        it.entry(10, 0xff7);
      },
      'chain-runs-into-bad',
      10,
      [9],
    ],
    ['that leaves the volume', 900, 9, (it) => it.entry(9, 102), 'chain-leaves-volume', 9, [9]],
    ['that leads to cluster 1', 900, 9, (it) => it.entry(9, 1), 'chain-leaves-volume', 9, [9]],
    ['that starts at 0', 900, 0, () => undefined, 'chain-starts-at-zero', 0, []],
    ['that starts past the end', 900, 102, () => undefined, 'chain-starts-out-of-range', 102, []],
    ['that starts at 1', 900, 1, () => undefined, 'chain-starts-out-of-range', 1, []],
  ];
  it.each(broken)('with a chain %s', (_, size, first, prepare, code, at, read) => {
    const { image, content } = fileOf(size, first, prepare);
    expect(clustersOf(content)).toEqual(read);
    expect(content.problems).toMatchObject([{ code, cluster: at, severity: 'error' }]);
    const entry = image.before + image.fatStart + Math.floor((at * 3) / 2);
    const isOfSlot = code.startsWith('chain-starts');
    expect(content.problems[0].offset).toBe(isOfSlot ? image.before + image.rootStart : entry);
  });

  it('finds a loop of any shape, and what lies before it', () => {
    for (let before = 0; before < 9; before++) {
      for (let length = 1; length < 12; length++) {
        const all = Array.from({ length: before + length }, (_, i) => 90 - 3 * i);
        const { content } = fileOf(0xffffffff, 90, (it) => it.chain(...all, all[before]));
        expect(clustersOf(content)).toEqual(all);
        expect(content.problems).toMatchObject([{ code: 'chain-loops', cluster: all.at(-1) }]);
      }
    }
  });

  it('that two files share is read for both', () => {
    const { image } = fileOf(1000, 9, (it) => {
      it.chain(9, 10);
      it.slots(it.rootStart + 32, short('OTHER      ', { cluster: 10, size: 300 }));
    });
    expect(clustersOf(image.open().content(image.rootStart))).toEqual([9, 10]);
    expect(clustersOf(image.open().content(image.rootStart + 32))).toEqual([10]);
  });

  it('past the end of the image reads as zeros and says so', () => {
    const { image } = fileOf(3 * cluster, 9, (it) => it.chain(9, 99, 100));
    const short = image.before + image.cluster(99) + 100;
    const content = openFat(image.volume(short)).content(image.rootStart);
    const bytes = bytesOf(content);
    expect([bytes[0], bytes[512 + 99], bytes[512 + 100], bytes[1024]]).toEqual([9, 99, 0, 0]);
    expect(content.problems).toMatchObject([{ code: 'content-beyond-image', cluster: 99 }]);
  });

  it('may lie in a million pieces', () => {
    const image = new FatImage({ bits: 32, clusters: 1_000_000 });
    const half = 499_999;
    const [left, right] = [3, 3 + half]; // clusters from left and right take turns
    for (let i = 0; i < half; i++) {
      image.entry(left + i, right + i);
      image.entry(right + i, i + 1 < half ? left + i + 1 : 0x0fffffff);
    }
    image.slots(image.cluster(2), short('FILE       ', { cluster: left, size: 512 * 2 * half }));
    image.fill(image.cluster(right + 1000), 512, 0x77);
    const content = image.open().content(image.cluster(2));
    const bytes = new Uint8Array(512);
    content.read(512 * 2001, bytes);
    expect(bytes.every((byte) => byte === 0x77)).toBe(true);
    expect(content.problems).toEqual([]);
    expect(content.extents).toHaveLength(2 * half);
  });
});

describe('the content of a deleted file', () => {
  const gone = (size: number, prepare: (image: FatImage) => void = () => undefined) =>
    fileOf(0, 0, (image) => {
      image.slots(image.rootStart, ...deleted(short('FILE       ', { cluster: 9, size })));
      prepare(image);
    }).content;

  it('is taken to lie in one piece', () => {
    const content = gone(3 * cluster - 5);
    expect(clustersOf(content)).toEqual([9, 10, 11]);
    expect(content.size).toBe(3 * cluster - 5);
    expect(content.problems).toMatchObject([{ code: 'deleted-content', severity: 'note' }]);
    expect(content.problems[0].message).toContain('3 of 3 clusters are still free');
  });

  it('ends at the first cluster that is in use again', () => {
    const content = gone(3 * cluster, (it) => it.chain(10));
    expect(clustersOf(content)).toEqual([9]);
    expect(content.problems[0].message).toContain('1 of 3 clusters are still free');
  });

  it('is lost where its first cluster is in use again', () => {
    expect(gone(3 * cluster, (it) => it.chain(9)).size).toBe(0);
  });

  it('of size 0 is empty', () => {
    expect(gone(0)).toMatchObject({ size: 0, extents: [], problems: [] });
  });
});
