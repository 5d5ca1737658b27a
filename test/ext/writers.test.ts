import { describe, expect, it } from 'vitest';
import { countTreeBlocks, writeExtentTree } from '../../src/ext/extent-writer';
import type { Extent } from '../../src/filesystem/extents';
import { extentsFlag, fileMode, HandMade, type Layout } from './support/hand-made';
import { writerOf } from './support/writer';

describe('writing an extent tree', () => {
  const checksums: Layout = {
    blocks: 40_000,
    inodeSize: 256,
    superblock: { s_feature_incompat: 0x42, s_feature_ro_compat: 0x400, s_blocks_per_group: 8192 },
  };

  it.each([0, 1, 4, 5, 84, 85, 336, 337, 1000, 30_000])('of %i extents', (count) => {
    const image = new HandMade({
      ...checksums,
      superblock: { ...checksums.superblock, s_inodes_count: 5 * 32 },
    });
    const extents: Extent[] = Array.from({ length: count }, (_, i) => {
      const extent = { logical: 3 * i, physical: 1000 + i, length: 1 };
      return i % 3 === 0 ? { ...extent, unwritten: true } : extent;
    });
    const writer = writerOf(image);
    const { geometry } = writer.volume;
    image.setInode(12, { i_mode: fileMode, i_flags: extentsFlag, i_generation: 77 });
    let next = 100;
    writer.editInode(12, (raw) => {
      const root = new DataView(raw.buffer, raw.byteOffset + 40, 60);
      writeExtentTree(geometry, { number: 12, generation: 77 }, extents, root, () => {
        const block = next++;
        return { block, view: writer.block(block) };
      });
    });
    expect(next - 100).toBe(countTreeBlocks(geometry, extents));
    const content = image.open().content(12);
    expect(content.problems).toEqual([]); // checksums included
    expect(content.extents).toEqual(extents);
  });

  it('splits what is too long for one extent', () => {
    const image = new HandMade(checksums);
    const writer = writerOf(image);
    const root = new DataView(new ArrayBuffer(60));
    const extents: Extent[] = [
      { logical: 0, physical: 100, length: 33_000 },
      { logical: 40_000, physical: 100, length: 32_768, unwritten: true },
    ];
    const take = () => ({ block: 1, view: writer.block(1) });
    writeExtentTree(writer.volume.geometry, { number: 12, generation: 0 }, extents, root, take);
    const lengths = [0, 1, 2, 3].map((i) => root.getUint16(12 + 12 * i + 4, true));
    expect(lengths).toEqual([32_768, 232, 65_535, 32_769]);
  });
});

describe('marking blocks and inodes', () => {
  const uninitialised: Layout = {
    superblock: { s_feature_ro_compat: 0x10, s_free_blocks_count_lo: 55, s_free_inodes_count: 21 },
  };
  const freeOf = (image: HandMade) => {
    const free = image.open().freeSpace();
    return Array.from(free.starts, (start, i) => [start, free.lengths[i]]);
  };

  it('changes bits and counts, once only', () => {
    const image = new HandMade(uninitialised);
    const writer = writerOf(image);
    image.usedUpTo(30);
    image.setDescriptor(0, { bg_free_blocks_count_lo: 34 });
    writer.markBlocks(40, 3, true);
    writer.markBlocks(41, 5, true);
    expect(freeOf(image)).toEqual([
      [30, 10],
      [46, 18],
    ]);
    writer.markBlocks(40, 6, false);
    writer.markBlocks(40, 6, false);
    expect(freeOf(image)).toEqual([[30, 34]]);
    expect(image.view.getUint16(2048 + 0xc, true)).toBe(34);
    expect(image.open().facts.freeBlocks).toBe(55);
  });

  it('makes the bitmap of a group that had none', () => {
    const image = new HandMade(uninitialised);
    image.setDescriptor(0, { bg_flags: 2, bg_free_blocks_count_lo: 55 });
    image.sealDescriptor();
    image.block(3).fill(0x55);
    const [[start]] = freeOf(image);
    writerOf(image).markBlocks(start, 1, true);
    expect(image.view.getUint16(2048 + 0x12, true)).toBe(0);
    expect(freeOf(image)).toEqual([[start + 1, 63 - start]]);
    expect(image.view.getUint16(2048 + 0xc, true)).toBe(54);
  });

  it('marks inodes, in bitmaps that were never written too', () => {
    const image = new HandMade(uninitialised);
    image.setDescriptor(0, { bg_flags: 1, bg_free_inodes_count_lo: 32, bg_itable_unused_lo: 32 });
    image.sealDescriptor();
    const table = image.bytes.subarray(image.inodeAt(11), image.inodeAt(33)).fill(0x55);
    const root = image.bytes.slice(image.inodeAt(2), image.inodeAt(3));
    writerOf(image).markInode(14, true);
    expect([...image.block(4).subarray(0, 5)]).toEqual([0, 0x20, 0, 0, 0xff]);
    expect(image.view.getUint16(2048 + 0xe, true)).toBe(31);
    expect(image.view.getUint16(2048 + 0x1c, true)).toBe(32 - 14);
    expect(image.open().facts.freeInodes).toBe(20);
    // What lies in the table before it is no inode by chance, nor was any that is kept for all.
    const kept = [...table].map((byte, at) => byte !== 0 && Math.floor(at / image.inodeSize));
    expect(new Set(kept)).toEqual(new Set([false, ...Array.from({ length: 19 }, (_, i) => i + 3)]));
    expect(image.bytes.slice(image.inodeAt(2), image.inodeAt(3))).toEqual(root);
  });
});
