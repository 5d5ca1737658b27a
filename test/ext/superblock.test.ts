import { describe, expect, it } from 'vitest';
import { recogniseBackupExt, recogniseExt } from '../../src/ext/recognise';
import { hasSuperblock, readSuperblock, type Geometry } from '../../src/ext/superblock';
import { VolumeBytes } from '../../src/image/bytes';
import { MemoryBytes } from '../../src/image/memory-bytes';
import { HandMade, namesOf, type Layout } from './support/hand-made';

function geometryOf(layout: Layout): Geometry {
  const reading = readSuperblock(new HandMade(layout).volume, 1024);
  if (!('geometry' in reading)) throw new Error(reading.broken);
  return reading.geometry;
}

function complaintOf(fields: Layout['superblock']): string {
  const reading = readSuperblock(new HandMade({ superblock: fields }).volume, 1024);
  return 'geometry' in reading ? `${reading.geometry.doubt}` : reading.broken;
}

describe('the superblock', () => {
  it('of revision 0 has inodes of 128 bytes and 11 as the first free to use', () => {
    const superblock = {
      s_rev_level: 0,
      s_inode_size: 999,
      s_first_ino: 99,
      s_feature_incompat: 0,
    };
    expect(geometryOf({ superblock })).toMatchObject({ inodeSize: 128, firstInode: 11, notes: [] });
  });

  it('of revision 1 says both itself', () => {
    expect(geometryOf({ inodeSize: 512, superblock: { s_first_ino: 20 } })).toMatchObject({
      inodeSize: 512,
      firstInode: 20,
    });
  });

  it('of revision 0 with features says that this is odd', () => {
    expect(geometryOf({ superblock: { s_rev_level: 0 } }).notes).toHaveLength(1);
  });

  it('has descriptors of 32 bytes, and of s_desc_size with 64bit only', () => {
    const sizeWith = (s_feature_incompat: number) =>
      geometryOf({ superblock: { s_feature_incompat, s_desc_size: 64 } }).descriptorSize;
    expect(sizeWith(0x2)).toBe(32);
    expect(sizeWith(0x82)).toBe(64);
  });

  it('is doubted with descriptors of a size that cannot be', () => {
    for (const s_desc_size of [0, 32, 129, 4096]) {
      expect(complaintOf({ s_feature_incompat: 0x82, s_desc_size })).toContain(`${s_desc_size} `);
    }
  });

  it('counts blocks and clusters of up to 64 bits with 64bit only', () => {
    const fields = { s_blocks_count_hi: 1, s_desc_size: 64 };
    const blocks = (s_feature_incompat: number) => {
      const reading = readSuperblock(
        new HandMade({ superblock: { ...fields, s_feature_incompat } }).volume,
        1024,
      );
      return 'geometry' in reading ? reading.geometry.blocks : reading.broken;
    };
    expect(blocks(0x2)).toBe(64);
    expect(blocks(0x82)).toBe(2 ** 32 + 64);
  });

  it.each([
    [{ s_magic: 0xef54 }, 'magic'],
    [{ s_log_block_size: 7 }, 'block size'],
    [{ s_log_block_size: 0xffffffff }, 'block size'],
    [{ s_blocks_count_lo: 0 }, 'blocks in all'],
    [{ s_first_data_block: 64 }, 'blocks in all'],
    [{ s_blocks_per_group: 0 }, 'blocks per group'],
    [{ s_blocks_per_group: 8193 }, 'blocks per group'],
    [{ s_inodes_per_group: 0 }, 'inodes per group'],
    [{ s_inodes_per_group: 8193 }, 'inodes per group'],
    [{ s_inodes_count: 0 }, 'inodes in all'],
    [{ s_inode_size: 0 }, 'inode size'],
    [{ s_inode_size: 64 }, 'inode size'],
    [{ s_inode_size: 192 }, 'inode size'],
    [{ s_inode_size: 2048 }, 'inode size'],
    [{ s_feature_ro_compat: 0x200, s_log_cluster_size: 0xffff }, 'cluster size'],
    [{ s_feature_incompat: 0x80, s_blocks_count_hi: 0xffffffff, s_desc_size: 64 }, '2^53'],
  ])('makes no sense with %o', (fields, complaint) => {
    expect(complaintOf(fields)).toContain(complaint);
  });

  it('gives the volume its type by what the ext3 driver does not know', () => {
    const typeWith = (compat: number, incompat: number, roCompat: number) =>
      recogniseExt(
        new HandMade({
          superblock: {
            s_feature_compat: compat,
            s_feature_incompat: incompat,
            s_feature_ro_compat: roCompat,
          },
        }).volume,
      );
    expect(typeWith(0x38, 0x2, 0x3)).toBe('ext2');
    expect(typeWith(0x38, 0x12, 0x3)).toBe('ext2');
    expect(typeWith(0x4, 0x6, 0x3)).toBe('ext3');
    expect(typeWith(0x4, 0x42, 0x3)).toBe('ext4');
    expect(typeWith(0x0, 0x2, 0x8)).toBe('ext4');
    expect(typeWith(0x0, 0x20000000, 0x0)).toBe('ext4');
    expect(typeWith(0x0, 0x8, 0x0)).toBeUndefined(); // an external journal
  });

  it('is copied into groups 0, 1 and powers of 3, 5 and 7, with sparse_super', () => {
    const geometry = geometryOf({ superblock: { s_feature_ro_compat: 1 } });
    const groups = Array.from({ length: 130 }, (_, group) => group);
    expect(groups.filter((group) => hasSuperblock(geometry, group))).toEqual([
      0, 1, 3, 5, 7, 9, 25, 27, 49, 81, 125,
    ]);
  });

  it('is copied into every group without sparse_super, into two more with sparse_super2', () => {
    const dense = geometryOf({});
    expect([0, 1, 2, 4, 6].every((group) => hasSuperblock(dense, group))).toBe(true);
    const two = geometryOf({
      superblock: { s_feature_compat: 0x200, s_backup_bgs: Uint32Array.of(1, 6) },
    });
    expect([0, 1, 2, 3, 5, 6].filter((group) => hasSuperblock(two, group))).toEqual([0, 1, 6]);
  });
});

describe('a volume whose superblock is destroyed', () => {
  const layout = { blocks: 600, superblock: { s_blocks_per_group: 256, s_inodes_count: 96 } };

  function withCopy(revision: number): HandMade {
    const image = new HandMade(layout);
    image.setSuperblock({ s_rev_level: revision });
    const at = (1 + 256) * 1024;
    image.bytes.copyWithin(at, 1024, 2048);
    image.setSuperblock({ s_block_group_nr: revision === 0 ? 0 : 1 }, at);
    image.bytes.copyWithin(at + 1024, 2048, 3072);
    return image;
  }

  it.each([0, 1])('opens from the copy in a small group, revision %i', (revision) => {
    const image = withCopy(revision);
    image.bytes.fill(0, 1024, 2048);
    expect(recogniseExt(image.volume)).toBeUndefined();
    expect(recogniseBackupExt(image.volume)).toBe('ext2');
    const fileSystem = image.open();
    expect(fileSystem.facts.notes[0]).toContain('copy in group 1');
    expect(fileSystem.node(2).type).toBe('directory');
  });

  it('opens with the copy of the descriptors too', () => {
    const image = withCopy(1);
    image.bytes.fill(0, 1024, 3072);
    const { notes } = image.open().facts;
    expect(notes.some((note) => note.includes('descriptors'))).toBe(true);
    expect(namesOf(image.open(), 2)).toEqual([]);
  });

  it('does not take a superblock for a copy that lies where none belongs', () => {
    const image = withCopy(1);
    image.bytes.fill(0, 1024, 2048);
    const shifted = new Uint8Array(image.bytes.length + 4096);
    shifted.set(image.bytes, 4096);
    const volume = new VolumeBytes(new MemoryBytes(shifted), 0, shifted.length);
    expect(recogniseBackupExt(volume)).toBeUndefined();
  });

  it('is refused in one sentence where there is no copy', () => {
    const image = new HandMade({ superblock: { s_inode_size: 0 } });
    expect(() => image.open()).toThrow(/no usable ext superblock: .* inode size of 0 bytes/);
  });
});

describe('what a volume says of itself', () => {
  it('is its state', () => {
    const stateWith = (s_state: number, s_feature_incompat = 2) =>
      new HandMade({ superblock: { s_state, s_feature_incompat } }).open().facts.state;
    expect(stateWith(1)).toBe('clean');
    expect(stateWith(0)).toBe('not clean');
    expect(stateWith(3)).toBe('has errors');
    expect(stateWith(1, 6)).toBe('needs recovery');
    expect(stateWith(2, 6)).toBe('needs recovery, has errors, not clean');
  });

  it('are its features, unknown ones by their number', () => {
    const { facts } = new HandMade({
      superblock: {
        s_feature_compat: 0x80000004,
        s_feature_incompat: 0x00100002,
        s_feature_ro_compat: 0x1,
      },
    }).open();
    expect(facts.features).toEqual([
      'has_journal',
      'FEATURE_C31',
      'filetype',
      'FEATURE_I20',
      'sparse_super',
    ]);
    expect(facts.notes.join()).toContain('FEATURE_I20');
  });

  it('is what a truncated image no longer holds', () => {
    const { notes } = new HandMade().open(40 * 1024).facts;
    expect(notes.join()).toContain('65536 bytes long, but only 40960');
  });
});
