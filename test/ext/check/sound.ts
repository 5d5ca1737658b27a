import type { CheckReport } from '../../../src/filesystem/check';
import {
  directoryMode,
  extentLeaves,
  extentsFlag,
  fileMode,
  HandMade,
  pointers,
} from '../support/hand-made';

export const inodes = { root: 2, file: 12, directory: 13, mapped: 14 } as const;
export const blocks = { root: 9, file: 10, directory: 11, mapped: 12, end: 14 } as const;
const firstOrdinary = 11;
const inodesPerGroup = 32;

/** A volume by hand in which nothing is wrong: a file, a directory, and in it a file by extents. */
export function soundVolume(): HandMade {
  const image = new HandMade({
    superblock: { s_feature_compat: 0x28, s_feature_incompat: 0x42, s_feature_ro_compat: 1 },
  });
  const sectors = 2; // units of 512 bytes in a block
  image.setInode(inodes.root, { i_links_count: 3, i_blocks_lo: sectors });
  image.setRecords(
    blocks.root,
    image.rootRecords(
      { inode: inodes.file, name: 'file', type: 1 },
      { inode: inodes.directory, name: 'directory', type: 2 },
    ),
  );
  image.setInode(inodes.file, {
    i_mode: fileMode,
    i_links_count: 1,
    i_size_lo: 1000,
    i_blocks_lo: sectors,
    i_block: pointers([blocks.file]),
  });
  image.setInode(inodes.directory, {
    i_mode: directoryMode,
    i_links_count: 2,
    i_size_lo: 1024,
    i_blocks_lo: sectors,
    i_block: pointers([blocks.directory]),
  });
  image.setRecords(blocks.directory, [
    { inode: inodes.directory, name: '.', type: 2 },
    { inode: inodes.root, name: '..', type: 2 },
    { inode: inodes.mapped, name: 'mapped', type: 1 },
  ]);
  image.setInode(inodes.mapped, {
    i_mode: fileMode,
    i_flags: extentsFlag,
    i_links_count: 1,
    i_size_lo: 2000,
    i_blocks_lo: 2 * sectors,
    i_block: extentLeaves([{ logical: 0, physical: blocks.mapped, length: 2 }]),
  });
  image.usedUpTo(blocks.end);
  markInodes(image, [inodes.file, inodes.directory, inodes.mapped]);
  const free = image.blocks - blocks.end;
  const freeInodes = inodesPerGroup - (firstOrdinary - 1) - 3;
  image.setDescriptor(0, {
    bg_free_blocks_count_lo: free,
    bg_free_inodes_count_lo: freeInodes,
    bg_used_dirs_count_lo: 2,
  });
  image.setSuperblock({ s_free_blocks_count_lo: free, s_free_inodes_count: freeInodes });
  return image;
}

/** Marks the reserved inodes, those given, and what lies behind the last one. */
function markInodes(image: HandMade, used: readonly number[]): void {
  const bitmap = image.block(image.first + 3).fill(0);
  for (let bit = 0; bit < 8 * image.blockSize; bit++) {
    const number = bit + 1;
    const isMarked = number < firstOrdinary || number > inodesPerGroup || used.includes(number);
    if (isMarked) bitmap[bit >> 3] |= 1 << (bit & 7);
  }
}

export function checked(image: HandMade): CheckReport {
  return image.open().check();
}

/** The codes of what counts, each once, in the order in which they are found. */
export function errorsOf({ findings }: CheckReport): string[] {
  return [
    ...new Set(findings.filter(({ severity }) => severity === 'error').map(({ code }) => code)),
  ];
}
