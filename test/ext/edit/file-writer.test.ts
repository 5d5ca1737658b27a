import { describe, expect, it } from 'vitest';
import { FileWriter, releaseContent } from '../../../src/ext/edit/file-writer';
import { largestByPointers } from '../../../src/ext/edit/largest-content';
import { sameBytes } from '../../../src/ext/record-writer';
import { fileMode, HandMade, pointers, symlinkMode, type InodeFields } from '../support/hand-made';
import { contextOf, edit } from './support/edit';

const inode = 12;

/** A volume of 1,000 blocks of 1 KiB with one file, without content if none is given. */
function withFile(fields: InodeFields = {}): HandMade {
  const image = new HandMade({ blocks: 1000, superblock: { s_free_blocks_count_lo: 990 } });
  image.setDescriptor(0, { bg_free_blocks_count_lo: 990 });
  image.setInode(inode, { i_mode: fileMode, i_links_count: 1, ...fields });
  return image;
}

const writerOf = (image: HandMade) => new FileWriter(contextOf(image), inode);
const request = { offset: 0, length: 300 * 1024, keepSize: false, zero: true };

function extentsOf(image: HandMade): [logical: number, length: number][] {
  return image
    .open()
    .content(inode)
    .extents.map(({ logical, length }) => [logical, length]);
}

describe('preallocating', () => {
  it('tells what it takes: content in one piece, and pointers beside it', () => {
    const image = withFile();
    image.bytes.fill(0xee, image.next * 1024);
    const plan = edit(image, (context) => new FileWriter(context, inode).preallocate(request));
    expect(plan).toEqual({
      extents: [{ logical: 0, physical: image.next, length: 300 }],
      fragments: 1,
      allocatedUnits: 303, // a block of pointers, and one that leads to another one
      metadataWrites: 7, // those, the inode, the bitmap, the descriptor and the superblock
      bytesZeroed: 300 * 1024,
      notes: ['For a file this small it is simpler to write zeros than to preallocate.'],
    });
    const content = image.open().content(inode);
    expect(content.problems).toEqual([]);
    expect(content.extents).toEqual(plan.extents);
    expect(content.allocated).toBe(303 * 1024);
    expect(image.open().facts.freeBlocks).toBe(990 - 303);
  });

  it('fills holes only, and leaves the size where the range ends before it', () => {
    const image = withFile({ i_size_lo: 20_000 });
    edit(image, (context) =>
      new FileWriter(context, inode).write(3000, new Uint8Array(2000).fill(7)),
    );
    const plan = edit(image, (context) =>
      new FileWriter(context, inode).preallocate({ ...request, offset: 1500, length: 6000 }),
    );
    expect(plan.extents.map(({ logical, length }) => [logical, length])).toEqual([
      [1, 1],
      [5, 3],
    ]);
    expect(image.open().node(inode).size).toBe(20_000);
  });

  it('does nothing where there is nothing to do', () => {
    const image = withFile();
    edit(image, (context) => new FileWriter(context, inode).preallocate(request));
    const before = image.bytes.slice();
    const plan = edit(image, (context) => new FileWriter(context, inode).preallocate(request));
    expect(plan).toMatchObject({ extents: [], allocatedUnits: 0, metadataWrites: 0, fragments: 1 });
    expect(sameBytes(image.bytes, before)).toBe(true);
  });

  it('refuses what the format cannot do, and what is not there', () => {
    const writer = writerOf(withFile());
    expect(() => writer.preallocate({ ...request, keepSize: true })).toThrow('Without extents');
    expect(() => writer.preallocate({ ...request, length: 0 })).toThrow('at least one byte');
    expect(() => writer.preallocate({ ...request, length: 2 ** 20 })).toThrow('The volume is full');
    expect(() => writer.preallocate({ ...request, length: 2 ** 44 })).toThrow('17247252480 bytes');
  });
});

describe('writing', () => {
  it('stays in one piece where content is added bit by bit', () => {
    const image = withFile();
    for (let block = 0; block < 300; block++) {
      edit(image, (context) => {
        new FileWriter(context, inode).write(1024 * block, new Uint8Array(1024).fill(1));
      });
    }
    expect(extentsOf(image)).toEqual([[0, 300]]);
  });

  it('leaves holes where only zeros are written, and nowhere else', () => {
    const image = withFile();
    const bytes = new Uint8Array(6 * 1024);
    bytes[1024] = 1;
    bytes[4 * 1024 - 1] = 1;
    const write = () => edit(image, (context) => new FileWriter(context, inode).write(0, bytes));
    write();
    expect(extentsOf(image)).toEqual([
      [1, 1],
      [3, 1],
    ]);
    bytes.fill(0);
    write();
    expect(extentsOf(image)).toHaveLength(2);
    expect(image.open().node(inode).size).toBe(6 * 1024);
  });

  it('does not show what lay behind the end', () => {
    const image = withFile();
    const block = image.take();
    image.usedUpTo(image.next);
    image.bytes.fill(0xee, block * 1024, (block + 1) * 1024);
    image.setInode(inode, { i_size_lo: 10, i_blocks_lo: 2, i_block: pointers([block]) });
    edit(image, (context) => new FileWriter(context, inode).write(100, Uint8Array.of(1)));
    const content = new Uint8Array(101);
    image.open().content(inode).read(0, content);
    expect([...content]).toEqual([
      ...Array<number>(10).fill(0xee),
      ...Array<number>(90).fill(0),
      1,
    ]);
  });
});

describe('a map of blocks that makes no sense', () => {
  const cases: [string, number[], string][] = [
    ['leads out of the volume', [1000], 'outside of the volume'],
    ['leads to metadata', [1], 'uses metadata of the volume from block 1 on'],
    ['leads to one block twice', [500, 501, 500], 'uses block 500 more than once'],
    [
      'has pointers among content',
      [500, ...Array<number>(11).fill(0), 500],
      'block 500 more than once',
    ],
  ];

  it.each(cases)('that %s is not changed', (_title, blocks, message) => {
    const image = withFile({ i_size_lo: 20_000, i_block: pointers(blocks) });
    expect(() => writerOf(image)).toThrow(message);
    expect(() => releaseContent(contextOf(image), inode)).toThrow(message);
  });
});

describe('allocating blocks', () => {
  it('gives away no metadata that the bitmap calls free', () => {
    const image = withFile();
    image.usedUpTo(0);
    const context = contextOf(image);
    const { data } = context.blocks.allocate({ data: 500, pointers: 0, inode });
    for (const { start, length } of data)
      expect(context.metadata().overlaps(start, length)).toBe(false);
    expect(() => context.blocks.allocate({ data: 492, pointers: 0, inode })).toThrow('is full');
  });

  it('refuses descriptors that contradict each other', () => {
    const image = withFile();
    image.setDescriptor(0, { bg_inode_bitmap_lo: 3 });
    expect(() => writerOf(image).write(0, Uint8Array.of(1))).toThrow('contradict each other');
  });
});

describe('giving back content', () => {
  it('leaves alone what is no block', () => {
    const target = pointers([500, 501]);
    const image = withFile({ i_mode: symlinkMode, i_size_lo: 8, i_block: target });
    const before = image.bytes.slice();
    edit(image, (context) => releaseContent(context, inode));
    expect(sameBytes(image.bytes, before)).toBe(true);
  });
});

it('knows how long content can be', () => {
  const reach = (blockSize: number) => {
    const fanOut = blockSize / 4;
    return 12 + fanOut + fanOut ** 2 + fanOut ** 3;
  };
  const longest = (blockSize: number) => largestByPointers(blockSize, reach(blockSize), 'file');
  expect(longest(1024)).toBe(17_247_252_480);
  expect(longest(2048)).toBe(275_415_851_008);
  expect(longest(4096)).toBe(2_196_873_666_560);
  expect(largestByPointers(4096, reach(4096), 'directory')).toBe(2 ** 31 - 4096);
});
