import { describe, expect, it } from 'vitest';
import { directoryMode, fileMode, HandMade, namesOf, pointers } from './support/hand-made';

function withDirectory(blocks: number, fields: object = {}): { image: HandMade; at: number[] } {
  const image = new HandMade();
  const at = Array.from({ length: blocks }, () => image.take());
  image.setInode(12, {
    i_mode: directoryMode,
    i_size_lo: blocks * 1024,
    i_block: pointers(at),
    ...fields,
  });
  return { image, at };
}

describe('the entries of a directory', () => {
  it('are those of all its blocks, without . and ..', () => {
    const { image, at } = withDirectory(2);
    image.setRecords(at[0], [
      { inode: 12, name: '.', type: 2 },
      { inode: 2, name: '..', type: 2 },
      { inode: 13, name: 'one', type: 1 },
    ]);
    image.setRecords(at[1], [{ inode: 14, name: 'two', type: 7 }]);
    const table = image.open().entries(12);
    expect(namesOf(image.open(), 12)).toEqual(['one', 'two']);
    expect([...table.nodes]).toEqual([13, 14]);
    expect([table.type(0), table.type(1)]).toEqual(['file', 'symlink']);
    expect(table.offsets[1]).toBe(at[1] * 1024);
  });

  it('are refused for what is no directory', () => {
    const image = new HandMade();
    image.setInode(12, { i_mode: fileMode });
    expect(() => image.open().entries(12)).toThrow('Inode 12 is not a directory.');
  });

  it('keep bytes that are no text', () => {
    const image = new HandMade();
    const name = Uint8Array.of(0xff, 0x41, 0x80);
    image.setRecords(image.rootBlock, image.rootRecords({ inode: 12, name }));
    expect(image.open().entries(2).nameHex(0)).toBe('ff4180');
  });

  it('take their type from the inode where records have none', () => {
    const image = new HandMade({ superblock: { s_feature_incompat: 0 } });
    image.setInode(12, { i_mode: 0o10644 });
    const records = image.rootRecords({ inode: 12, name: 'pipe', type: 0 });
    image.setRecords(
      image.rootBlock,
      records.map((record) => ({ ...record, type: 0 })),
    );
    expect(image.open().entries(2).type(0)).toBe('fifo');
  });

  it('end at the size of the directory', () => {
    const { image, at } = withDirectory(3, { i_size_lo: 2048 });
    at.forEach((block, i) => image.setRecords(block, [{ inode: 13, name: `${i}` }]));
    expect(namesOf(image.open(), 12)).toEqual(['0', '1']);
  });

  it('go on after a hole and after a broken block', () => {
    const { image, at } = withDirectory(4);
    image.setInode(12, { i_block: pointers([at[0], 0, at[2], at[3]]) });
    image.setRecords(at[0], [{ inode: 13, name: 'before' }]);
    image.setRecords(at[2], [{ inode: 13, name: 'broken', recLen: 7 }]);
    image.setRecords(at[3], [{ inode: 13, name: 'after' }]);
    expect(namesOf(image.open(), 12)).toEqual(['before', 'after']);
    const [problem] = image.open().entries(12).problems;
    expect(problem).toMatchObject({ code: 'directory-record', offset: at[2] * 1024, inode: 12 });
  });

  it('are read once where a block is in the directory twice', () => {
    const { image, at } = withDirectory(1);
    image.setRecords(at[0], [{ inode: 13, name: 'once' }]);
    image.setInode(12, { i_size_lo: 2048, i_block: pointers([at[0], at[0]]) });
    const table = image.open().entries(12);
    expect(table.length).toBe(1);
    expect(table.problems[0].code).toBe('directory-block-repeated');
  });

  it('include deleted ones only when asked for', () => {
    const image = new HandMade();
    const records = image.rootRecords({ inode: 12, name: 'kept' }, { inode: 13, name: 'gone' });
    image.setRecords(image.rootBlock, records);
    image.view.setUint16(image.rootBlock * 1024 + 24 + 4, 1000, true);
    expect(namesOf(image.open(), 2)).toEqual(['kept']);
    expect(namesOf(image.open(), 2, true)).toEqual(['kept', 'gone']);
    expect(image.open().entries(2, { deleted: true }).isDeleted(1)).toBe(true);
  });
});

it('lists a name whose record only lost its inode as deleted, when asked for', () => {
  const { image, at } = withDirectory(1);
  image.setRecords(at[0], [
    { inode: 0, name: 'gone' },
    { inode: 13, name: 'kept' },
  ]);
  expect(namesOf(image.open(), 12)).toEqual(['kept']);
  expect(namesOf(image.open(), 12, true)).toEqual(['gone', 'kept']);
});

describe('a directory kept in its inode', () => {
  it('has a parent, then records that end with it', () => {
    const image = new HandMade({ inodeSize: 256, superblock: { s_feature_incompat: 0x8002 } });
    const raw = new Uint8Array(60);
    const view = new DataView(raw.buffer);
    view.setUint32(0, 2, true);
    view.setUint32(4, 14, true);
    view.setUint16(8, 56, true);
    raw.set([3, 1, 0x61, 0x62, 0x63], 10);
    image.setInode(12, {
      i_mode: directoryMode,
      i_flags: 0x10000000,
      i_size_lo: 60,
      i_block: raw,
    });
    const table = image.open().entries(12);
    expect([table.name(0), table.nodes[0], table.length]).toEqual(['abc', 14, 1]);
    expect(table.problems).toEqual([]);
    expect(table.offsets[0]).toBe(image.inodeAt(12) + 40 + 4);
  });
});

describe('an indexed directory', () => {
  const indexed = { i_flags: 0x1000 };

  function withIndex(rootEntry: number): HandMade {
    const { image, at } = withDirectory(2, indexed);
    image.setSuperblock({ s_feature_compat: 0x20 });
    image.setRecords(at[0], [
      { inode: 12, name: '.', type: 2 },
      { inode: 2, name: '..', type: 2 },
    ]);
    const info = at[0] * 1024 + 24;
    image.bytes.set([0, 0, 0, 0, 1, 8, 0, 0], info);
    image.view.setUint16(info + 8, 123, true); // limit
    image.view.setUint16(info + 10, 1, true); // count
    image.view.setUint32(info + 12, rootEntry, true);
    image.setRecords(at[1], [{ inode: 13, name: 'a leaf' }]);
    return image;
  }

  it('is read through its records', () => {
    expect(namesOf(withIndex(1).open(), 12, true)).toEqual(['a leaf']);
  });

  it('is read the same with an index that leads nowhere', () => {
    expect(namesOf(withIndex(77).open(), 12)).toEqual(['a leaf']);
  });

  it('is told to have no root where it claims one', () => {
    const { image, at } = withDirectory(1, indexed);
    image.setSuperblock({ s_feature_compat: 0x20 });
    image.setRecords(at[0], [{ inode: 13, name: 'linear' }]);
    const table = image.open().entries(12);
    expect(table.name(0)).toBe('linear');
    expect(table.problems[0].code).toBe('directory-index');
  });
});
