import { describe, expect, it } from 'vitest';
import { readBytes } from '../../../src/image/bytes';
import { dots, FatImage, short, type ImageOptions } from '../fat-image';
import { edit, piecesOf, refusalOf, reopen, type EditorOptions } from './editing';

const disk = (options: Partial<ImageOptions> = {}) =>
  new FatImage({ bits: 32, clusters: 3000, ...options });
const largestFile = 0xffffffff;

/** Clusters that are in use where nothing is said about whose they are. */
function occupy(image: FatImage, ...clusters: number[]): void {
  for (const cluster of clusters) image.entry(cluster, 0x0fffffff);
}

function contentOf(image: FatImage, node: number): Uint8Array {
  const content = reopen(image).content(node);
  expect(content.problems.filter(({ code }) => code !== 'chain-longer-than-size')).toEqual([]);
  return readBytes(content, 0, content.size);
}

const storedFree = (image: FatImage) => image.view.getUint32(image.before + 512 + 488, true);
const storedNext = (image: FatImage) => image.view.getUint32(image.before + 512 + 492, true);

const keepSize = (offset: number, length: number) => ({
  offset,
  length,
  keepSize: true,
  zero: false,
});

describe('a preallocation that keeps the size', () => {
  const start = (options: EditorOptions = {}, image = disk()) => {
    const edited = edit(image, options);
    const file = edited.editor.createFile(0, 'file', {});
    return { image, file, ...edited };
  };

  it('adds what is missing to a whole cluster, and nothing within what is there', () => {
    const { image, file, editor } = start();
    const added = (offset: number, length: number) =>
      editor.preallocate(file, keepSize(offset, length)).allocatedUnits;
    expect(added(0, 0)).toBe(0);
    expect(added(0, 1)).toBe(1);
    expect(added(0, 512)).toBe(0);
    expect(added(100, 413)).toBe(1);
    expect(added(5000, 1)).toBe(8);
    expect(added(1000, 4000)).toBe(0);
    expect(reopen(image).node(file).size).toBe(0);
    expect(reopen(image).content(file).allocated).toBe(10 * 512);
  });

  it('writes each sector once per copy, the slot and FSInfo once', () => {
    const { image, file, editor, bytes } = start();
    bytes.writes.length = 0;
    const plan = editor.preallocate(file, keepSize(0, 300 * 512));
    editor.finish();
    expect(plan).toMatchObject({
      extents: [{ logical: 0, physical: 3, length: 300 }],
      fragments: 1,
      allocatedUnits: 300,
      metadataWrites: 2 * 3 + 1 + 1, // entries 3 to 302, of 128 in a sector
      bytesZeroed: 0,
    });
    expect(plan.notes.join()).toContain('fsck.fat');
    const sectors = bytes.writes.reduce((sum, { length }) => sum + Math.ceil(length / 512), 0);
    expect(sectors).toBe(plan.metadataWrites);
    expect(storedFree(image)).toBe(3000 - 301);
    expect(storedNext(image)).toBe(302);
  });

  it('changes nothing of the slot but the first cluster of an empty file', () => {
    const { image, file, editor } = start();
    const past = { seconds: 1e9, nanoseconds: 0 };
    editor.change(file, { modified: past, clear: ['archive'] });
    editor.preallocate(file, keepSize(0, 512));
    const plan = editor.preallocate(file, keepSize(0, 1024));
    expect(plan.metadataWrites).toBe(2 + 1); // no slot
    expect(reopen(image).node(file)).toMatchObject({ number: 3, modified: past, attributes: [] });
  });

  it('zeroes the clusters only when it is asked to', () => {
    const image = disk();
    image.fill(image.cluster(3), 512 * 20, 0x55);
    const { file, editor } = start({}, image);
    editor.preallocate(file, keepSize(0, 1024));
    expect(image.view.getUint8(image.cluster(3))).toBe(0x55);
    const plan = editor.preallocate(file, { ...keepSize(0, 2048), zero: true });
    expect(plan.bytesZeroed).toBe(2048);
    const zeroed = image.bytes.subarray(image.cluster(3), image.cluster(8));
    expect(zeroed.lastIndexOf(0)).toBe(2047);
    expect(zeroed.subarray(0, 2048).every((byte) => byte === 0)).toBe(true);
  });

  it('continues the file where it can, else takes the smallest run that holds it', () => {
    const image = disk();
    occupy(image, 10, 31, 37); // free: 3-9, 11-30, 32-36, 38-3001
    const { file, editor } = start({}, image);
    editor.preallocate(file, keepSize(0, 3 * 512));
    expect(piecesOf(image, file)).toEqual([[32, 34]]);
    editor.preallocate(file, keepSize(0, 5 * 512));
    expect(piecesOf(image, file)).toEqual([[32, 36]]);
    const plan = editor.preallocate(file, keepSize(0, 20 * 512));
    expect(piecesOf(image, file)).toEqual([
      [32, 36],
      [11, 25],
    ]);
    expect(plan.fragments).toBe(2);
    expect(plan.extents).toEqual([{ logical: 5, physical: 11, length: 15 }]);
  });

  it('looks behind the hint and around the end, as the driver does', () => {
    const image = disk();
    image.fsInfo(100, 2998);
    const { file, editor } = start({ policy: 'next-fit' }, image);
    editor.preallocate(file, keepSize(0, 5 * 512));
    editor.finish();
    expect(piecesOf(image, file)).toEqual([
      [2999, 3001],
      [3, 4],
    ]);
    expect(storedNext(image)).toBe(4);
    expect(storedFree(image)).toBe(3000 - 6); // counted, whatever was stored
  });

  it('takes the same clusters one at a time, with more writes', () => {
    const images = [disk(), disk()];
    const plans = images.map((image, i) => {
      occupy(image, ...Array.from({ length: 200 }, (_, k) => 20 + 7 * k));
      const { file, editor } = start({ policy: 'next-fit', oneAtATime: i === 1 }, image);
      const plan = editor.preallocate(file, keepSize(0, 700 * 512));
      return { ...plan, pieces: piecesOf(image, file) };
    });
    const [{ metadataWrites: batched }, { metadataWrites: single }] = plans;
    expect({ ...plans[1], metadataWrites: batched }).toEqual(plans[0]);
    expect(single).toBeGreaterThan(100 * batched);
    const [a, b] = images.map(({ bytes, fatStart, rootStart }) => bytes.slice(fatStart, rootStart));
    expect(Buffer.compare(a, b)).toBe(0);
  });

  it('never takes a cluster that is marked, and keeps what is reserved in an entry', () => {
    const image = disk({ clusters: 12 });
    image.entry(5, 0x0ffffff7);
    image.entry(7, 0xf0000000); // free: the top four bits are no part of it
    image.entry(8, 0x0ffffff0);
    const { file, editor } = start({ policy: 'first-fit' }, image);
    expect(refusalOf(() => editor.preallocate(file, keepSize(0, 10 * 512)))).toBe('full');
    editor.preallocate(file, keepSize(0, 9 * 512));
    expect(piecesOf(image, file)).toEqual([
      [3, 4],
      [6, 7],
      [9, 13],
    ]);
    expect(image.view.getUint32(image.fatStart + 28, true)).toBe(0xf0000009);
    expect(image.view.getUint32(image.fatStart + 32, true)).toBe(0x0ffffff0);
    expect(image.view.getUint32(image.fatStart + 20, true)).toBe(0x0ffffff7);
  });
});

describe('a preallocation that makes the file longer', () => {
  it('zeroes what is added to it, also in clusters that it had', () => {
    const image = disk();
    image.fill(image.cluster(3), 512 * 20, 0x55);
    const { editor } = edit(image);
    const file = editor.createFile(0, 'file', {});
    editor.write(file, 0, Uint8Array.of(1, 2, 3));
    editor.preallocate(file, keepSize(0, 1024));
    const plan = editor.preallocate(file, { ...keepSize(1000, 1000), keepSize: false });
    expect(plan).toMatchObject({ allocatedUnits: 2, bytesZeroed: 1997 });
    expect(plan.notes.join()).toContain('zeros');
    expect([...contentOf(image, file)]).toEqual([1, 2, 3, ...new Array<number>(1997).fill(0)]);
  });

  it('does nothing within the size', () => {
    const image = disk();
    const { editor, bytes } = edit(image);
    const file = editor.createFile(0, 'file', {});
    editor.setSize(file, 3000);
    bytes.writes.length = 0;
    const plan = editor.preallocate(file, { ...keepSize(10, 2990), keepSize: false });
    expect(plan).toMatchObject({ extents: [], allocatedUnits: 0, metadataWrites: 0 });
    expect(bytes.writes).toEqual([]);
  });
});

describe('the size', () => {
  it('grows by zeros and falls with its clusters', () => {
    const image = disk();
    image.fill(image.cluster(3), 512 * 20, 0x55);
    const { editor } = edit(image);
    const file = editor.createFile(0, 'file', {});
    editor.setSize(file, 1500);
    expect(contentOf(image, file)).toEqual(new Uint8Array(1500));
    editor.write(file, 0, new Uint8Array(1500).fill(7));
    editor.setSize(file, 513);
    expect(piecesOf(image, file)).toEqual([[3, 4]]);
    editor.setSize(file, 1500);
    expect([...contentOf(image, file)]).toEqual(
      Array.from({ length: 1500 }, (_, i) => (i < 513 ? 7 : 0)),
    );
    editor.setSize(file, 0);
    editor.finish();
    expect(reopen(image).node(file)).toMatchObject({ size: 0, number: 0 });
    expect(storedFree(image)).toBe(2999);
  });

  it('that stays cuts what was kept beyond it', () => {
    const image = disk();
    const { editor } = edit(image);
    const file = editor.createFile(0, 'file', {});
    editor.preallocate(file, keepSize(0, 5000));
    editor.setSize(file, 0);
    expect(reopen(image).freeSpace().total).toBe(2999);
  });

  it.each([-1, 0.5, NaN, largestFile + 1, Infinity])('is never %d', (size) => {
    const { editor } = edit(disk());
    const file = editor.createFile(0, 'file', {});
    expect(refusalOf(() => editor.setSize(file, size))).toBe('usage');
    expect(refusalOf(() => editor.preallocate(file, keepSize(0, size)))).toBe('usage');
    expect(refusalOf(() => editor.write(file, size, Uint8Array.of(1)))).toBe('usage');
  });

  it('is that of a file alone', () => {
    const { editor } = edit(disk());
    const directory = editor.createDirectory(0, 'directory', {});
    for (const node of [0, directory]) {
      expect(refusalOf(() => editor.setSize(node, 0))).toBe('not-a-file');
      expect(refusalOf(() => editor.write(node, 0, Uint8Array.of(1)))).toBe('not-a-file');
      expect(refusalOf(() => editor.preallocate(node, keepSize(0, 1)))).toBe('not-a-file');
    }
  });
});

describe('bytes', () => {
  it('are written in one batch of clusters, with zeros before them', () => {
    const image = disk();
    image.fill(image.cluster(3), 512 * 20, 0x55);
    const { editor, bytes } = edit(image);
    const file = editor.createFile(0, 'file', {});
    editor.change(file, { clear: ['archive'] });
    bytes.writes.length = 0;
    editor.write(file, 1000, Uint8Array.of(1, 2, 3));
    expect(bytes.writes).toHaveLength(2 + 1 + 1); // both FATs, the bytes, the slot
    expect([...contentOf(image, file)]).toEqual([...new Array<number>(1000).fill(0), 1, 2, 3]);
    expect(reopen(image).node(file).attributes).toEqual(['archive']);
    editor.write(file, 2000, new Uint8Array(0));
    expect(reopen(image).node(file).size).toBe(1003);
  });

  it('go to the pieces that the file lies in', () => {
    const image = disk();
    occupy(image, 4, 6);
    image.chain(3, 5, 7, 8);
    image.slots(image.cluster(2), short('FILE       ', { cluster: 3, size: 2048 }));
    const { editor } = edit(image);
    const content = Uint8Array.from({ length: 1500 }, (_, i) => i % 251);
    editor.write(image.cluster(2), 300, content);
    expect(contentOf(image, image.cluster(2)).subarray(300, 1800)).toEqual(content);
    expect(image.view.getUint8(image.cluster(4))).toBe(0);
  });
});

describe('a broken chain', () => {
  const broken: [string, number, number, (image: FatImage) => void][] = [
    ['loops', 3, 100, (image) => image.chain(3, 4, 5, 4)],
    ['runs into a free cluster', 3, 100, (image) => image.entry(3, 9)],
    ['runs into a bad one', 3, 100, (image) => (image.entry(3, 9), image.entry(9, 0x0ffffff7))],
    ['leaves the volume', 3, 100, (image) => image.entry(3, 500_000)],
    ['is too short', 3, 600, (image) => image.chain(3)],
    ['starts nowhere', 0, 100, () => undefined],
    ['starts outside', 9999, 100, () => undefined],
  ];

  it.each(broken)('that %s is not changed', (_, cluster, size, prepare) => {
    const image = disk();
    prepare(image);
    image.slots(image.cluster(2), short('FILE       ', { cluster, size }));
    const before = image.bytes.slice();
    const { editor } = edit(image);
    const file = image.cluster(2);
    for (const change of [
      () => editor.preallocate(file, keepSize(0, 5000)),
      () => editor.setSize(file, 5000),
      () => editor.write(file, 700, Uint8Array.of(1)),
    ]) {
      expect(refusalOf(change)).toBe('corrupt');
    }
    expect(Buffer.compare(image.bytes, before)).toBe(0);
  });
});

describe('the hints of FSInfo', () => {
  const withFile = (free: number) => {
    const image = disk();
    image.fsInfo(free, 77);
    image.chain(3, 4, 5);
    image.slots(image.cluster(2), short('FILE       ', { cluster: 3, size: 1500 }));
    return image;
  };

  it.each([
    [1000, 1002],
    [0xffffffff, 0xffffffff], // nobody counted
    [2999, 2999], // more than there are: no number at all
  ])('say %i, and after two clusters were freed %i', (before, after) => {
    const image = withFile(before);
    const { editor } = edit(image);
    editor.setSize(image.cluster(2), 500);
    editor.finish();
    expect([storedFree(image), storedNext(image)]).toEqual([after, 77]);
  });

  it('stay where no cluster changes, and where there is no FSInfo', () => {
    const image = withFile(1234);
    const first = edit(image).editor;
    first.createFile(0, 'x', {});
    first.finish();
    expect(storedFree(image)).toBe(1234);
    image.view.setUint32(512, 0, true); // the signature
    const before = image.bytes.slice(512, 1024);
    const { editor } = edit(image);
    editor.setSize(image.cluster(2), 0);
    editor.finish();
    expect(Buffer.compare(image.bytes.slice(512, 1024), before)).toBe(0);
  });
});

it('keeps clusters of directories out of files', () => {
  const image = disk();
  image.chain(3);
  image.slots(image.cluster(2), short('DIR        ', { attributes: 0x10, cluster: 3 }));
  image.slots(image.cluster(3), ...dots(3, 0));
  const { editor } = edit(image);
  const files = [0, image.cluster(2)].map((parent) => editor.createFile(parent, 'file', {}));
  for (const file of files) editor.write(file, 0, new Uint8Array(2000).fill(1));
  const pieces = files.flatMap((file) => piecesOf(image, file));
  expect(pieces).toEqual([
    [4, 7],
    [8, 11],
  ]);
});
