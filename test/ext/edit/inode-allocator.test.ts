import { describe, expect, it } from 'vitest';
import { setInodeTime } from '../../../src/ext/edit/inode-times';
import { HandMade, type Layout } from '../support/hand-made';
import { contextOf, edit, now } from './support/edit';

const counted: Layout = {
  inodeSize: 256,
  superblock: { s_free_blocks_count_lo: 50, s_free_inodes_count: 21 },
};

function withInodes(layout: Layout = counted): HandMade {
  const image = new HandMade(layout);
  image.setDescriptor(0, {
    bg_free_blocks_count_lo: 50,
    bg_free_inodes_count_lo: 21,
    bg_used_dirs_count_lo: 1,
  });
  return image;
}

const file = { mode: 0o100640, uid: 70_000, gid: 5, links: 1 };
const countsOf = (image: HandMade) => contextOf(image).volume.groups.counts(0);

describe('a new inode', () => {
  it('is the first that is not reserved, and holds nothing of the one before it', () => {
    const image = withInodes();
    image.setInode(12, { i_generation: 41, i_dtime: 9, i_size_lo: 77, i_flags: 0x80000 });
    const number = edit(image, ({ inodes }) => inodes.create(2, file));
    expect(number).toBe(12);
    expect(image.open().node(12)).toMatchObject({
      type: 'file',
      size: 0,
      mode: 0o100640,
      uid: 70_000,
      gid: 5,
      links: 1,
      modified: now,
      accessed: now,
      changed: now,
      created: now,
      attributes: [],
    });
    expect(image.view.getUint32(image.inodeAt(12) + 0x64, true)).toBe(42);
    expect(image.view.getUint32(image.inodeAt(12) + 0x14, true)).toBe(0);
    expect(image.open().facts.freeInodes).toBe(20);
    expect(countsOf(image)).toEqual({
      freeBlocks: 50,
      freeInodes: 20,
      directories: 1,
      unusedInodes: 0,
    });
  });

  it('takes over what its directory hands down', () => {
    const image = withInodes();
    image.setInode(2, { i_flags: 0x40 | 0x10000 | 0x10 | 0x1000 });
    const [made, directory, pipe] = edit(image, ({ inodes }) => [
      inodes.create(2, file),
      inodes.create(2, { ...file, mode: 0o40755 }),
      inodes.create(2, { ...file, mode: 0o10644 }),
    ]);
    const attributesOf = (number: number) => image.open().node(number).attributes;
    expect(attributesOf(made)).toEqual(['no-dump']);
    expect(attributesOf(directory)).toEqual(['no-dump', 'synchronous-directory-updates']);
    expect(attributesOf(pipe)).toEqual(['no-dump']);
  });

  it('is none that itself says that it is in use', () => {
    const image = withInodes();
    image.setInode(12, { i_mode: 0o100644, i_links_count: 1 });
    expect(edit(image, ({ inodes }) => inodes.create(2, file))).toBe(13);
  });

  it('is refused when all are taken', () => {
    const image = withInodes();
    const context = contextOf(image);
    for (let i = 0; i < 21; i++) context.inodes.create(2, file);
    expect(() => context.inodes.create(2, file)).toThrow('none of its 32 inodes is free');
  });

  it('counts as a directory where it is one, until it is given back', () => {
    const image = withInodes();
    const number = edit(image, ({ inodes }) => inodes.create(2, { ...file, mode: 0o40755 }));
    expect(countsOf(image)).toEqual({
      freeBlocks: 50,
      freeInodes: 20,
      directories: 2,
      unusedInodes: 0,
    });
    edit(image, ({ inodes }) => inodes.free(number));
    expect(countsOf(image)).toEqual({
      freeBlocks: 50,
      freeInodes: 21,
      directories: 1,
      unusedInodes: 0,
    });
    expect(image.open().node(number)).toMatchObject({
      links: 0,
      deleted: { seconds: now.seconds, nanoseconds: 0 },
    });
  });
});

describe('times of an inode', () => {
  const short = () => new DataView(new ArrayBuffer(128));
  const long = () => {
    const raw = new DataView(new ArrayBuffer(256));
    raw.setUint16(0x80, 32, true);
    return raw;
  };
  const at = (seconds: number, nanoseconds = 0) => ({ seconds, nanoseconds });

  it('go beyond 2038 where there is room for it', () => {
    const raw = long();
    setInodeTime(raw, 'i_mtime', at(2 ** 32 + 5, 999_999_999));
    expect(raw.getUint32(0x10, true)).toBe(5);
    expect(raw.getUint32(0x88, true)).toBe(999_999_999 * 4 + 1);
    setInodeTime(raw, 'i_mtime', at(-1));
    expect(raw.getInt32(0x10, true)).toBe(-1);
    expect(raw.getUint32(0x88, true)).toBe(0);
    expect(() => setInodeTime(short(), 'i_mtime', at(2 ** 31))).toThrow('from 1901 to 2038-01-19');
    expect(() => setInodeTime(raw, 'i_mtime', at(-(2 ** 31) - 1))).toThrow('to 2446-05-10');
  });

  it('leave out the creation where it has no place', () => {
    const raw = short();
    setInodeTime(raw, 'i_crtime', at(5));
    expect(new Uint8Array(raw.buffer).every((byte) => byte === 0)).toBe(true);
  });
});
