import { describe, expect, it } from 'vitest';
import { extProblems } from '../../../src/ext/check/problem-table';
import { ImageError } from '../../../src/image/errors';
import { extentLeaves, extentsFlag, pointers, type HandMade } from '../support/hand-made';
import { blocks, checked, errorsOf, inodes, soundVolume } from './sound';

type Damage = (image: HandMade) => void;

const inode =
  (number: number, fields: Parameters<HandMade['setInode']>[1]): Damage =>
  (image) =>
    image.setInode(number, fields);
const byte =
  (block: number, at: number, value: number): Damage =>
  (image) =>
    image.block(block).fill(value, at, at + 1);
const bitmap =
  (block: number, bit: number): Damage =>
  (image) => {
    image.block(block)[bit >> 3] ^= 1 << (bit & 7);
  };
const extents = (list: Parameters<typeof extentLeaves>[0]): Damage =>
  inode(inodes.mapped, { i_block: extentLeaves(list) });

/** What is done to a sound volume, and what must be found; what follows from it comes after it. */
const cases: readonly (readonly [string, Damage, readonly string[]])[] = [
  [
    'a block that is used and not marked',
    bitmap(3, blocks.file - 1),
    ['block-bitmap-used', 'group-free-blocks'],
  ],
  [
    'a block that is marked and not used',
    bitmap(3, 40),
    ['block-bitmap-unused', 'group-free-blocks'],
  ],
  [
    'an inode that is used and not marked',
    bitmap(4, inodes.file - 1),
    ['inode-bitmap-used', 'group-free-inodes'],
  ],
  [
    'an inode that is marked and not used',
    bitmap(4, 20),
    ['inode-bitmap-unused', 'group-free-inodes'],
  ],
  ['a bitmap that is not filled up', bitmap(3, 500), ['bitmap-padding']],
  [
    'a free count of a group',
    (image) => image.setDescriptor(0, { bg_free_blocks_count_lo: 1 }),
    ['group-free-blocks'],
  ],
  [
    'a count of directories',
    (image) => image.setDescriptor(0, { bg_used_dirs_count_lo: 7 }),
    ['group-directories'],
  ],
  [
    'a bitmap outside of the volume',
    (image) => image.setDescriptor(0, { bg_block_bitmap_lo: 5000 }),
    ['descriptor-location'],
  ],
  [
    'a first inode below the reserved ones',
    (image) => image.setSuperblock({ s_first_ino: 3 }),
    ['superblock-field'],
  ],
  [
    'an unknown feature',
    (image) => image.setSuperblock({ s_feature_ro_compat: 0x80000001 }),
    ['feature-unknown'],
  ],
  ['a size that is too small', inode(inodes.mapped, { i_size_lo: 100 }), ['inode-size']],
  ['a size of a directory', inode(inodes.directory, { i_size_lo: 3072 }), ['inode-size']],
  ['a count of blocks', inode(inodes.file, { i_blocks_lo: 8 }), ['inode-blocks']],
  ['a count of links', inode(inodes.file, { i_links_count: 2 }), ['inode-links']],
  ['a time of deletion', inode(inodes.file, { i_dtime: 1_700_000_000 }), ['inode-deleted-in-use']],
  [
    'a time of deletion as small as an inode number',
    inode(inodes.file, { i_dtime: 14 }),
    ['inode-orphan', 'inode-deleted-in-use'],
  ],
  ['a fragment', inode(inodes.file, { i_obso_faddr: 1 }), ['inode-field']],
  [
    'a flag of extents on pointers',
    inode(inodes.file, { i_flags: extentsFlag }),
    ['extent-root', 'inode-blocks', 'block-bitmap-unused'],
  ],
  [
    'a tree without its flag',
    inode(inodes.mapped, { i_flags: 0 }),
    ['inode-flag', 'block-out-of-range'],
  ],
  [
    'attributes outside of the volume',
    inode(inodes.file, { i_file_acl_lo: 4000 }),
    ['attribute-block-out-of-range'],
  ],
  [
    'a block of attributes that holds none',
    inode(inodes.file, { i_file_acl_lo: 20 }),
    ['attribute-block-magic', 'inode-blocks'],
  ],
  [
    'a pointer out of the volume',
    inode(inodes.file, { i_block: pointers([999]) }),
    ['block-out-of-range', 'inode-blocks'],
  ],
  [
    'a pointer to a block of another',
    inode(inodes.file, { i_block: pointers([blocks.mapped]) }),
    ['block-shared'],
  ],
  [
    'a pointer to the inode table',
    inode(inodes.file, { i_block: pointers([6]) }),
    ['block-shared'],
  ],
  [
    'an extent out of the volume',
    extents([{ logical: 0, physical: 63, length: 2 }]),
    ['extent-out-of-range', 'inode-blocks'],
  ],
  [
    'an extent without length',
    extents([{ logical: 0, physical: 12, length: 0 }]),
    ['extent-empty'],
  ],
  [
    'extents out of order',
    extents([
      { logical: 5, physical: 12, length: 1 },
      { logical: 1, physical: 13, length: 1 },
    ]),
    ['extent-order'],
  ],
  [
    'a directory without blocks',
    inode(inodes.directory, { i_block: pointers([]), i_blocks_lo: 0 }),
    ['directory-empty'],
  ],
  ['a record that is too short', byte(blocks.directory, 28, 4), ['directory-record']],
  ["a '.' that leads elsewhere", byte(blocks.directory, 0, 12), ['directory-dot']],
  ["a '..' that leads elsewhere", byte(blocks.directory, 12, 13), ['directory-parent']],
  ['a record of the wrong type', byte(blocks.directory, 31, 2), ['directory-entry-type']],
  ['a name with a slash', byte(blocks.directory, 33, 0x2f), ['directory-name']],
  [
    'a name that leads to an unused inode',
    byte(blocks.directory, 24, 20),
    ['directory-entry-unused', 'directory-entry-type', 'inode-unattached'],
  ],
  [
    'a name that leads past the inodes',
    byte(blocks.directory, 24, 200),
    ['directory-entry-inode', 'inode-unattached'],
  ],
  [
    'a name that leads to its directory',
    byte(blocks.directory, 24, inodes.directory),
    ['directory-entry-loop'],
  ],
  [
    'a file that is encrypted by no policy',
    inode(inodes.file, { i_flags: 0x800 }),
    ['encryption-policy'],
  ],
  [
    'a name that leads to an inode of quotas',
    (image) => image.setSuperblock({ s_usr_quota_inum: inodes.file }),
    ['directory-entry-inode', 'inode-unattached'],
  ],
  [
    'a size of descriptors that is no power of two',
    (image) => image.setSuperblock({ s_desc_size: 18 }),
    ['superblock-field'],
  ],
  ['a mode of no kind', inode(inodes.file, { i_mode: 0x1a4 }), ['inode-mode']],
  [
    'a root that is no directory',
    inode(inodes.root, { i_mode: 0o100644 }),
    ['root-not-directory', 'root-missing'],
  ],
  [
    'names twice',
    (image) =>
      image.setRecords(
        blocks.root,
        image.rootRecords(
          { inode: inodes.file, name: 'file', type: 1 },
          { inode: inodes.directory, name: 'directory', type: 2 },
          { inode: inodes.file, name: 'file', type: 1 },
        ),
      ),
    ['directory-name-twice', 'inode-links'],
  ],
];

describe('a check of an ext volume', () => {
  it('finds nothing where nothing is wrong', () => {
    expect(checked(soundVolume())).toEqual({
      findings: [],
      counts: { error: 0, warning: 0, note: 0 },
      isCut: false,
    });
  });

  it.each(cases)('finds %s', (_name, damage, expected) => {
    const image = soundVolume();
    damage(image);
    const found = errorsOf(checked(image));
    expect(found).toEqual(expect.arrayContaining(expected.map((code) => `ext-${code}`)));
    expect(found[0]).toBe(`ext-${expected[0]}`);
  });

  it('says where, in which field, of which inode, and under which path', () => {
    const image = soundVolume();
    image.setInode(inodes.mapped, { i_blocks_lo: 6 });
    expect(checked(image).findings).toEqual([
      {
        code: 'ext-inode-blocks',
        severity: 'error',
        message: 'Inode 14 counts 6 units of blocks, but uses 4.',
        offset: image.inodeAt(inodes.mapped) + 0x1c,
        length: 4,
        inode: inodes.mapped,
        node: inodes.mapped,
        field: 'inode.i_blocks_lo',
        path: '/directory/mapped',
        fixable: true,
      },
    ]);
  });

  it('tells what follows from what', () => {
    const image = soundVolume();
    bitmap(3, 40)(image);
    const { findings } = checked(image);
    const cause = findings.findIndex(({ code }) => code === 'ext-block-bitmap-unused');
    const count = findings.find(({ code }) => code === 'ext-group-free-blocks');
    expect(cause).toBeGreaterThanOrEqual(0);
    expect(count?.cause).toBe(cause);
  });

  it('counts what it does not list any more', () => {
    const image = soundVolume();
    // Every pointer of the block that inode 12 names leads out of the volume; so do its copies.
    image.setInode(inodes.file, {
      i_block: pointers([10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20]),
    });
    image.block(20).fill(0);
    for (let i = 0; i < 40; i++)
      new DataView(image.block(20).buffer).setUint32(20 * 1024 + 4 * i, 21 + i, true);
    for (let block = 21; block < 61; block++) image.block(block).fill(0xee);
    const { findings, counts, isCut } = checked(image);
    expect(findings).toHaveLength(10_000);
    expect(isCut).toBe(true);
    expect(counts.error).toBeGreaterThan(10_000);
  });

  it('ends where its work is not wanted any more', () => {
    const cancel = {
      report: () => {
        throw new ImageError('cancelled', 'No.');
      },
    };
    expect(() => soundVolume().open().check(cancel)).toThrow('No.');
  });

  it('follows no loop of pointers', () => {
    const image = soundVolume();
    image.setInode(inodes.file, { i_block: pointers([...Array<number>(12).fill(0), 0, 0, 20]) });
    new DataView(image.block(20).buffer).setUint32(20 * 1024, 20, true);
    expect(errorsOf(checked(image))).toContain('ext-indirect-block-repeated');
  });

  it('has a row for every code, with all that a person is told', () => {
    for (const [code, { title, explanation }] of Object.entries(extProblems)) {
      expect(code).toMatch(/^ext(-[a-z0-9]+)+$/);
      expect(title).not.toBe('');
      expect(explanation).toMatch(/\.$/);
    }
  });
});
