import { describe, expect, it } from 'vitest';
import {
  directoryMode,
  fileMode,
  HandMade,
  pointers,
  symlinkMode,
  contentOf,
  type InodeFields,
  type Layout,
} from './support/hand-made';

function nodeOf(fields: InodeFields, layout: Layout = {}) {
  const image = new HandMade(layout);
  image.setInode(12, { i_mode: fileMode, i_links_count: 1, ...fields });
  return image.open().node(12);
}

describe('an inode', () => {
  it('of a group is found by its number, in inodes of any size', () => {
    for (const inodeSize of [128, 256, 512, 1024]) {
      const image = new HandMade({ inodeSize });
      image.setInode(17, { i_mode: fileMode, i_size_lo: inodeSize });
      const node = image.open().node(17);
      expect(node).toMatchObject({ number: 17, size: inodeSize, offset: 5120 + 16 * inodeSize });
    }
  });

  it('is refused with a number that none can have', () => {
    const fileSystem = new HandMade().open();
    for (const id of [0, -1, 33, 1.5, NaN, 2 ** 40]) {
      expect(() => fileSystem.node(id)).toThrow(/no inode/);
    }
  });

  it('is refused where its table lies outside of the volume', () => {
    const image = new HandMade();
    image.setDescriptor(0, { bg_inode_table_lo: 61 });
    expect(() => image.open().node(12)).toThrow(/inode table of group 0 .* block 61/);
  });

  it('has a size of 64 bits when it is a file, of 32 else', () => {
    expect(nodeOf({ i_size_lo: 5, i_size_high: 2 }).size).toBe(2 * 2 ** 32 + 5);
    expect(nodeOf({ i_mode: directoryMode, i_size_lo: 5, i_size_high: 2 }).size).toBe(5);
  });

  it('of more than 2^53 bytes has no content', () => {
    const image = new HandMade();
    image.setInode(12, { i_mode: fileMode, i_size_high: 0x200000, i_size_lo: 1 });
    expect(() => image.open().content(12)).toThrow(/more than 2\^53 bytes/);
  });

  it('puts user and group together from two halves', () => {
    const halves = { i_uid: 1, i_uid_high: 2, i_gid: 3, i_gid_high: 0xffff };
    expect(nodeOf(halves)).toMatchObject({ uid: 0x20001, gid: 0xffff0003 });
  });

  it('has the type that its mode says', () => {
    const types = [0x1, 0x2, 0x4, 0x6, 0x8, 0xa, 0xc, 0x0, 0xf].map(
      (type) => nodeOf({ i_mode: (type << 12) | 0o644 }).type,
    );
    expect(types).toEqual([
      ...['fifo', 'chardev', 'directory', 'blockdev', 'file', 'symlink', 'socket'],
      ...['unknown', 'unknown'],
    ]);
  });

  it('keeps a device in 16 bits or in 32', () => {
    const device = (blocks: number[]) =>
      nodeOf({ i_mode: 0o60600, i_block: pointers(blocks) }).device;
    expect(device([0x0803, 0])).toEqual({ major: 8, minor: 3 });
    expect(device([0, 0x111ff7a6])).toEqual({ major: 0xff7, minor: 0x111a6 });
  });

  it('names its flags', () => {
    expect(nodeOf({ i_flags: 0x80000 | 0x10 | 0x40 }).attributes).toEqual([
      'immutable',
      'no-dump',
      'extents',
    ]);
  });

  it('tells when it was deleted once no name leads to it', () => {
    expect(nodeOf({ i_dtime: 77, i_links_count: 0 }).deleted?.seconds).toBe(77);
    expect(nodeOf({ i_dtime: 77 }).deleted).toBeUndefined();
  });
});

describe('the times of an inode', () => {
  const large = { inodeSize: 256 };

  it('are signed seconds in inodes of 128 bytes', () => {
    const node = nodeOf({ i_mtime: 0xffffffff, i_atime: 0x7fffffff });
    expect(node.modified).toEqual({ seconds: -1, nanoseconds: 0 });
    expect(node.accessed?.seconds).toBe(0x7fffffff);
    expect(node.created).toBeUndefined();
  });

  it('carry two epoch bits and nanoseconds in large inodes', () => {
    const extra = (epoch: number, nanoseconds: number) => nanoseconds * 4 + epoch;
    const node = nodeOf(
      {
        i_extra_isize: 32,
        i_mtime: 0x80000000,
        i_mtime_extra: extra(1, 999_999_999),
        i_ctime: 5,
        i_ctime_extra: extra(3, 1),
        i_atime: 0x80000000,
        i_atime_extra: extra(0, 2),
        i_crtime: 6,
        i_crtime_extra: extra(0, 3),
      },
      large,
    );
    expect(node.modified).toEqual({ seconds: 2 ** 31, nanoseconds: 999_999_999 });
    expect(node.changed).toEqual({ seconds: 3 * 2 ** 32 + 5, nanoseconds: 1 });
    expect(node.accessed).toEqual({ seconds: -(2 ** 31), nanoseconds: 2 });
    expect(node.created).toEqual({ seconds: 6, nanoseconds: 3 });
  });

  it('end where the inode says its extra part does', () => {
    const fields = { i_mtime: 1, i_mtime_extra: 0xffffffff, i_crtime: 9 };
    const node = nodeOf({ ...fields, i_extra_isize: 4 }, large);
    expect(node.modified).toEqual({ seconds: 1, nanoseconds: 0 });
    expect(node.created).toBeUndefined();
  });

  it('have no more nanoseconds than a second has', () => {
    const fields = { i_extra_isize: 32, i_mtime: 1, i_mtime_extra: 0xfffffffc };
    expect(nodeOf(fields, large).modified).toEqual({ seconds: 1, nanoseconds: 0 });
  });
});

describe('what an inode occupies', () => {
  const hugeFile = { superblock: { s_feature_ro_compat: 8 } };
  const allocated = (fields: InodeFields, layout: Layout = {}) => {
    const image = new HandMade(layout);
    image.setInode(12, { i_mode: fileMode, ...fields });
    return image.open().content(12).allocated;
  };

  it('is counted in units of 512 bytes, in 32 bits', () => {
    expect(allocated({ i_blocks_lo: 6, i_blocks_high: 1 })).toBe(3072);
  });

  it('has 48 bits with huge_file, and counts blocks where the inode says so', () => {
    const fields = { i_blocks_lo: 6, i_blocks_high: 1 };
    expect(allocated(fields, hugeFile)).toBe((2 ** 32 + 6) * 512);
    expect(allocated({ ...fields, i_flags: 0x40000 }, hugeFile)).toBe((2 ** 32 + 6) * 1024);
  });
});

describe('a symlink', () => {
  const target = (text: string, fields: InodeFields, layout: Layout = {}) => {
    const image = new HandMade(layout);
    const raw = new Uint8Array(60);
    raw.set(new TextEncoder().encode(text));
    image.setInode(12, {
      i_mode: symlinkMode,
      i_size_lo: text.length,
      i_block: raw,
      ...fields,
    });
    return new TextDecoder().decode(contentOf(image.open(), 12));
  };

  it('keeps a short target in the inode', () => {
    expect(target('to/here', {})).toBe('to/here');
    expect(target('x'.repeat(59), {})).toBe('x'.repeat(59));
  });

  it('keeps it there beside a block of attributes, also in clusters', () => {
    expect(target('to/here', { i_file_acl_lo: 50, i_blocks_lo: 2 })).toBe('to/here');
    const superblock = {
      s_first_data_block: 0,
      s_log_cluster_size: 3,
      s_feature_ro_compat: 0x200,
    };
    const fields = { i_file_acl_lo: 50, i_blocks_lo: 16 };
    expect(target('to/here', fields, { superblock })).toBe('to/here');
  });

  it('keeps a target in a block of its own when it occupies one', () => {
    const image = new HandMade();
    const block = image.take();
    image.block(block).set(new TextEncoder().encode('elsewhere'));
    image.setInode(12, {
      i_mode: symlinkMode,
      i_size_lo: 9,
      i_blocks_lo: 2,
      i_block: pointers([block]),
    });
    expect(new TextDecoder().decode(contentOf(image.open(), 12))).toBe('elsewhere');
  });
});
