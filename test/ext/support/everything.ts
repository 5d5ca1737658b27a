import {
  directoryMode,
  extentIndexes,
  extentLeaves,
  extentsFlag,
  fileMode,
  HandMade,
  pointers,
  symlinkMode,
} from './hand-made';

/** One of everything that can be followed. */
export function everything(): HandMade {
  const image = new HandMade({
    blocks: 96,
    inodeSize: 256,
    superblock: { s_feature_compat: 0x20, s_feature_incompat: 0x80c2, s_desc_size: 64 },
  });
  const [directory, leaf, tree, indirect, data] = Array.from({ length: 5 }, () => image.take());
  image.setRecords(
    image.rootBlock,
    image.rootRecords(
      { inode: 12, name: 'directory', type: 2 },
      { inode: 13, name: 'extents', type: 1 },
      { inode: 14, name: 'pointers', type: 1 },
      { inode: 15, name: 'symlink', type: 7 },
      { inode: 16, name: 'inline', type: 1 },
    ),
  );
  image.setRecords(directory, [
    { inode: 12, name: '.', type: 2 },
    { inode: 2, name: '..', type: 2 },
  ]);
  image.bytes.set([0, 0, 0, 0, 1, 8, 0, 0, 123, 0, 1, 0, 1], directory * 1024 + 24);
  image.setRecords(leaf, [{ inode: 13, name: 'again' }]);
  image.block(image.first + 3).set([0xff, 0xff], 0);
  image.setInode(12, {
    i_links_count: 2,
    i_mode: directoryMode,
    i_flags: 0x1000,
    i_size_lo: 2048,
    i_block: pointers([directory, leaf]),
  });
  image.block(tree).set(extentLeaves([{ logical: 0, physical: data, length: 3 }], 1024));
  image.setInode(13, {
    i_mode: fileMode,
    i_flags: extentsFlag,
    i_size_lo: 3000,
    i_block: extentIndexes([[0, tree]], 1),
  });
  image.view.setUint32(indirect * 1024, data, true);
  image.setInode(14, {
    i_mode: fileMode,
    i_size_lo: 14_000,
    i_block: pointers([data, ...Array<number>(11).fill(0), indirect, indirect, indirect]),
  });
  image.setInode(15, { i_mode: symlinkMode, i_size_lo: 4, i_block: pointers([0x61616161]) });
  image.setInode(16, { i_mode: fileMode, i_flags: 0x10000000, i_size_lo: 50, i_extra_isize: 32 });
  return image;
}
