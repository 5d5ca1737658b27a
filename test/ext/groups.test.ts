import { describe, expect, it } from 'vitest';
import { visitZeroRuns } from '../../src/ext/bitmaps';
import { descriptorBlock, groupHead, GroupTable } from '../../src/ext/groups';
import { readSuperblock, type Geometry } from '../../src/ext/superblock';
import { HandMade, type Layout } from './support/hand-made';

const sixtyFourBit = 0x80;
const metaGroups = 0x10;

function geometryOf(image: HandMade): Geometry {
  const reading = readSuperblock(image.volume, 1024);
  if (!('geometry' in reading)) throw new Error(reading.broken);
  return reading.geometry;
}

const freeOf = (image: HandMade) => {
  const free = image.open().freeSpace();
  return Array.from(free.starts, (start, i) => [start, free.lengths[i]]);
};

describe('the descriptor table', () => {
  const many: Layout['superblock'] = {
    s_blocks_count_lo: 100_000,
    s_blocks_per_group: 256,
    s_inodes_count: 391 * 32,
    s_feature_ro_compat: 1,
  };

  it('follows the superblock, in block 2 where blocks are 1 KiB', () => {
    expect(descriptorBlock(geometryOf(new HandMade()), 0)).toBe(2);
    expect(descriptorBlock(geometryOf(new HandMade({ blockSize: 4096 })), 0)).toBe(1);
  });

  it('stays in block 2 with bigalloc, whose groups start at block 0', () => {
    const superblock = {
      s_first_data_block: 0,
      s_log_cluster_size: 4,
      s_feature_ro_compat: 0x200,
    };
    const geometry = geometryOf(new HandMade({ superblock }));
    expect([0, 1].map((index) => descriptorBlock(geometry, index))).toEqual([2, 3]);
  });

  it('lies in the groups it describes from s_first_meta_bg on', () => {
    const superblock = { ...many, s_feature_incompat: metaGroups, s_first_meta_bg: 2 };
    const geometry = geometryOf(new HandMade({ superblock }));
    // 32 descriptors in a block: block 2 of the table describes groups 64 to 95.
    expect([0, 1].map((index) => descriptorBlock(geometry, index))).toEqual([2, 3]);
    expect(descriptorBlock(geometry, 2)).toBe(1 + 64 * 256);
    expect(descriptorBlock(geometry, 2, 1)).toBe(1 + 65 * 256);
  });

  it('lies behind the superblock in a meta group that starts with one', () => {
    const superblock = { ...many, s_feature_incompat: metaGroups, s_feature_ro_compat: 0 };
    const geometry = geometryOf(new HandMade({ superblock }));
    expect(descriptorBlock(geometry, 0)).toBe(2);
    expect(descriptorBlock(geometry, 1)).toBe(1 + 32 * 256 + 1);
  });

  it('has room for later groups behind it', () => {
    const superblock = { ...many, s_reserved_gdt_blocks: 7 };
    expect(groupHead(geometryOf(new HandMade({ superblock })), 3)).toEqual([
      { kind: 'superblock', start: 769, length: 1 },
      { kind: 'descriptors', start: 770, length: 13 },
      { kind: 'reserved descriptors', start: 783, length: 7 },
    ]);
    expect(groupHead(geometryOf(new HandMade({ superblock })), 2)).toEqual([]);
  });

  it('has three copies in each meta group', () => {
    const superblock = { ...many, s_feature_incompat: metaGroups };
    const geometry = geometryOf(new HandMade({ superblock }));
    const holders = Array.from({ length: 64 }, (_, group) => group).filter((group) =>
      groupHead(geometry, group).some(({ kind }) => kind === 'descriptors'),
    );
    expect(holders).toEqual([0, 1, 31, 32, 33, 63]);
  });

  it('holds block numbers of 48 bits in descriptors of 64 bytes and more', () => {
    const superblock = { s_feature_incompat: sixtyFourBit, s_desc_size: 128 };
    const image = new HandMade({ superblock });
    image.setDescriptor(0, { bg_block_bitmap_hi: 3, bg_inode_table_hi: 2 }, 128);
    image.setDescriptor(1, { bg_inode_bitmap_lo: 77 }, 128);
    const table = new GroupTable(image.volume, geometryOf(image));
    expect(table.group(0)).toMatchObject({
      blockBitmap: 3 * 2 ** 32 + 3,
      inodeTable: 2 * 2 ** 32 + 5,
    });
    expect(table.group(1).inodeBitmap).toBe(77);
  });
});

describe('free blocks', () => {
  it('are counted from the first data block on', () => {
    const image = new HandMade();
    image.block(3)[5] &= ~1; // bit 40: block 41 with 1 KiB blocks
    image.usedUpTo(60);
    expect(freeOf(image)).toEqual([[60, 4]]);
    const large = new HandMade({ blockSize: 2048 });
    large.usedUpTo(60);
    expect(freeOf(large)).toEqual([[60, 4]]);
  });

  it('end where the last group does', () => {
    const image = new HandMade();
    image.usedUpTo(41);
    image.block(3).fill(0, 5); // also the bits past the end
    expect(freeOf(image)).toEqual([[41, 23]]);
  });

  it('are what a group without a written bitmap does not start with', () => {
    const superblock = { s_feature_ro_compat: 0x10, s_reserved_gdt_blocks: 2 };
    const image = new HandMade({ superblock });
    image.setDescriptor(0, { bg_flags: 2 });
    image.block(3).fill(0xff);
    // Superblock, descriptors and their reserve in 1 to 4, then bitmaps and table.
    image.setDescriptor(0, {
      bg_block_bitmap_lo: 10,
      bg_inode_bitmap_lo: 11,
      bg_inode_table_lo: 20,
    });
    image.sealDescriptor();
    expect(freeOf(image)).toEqual([
      [5, 5],
      [12, 8],
      [24, 40],
    ]);
  });

  it('do not believe the flag of an unwritten bitmap with a checksum that does not match', () => {
    const image = new HandMade({ superblock: { s_feature_ro_compat: 0x10 } });
    image.setDescriptor(0, { bg_flags: 2 });
    image.usedUpTo(50);
    expect(freeOf(image)).toEqual([[50, 14]]);
    image.sealDescriptor();
    expect(freeOf(image)).toEqual([[9, 55]]);
  });

  it('do not believe the flag of an unwritten bitmap without descriptor checksums', () => {
    const image = new HandMade();
    image.setDescriptor(0, { bg_flags: 2 });
    image.usedUpTo(50);
    expect(freeOf(image)).toEqual([[50, 14]]);
  });

  it('are counted in clusters with bigalloc and told in blocks', () => {
    const superblock = {
      s_first_data_block: 0,
      s_log_cluster_size: 2,
      s_blocks_count_lo: 62,
      s_feature_ro_compat: 0x200,
    };
    const image = new HandMade({ superblock });
    image.block(3).fill(0xff);
    image.block(3)[0] = 0b11110111; // cluster 3
    image.block(3)[1] = 0b00111111; // clusters 14 and 15, the last one short
    expect(freeOf(image)).toEqual([
      [12, 4],
      [56, 6],
    ]);
  });

  it('are none in a group whose bitmap is said to lie outside of the volume', () => {
    const image = new HandMade();
    image.setDescriptor(0, { bg_block_bitmap_lo: 5000 });
    expect(freeOf(image)).toEqual([]);
  });

  it('are none in what a truncated image no longer holds', () => {
    const image = new HandMade();
    image.usedUpTo(30);
    const free = image.open(40 * 1024).freeSpace();
    expect([free.starts[0], free.lengths[0], free.count]).toEqual([30, 10, 1]);
  });

  it('end soon in a volume that claims groups without number', () => {
    const superblock = {
      s_feature_incompat: sixtyFourBit,
      s_desc_size: 64,
      s_blocks_count_hi: 0x400,
      s_inodes_count: 0xffffffff,
      s_feature_ro_compat: 0x10,
    };
    expect(new HandMade({ superblock }).open().freeSpace().count).toBeLessThan(3);
  });
});

describe('visiting the zero runs of a bitmap', () => {
  function runsOf(bitmap: Uint8Array, bits: number): number[][] {
    const runs: number[][] = [];
    visitZeroRuns(bitmap, bits, (start, length) => runs.push([start, length]));
    return runs;
  }

  /** Bit by bit, as the format says it. */
  function slowRunsOf(bitmap: Uint8Array, bits: number): number[][] {
    const runs: number[][] = [];
    for (let bit = 0; bit < bits; bit++) {
      if ((bitmap[bit >> 3] >> (bit & 7)) & 1) continue;
      const last = runs.at(-1);
      if (last && last[0] + last[1] === bit) last[1] += 1;
      else runs.push([bit, 1]);
    }
    return runs;
  }

  it('finds what looking at every bit finds', () => {
    let seed = 1;
    const random = () => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) / 2 ** 32;
    for (let round = 0; round < 200; round++) {
      const density = random();
      const bitmap = Uint8Array.from({ length: 41 }, () =>
        random() < 0.3 ? (random() < density ? 0xff : 0) : Math.floor(random() * 256),
      );
      const bits = Math.floor(random() * 328);
      expect(runsOf(bitmap, bits), `${bitmap.join()} ${bits}`).toEqual(slowRunsOf(bitmap, bits));
    }
  });

  it('joins across words and ends with the last bit', () => {
    expect(runsOf(new Uint8Array(16), 100)).toEqual([[0, 100]]);
    expect(runsOf(new Uint8Array(16).fill(0xff), 128)).toEqual([]);
  });
});
