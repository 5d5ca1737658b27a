import { describe, expect, it } from 'vitest';
import type { Extent } from '../../src/filesystem/extents';
import {
  contentOf,
  extentIndexes,
  extentLeaves,
  extentsFlag,
  fileMode,
  HandMade,
  pointers,
} from './support/hand-made';

const unwritten = 32768;

function withPointers(image: HandMade, blocks: readonly number[], size: number): HandMade {
  image.setInode(12, { i_mode: fileMode, i_size_lo: size, i_block: pointers(blocks) });
  return image;
}

function setPointers(image: HandMade, block: number, entries: Record<number, number>): void {
  const view = new DataView(image.bytes.buffer, block * image.blockSize);
  for (const [i, pointer] of Object.entries(entries)) view.setUint32(4 * Number(i), pointer, true);
}

function codesOf(image: HandMade): string[] {
  return image
    .open()
    .content(12)
    .problems.map(({ code }) => code);
}

const extentsOf = (image: HandMade): readonly Extent[] => image.open().content(12).extents;

describe('block pointers', () => {
  it('leave holes where they are zero, at any level', () => {
    const image = new HandMade({ blocks: 128 });
    // 256 pointers in a block; a hole at each level before and after what is there.
    setPointers(image, 40, { 3: 60 });
    setPointers(image, 41, { 2: 42 });
    setPointers(image, 42, { 5: 61 });
    setPointers(image, 43, { 1: 44 });
    setPointers(image, 44, { 7: 45 });
    setPointers(image, 45, { 255: 62 });
    const direct = [0, 59, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    withPointers(image, [...direct, 40, 41, 43], 2 ** 30);
    const level2 = 12 + 256;
    const level3 = level2 + 256 ** 2;
    expect(extentsOf(image)).toEqual([
      { logical: 1, physical: 59, length: 1 },
      { logical: 12 + 3, physical: 60, length: 1 },
      { logical: level2 + 2 * 256 + 5, physical: 61, length: 1 },
      { logical: level3 + 1 * 256 ** 2 + 7 * 256 + 255, physical: 62, length: 1 },
    ]);
    expect(codesOf(image)).toEqual([]);
  });

  it('say so where the image ends before a block does', () => {
    const image = withPointers(new HandMade(), [30, 0, 50, 51], 4096);
    expect(image.open(51 * 1024).content(12).problems).toMatchObject([
      { code: 'content-beyond-image', severity: 'error', offset: 51 * 1024 },
    ]);
    expect(codesOf(image)).toEqual([]);
  });

  it('read as their blocks, and holes as zeros', () => {
    const image = new HandMade();
    image.block(50).fill(7);
    image.block(51).fill(8);
    const content = contentOf(withPointers(image, [50, 0, 51], 2500).open(), 12);
    expect(content.length).toBe(2500);
    expect([content[0], content[1023], content[1024], content[2047]]).toEqual([7, 7, 0, 0]);
    expect([content[2048], content[2499]]).toEqual([8, 8]);
  });

  it('are joined where they continue', () => {
    const image = withPointers(new HandMade(), [50, 51, 52, 40], 4096);
    expect(extentsOf(image)).toEqual([
      { logical: 0, physical: 50, length: 3 },
      { logical: 3, physical: 40, length: 1 },
    ]);
  });

  it('that leave the volume are told and skipped', () => {
    const image = withPointers(new HandMade(), [50, 64, 0xffffffff, 51], 4096);
    expect(extentsOf(image).map(({ logical }) => logical)).toEqual([0, 3]);
    const { problems } = image.open().content(12);
    expect(problems.map(({ code }) => code)).toEqual(['block-out-of-range', 'block-out-of-range']);
    expect(problems[0]).toMatchObject({ offset: image.inodeAt(12) + 40 + 4, length: 4, inode: 12 });
  });

  it('lead into no block of pointers twice', () => {
    const image = new HandMade();
    const everywhere = Object.fromEntries(Array.from({ length: 256 }, (_, i) => [i, 40]));
    setPointers(image, 40, everywhere);
    withPointers(image, [...Array<number>(12).fill(0), 0, 0, 40], 2 ** 30);
    expect(codesOf(image)).toContain('indirect-block-repeated');
    expect(codesOf(image).length).toBeLessThan(300);
  });
});

describe('an extent tree', () => {
  const withTree = (root: Uint8Array, size = 1 << 20, image = new HandMade({ blocks: 256 })) => {
    image.setInode(12, {
      i_mode: fileMode,
      i_flags: extentsFlag,
      i_size_lo: size,
      i_block: root,
    });
    return image;
  };

  it('tells unwritten extents by a length above 32768, which read as zeros', () => {
    const image = withTree(
      extentLeaves([
        { logical: 0, physical: 100, length: 2 },
        { logical: 2, physical: 102, length: unwritten + 3 },
      ]),
      5 * 1024,
    );
    image.block(101).fill(1);
    image.block(102).fill(2);
    expect(extentsOf(image)).toEqual([
      { logical: 0, physical: 100, length: 2 },
      { logical: 2, physical: 102, length: 3, unwritten: true },
    ]);
    const content = contentOf(image.open(), 12);
    expect([content[2047], content[2048], content.length]).toEqual([1, 0, 5120]);
  });

  it('tells an extent of 32768 blocks as a written one', () => {
    const image = new HandMade({ blocks: 33_000, blockSize: 1024 });
    withTree(extentLeaves([{ logical: 0, physical: 100, length: 32768 }]), 1024, image);
    expect(extentsOf(image)).toEqual([{ logical: 0, physical: 100, length: 32768 }]);
  });

  it('of several levels is followed in order', () => {
    const image = withTree(
      extentIndexes(
        [
          [0, 80],
          [500, 81],
        ],
        2,
      ),
    );
    image.block(80).set(extentIndexes([[0, 82]], 1, 1024));
    image.block(81).set(extentIndexes([[500, 83]], 1, 1024));
    image.block(82).set(extentLeaves([{ logical: 4, physical: 90, length: 2 }], 1024));
    image.block(83).set(extentLeaves([{ logical: 600, physical: 95, length: 1 }], 1024));
    expect(extentsOf(image)).toEqual([
      { logical: 4, physical: 90, length: 2 },
      { logical: 600, physical: 95, length: 1 },
    ]);
    expect(codesOf(image)).toEqual([]);
  });

  it('keeps what is in order of what is not', () => {
    const image = withTree(
      extentLeaves([
        { logical: 10, physical: 100, length: 5 },
        { logical: 0, physical: 110, length: 2 },
        { logical: 12, physical: 120, length: 5 },
      ]),
    );
    expect(codesOf(image)).toEqual(['extent-order', 'extent-order']);
    expect(extentsOf(image)).toEqual([
      { logical: 0, physical: 110, length: 2 },
      { logical: 10, physical: 100, length: 5 },
    ]);
  });

  it.each([
    ['leaves the volume', [{ logical: 0, physical: 250, length: 7 }], 'extent-out-of-range'],
    ['lies before it', [{ logical: 0, physical: 0, length: 1 }], 'extent-out-of-range'],
    ['has no length', [{ logical: 0, physical: 100, length: 0 }], 'extent-empty'],
  ])('tells and skips an extent that %s', (_, extents, code) => {
    const image = withTree(extentLeaves(extents));
    expect(codesOf(image)).toEqual([code]);
    expect(extentsOf(image)).toEqual([]);
  });

  it('tells an extent that is not below its index', () => {
    const image = withTree(
      extentIndexes(
        [
          [10, 80],
          [20, 81],
        ],
        1,
      ),
    );
    image.block(80).set(extentLeaves([{ logical: 15, physical: 90, length: 9 }], 1024));
    image.block(81).set(extentLeaves([{ logical: 30, physical: 99, length: 1 }], 1024));
    expect(codesOf(image)).toEqual(['extent-outside-node']);
  });

  it.each([
    ['a bad magic number', (root: Uint8Array) => (root[0] = 0)],
    ['more entries than room', (root: Uint8Array) => (root[2] = 200)],
    ['more room than there is', (root: Uint8Array) => (root[4] = 5)],
    ['too many levels', (root: Uint8Array) => (root[6] = 33)],
  ])('tells a node with %s', (_, spoil) => {
    const root = extentLeaves([{ logical: 0, physical: 100, length: 1 }]);
    spoil(root);
    expect(codesOf(withTree(root))[0]).toBe('extent-header');
  });

  it('tells a node that is not of the depth its parent says', () => {
    const image = withTree(extentIndexes([[0, 80]], 2));
    image.block(80).set(extentLeaves([{ logical: 0, physical: 100, length: 1 }], 1024));
    expect(codesOf(image)).toEqual(['extent-header']);
    expect(extentsOf(image)).toEqual([]);
  });

  it('follows no node twice, in a circle or side by side', () => {
    const image = withTree(
      extentIndexes(
        [
          [0, 80],
          [5, 80],
        ],
        3,
      ),
    );
    image.block(80).set(extentIndexes([[0, 80]], 2, 1024));
    expect(codesOf(image)).toEqual(['extent-node-repeated', 'extent-node-repeated']);
  });

  it('that is deeper than Linux allows is followed, and told', () => {
    const image = withTree(extentIndexes([[0, 80]], 6));
    for (let depth = 5; depth > 0; depth--) {
      image.block(85 - depth).set(extentIndexes([[0, 86 - depth]], depth, 1024));
    }
    image.block(85).set(extentLeaves([{ logical: 0, physical: 100, length: 1 }], 1024));
    expect(extentsOf(image)).toHaveLength(1);
    const [problem] = image.open().content(12).problems;
    expect(problem).toMatchObject({ code: 'extent-tree-deep', severity: 'warning' });
  });

  it('has physical block numbers of 48 bits', () => {
    const root = extentLeaves([{ logical: 0, physical: 100, length: 1 }]);
    root[12 + 6] = 1;
    const image = withTree(root);
    expect(image.open().content(12).problems[0].message).toContain(`${2 ** 32 + 100}`);
  });
});

describe('content kept in the inode', () => {
  const inlineFlag = 0x10000000;

  /** `system.data` in the room of a 256-byte inode past its fields. */
  function withInline(size: number, rest: Uint8Array): HandMade {
    const image = new HandMade({ inodeSize: 256, superblock: { s_feature_incompat: 0x8002 } });
    image.setInode(12, {
      i_mode: fileMode,
      i_flags: inlineFlag,
      i_size_lo: size,
      i_extra_isize: 32,
      i_block: new Uint8Array(60).fill(1),
    });
    const at = image.inodeAt(12) + 160;
    const { view } = image;
    view.setUint32(at, 0xea020000, true);
    image.bytes.set([4, 7], at + 4);
    view.setUint16(at + 6, 92 - rest.length, true); // counted from the first entry
    view.setUint32(at + 12, rest.length, true);
    image.bytes.set(new TextEncoder().encode('data'), at + 20);
    image.bytes.set(rest, at + 4 + 92 - rest.length);
    return image;
  }

  it('goes on in the attribute system.data after 60 bytes', () => {
    const content = contentOf(withInline(70, new Uint8Array(10).fill(2)).open(), 12);
    expect([...content]).toEqual([...Array<number>(60).fill(1), ...Array<number>(10).fill(2)]);
  });

  it('ends where its size does', () => {
    const fileSystem = withInline(7, new Uint8Array(0)).open();
    expect([...contentOf(fileSystem, 12)]).toEqual(Array(7).fill(1));
    expect(fileSystem.content(12).extents).toEqual([]);
  });

  it('is prolonged by zeros where the file only grew', () => {
    const content = withInline(5_000_000_000 % 2 ** 32, new Uint8Array(4).fill(2))
      .open()
      .content(12);
    const part = new Uint8Array(8).fill(9);
    expect(content.read(60, part)).toBe(8);
    expect([...part]).toEqual([2, 2, 2, 2, 0, 0, 0, 0]);
    expect(content.read(content.size - 3, part)).toBe(3);
  });

  it('is told where its attribute runs past the inode', () => {
    const image = withInline(70, new Uint8Array(10));
    image.view.setUint32(image.inodeAt(12) + 160 + 12, 1000, true);
    expect(codesOf(image)).toEqual(['attribute-broken']);
  });
});
