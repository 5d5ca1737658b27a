import { endangering, error, note, warning } from './problem-row';

/** Problems of inodes, of where their content lies, and of their attributes. */
export const inodeProblems = {
  'ext-inode-checksum': error(
    'Inode checksum wrong',
    'With metadata_csum an inode carries a crc32c of itself. It does not match: Linux refuses to open the file.',
  ),
  'ext-inode-orphan': error(
    'Inode on a list of orphans',
    'A time of deletion that is as small as an inode number is a link of the list of orphans. On a clean volume that list is empty.',
  ),
  'ext-encryption-policy': error(
    'Encrypted without a policy',
    'An encrypted inode has an attribute that says with which cipher and by which key. Without it nobody can decrypt the content, and drivers do not open the file.',
  ),
  'ext-inode-deletion-time': error(
    'Deleted inode without a time',
    'An inode with a type but no names is deleted, and says when. Without a time it was left behind by a crash.',
  ),
  'ext-inode-deleted-in-use': error(
    'Inode both in use and deleted',
    'An inode with names has no time of deletion.',
  ),
  'ext-inode-flag': error(
    'Inode flag that cannot be',
    'The flag contradicts the kind of file, the features of the volume, or how the inode keeps its content.',
  ),
  'ext-inode-field': error(
    'Inode field that must be zero',
    'The field is not used on this volume, or means nothing for this kind of file. Drivers may take it for part of a number.',
  ),
  'ext-inode-extra-size': error(
    'Extra size of an inode out of range',
    'An inode of more than 128 bytes says how many of the others have fields. The number is no multiple of 4, or more than there are.',
  ),
  'ext-inode-old-time': warning(
    'Time in an old form',
    'Some Linux drivers wrote times before 1970 in a way that reads as after 2310. e2fsck asks to rewrite them, and does not count it as an error.',
  ),
  'ext-inode-mode': error(
    'Inode of no known kind',
    'The type in i_mode is none of file, directory, symlink, device, fifo or socket.',
  ),
  'ext-inode-is-directory': error(
    'Directory under another type',
    'The first block of the inode starts with the records of a directory, but i_mode says that it is something else.',
  ),
  'ext-inode-size': error(
    'Inode size wrong',
    'i_size does not agree with the blocks that the inode has: it ends before blocks that were written, or is longer than its mapping reaches. A directory is as long as its blocks.',
  ),
  'ext-inode-blocks': error(
    'Block count of an inode wrong',
    'i_blocks counts what an inode occupies: its content, blocks of pointers or extents, and its attributes.',
  ),
  'ext-inode-links': error(
    'Link count wrong',
    'i_links_count says how many names lead to the inode. When it is too low, the file goes with one of its names and takes the content of the others along; too high, and it never goes.',
  ),
  'ext-inode-unattached': error(
    'Inode without a name',
    'The inode is in use, but no directory holds a name for it. e2fsck puts it into lost+found.',
  ),
  'ext-reserved-inode': error(
    'Reserved inode wrong',
    'The first inodes have purposes of their own: bad blocks, the root, the boot loader, the journal. This one is not what it is kept for.',
  ),
  'ext-root-not-directory': error(
    'Root is no directory',
    'Inode 2 is the root directory. Without it no path leads anywhere.',
  ),
  'ext-bad-block-out-of-range': error(
    'Bad block outside of the volume',
    'Inode 1 lists blocks that cannot be used. This one does not exist.',
  ),
  'ext-bad-block-in-metadata': error(
    'Bad block in use',
    'Inode 1 lists a block as bad that the volume uses for itself, or that keeps the list.',
  ),
  'ext-special-content': error(
    'Special file with content',
    'A device, fifo or socket has no blocks, no extents and no index.',
  ),
  'ext-special-immutable': error(
    'Special file that must not change',
    'The flags immutable and append-only cannot be set on special files; they come from a damaged inode.',
  ),
  'ext-special-size': error('Special file with a size', 'A device, fifo or socket has the size 0.'),
  'ext-symlink-broken': error(
    'Symlink broken',
    'A symlink keeps its target in the inode or in one block, ended by a zero, and is as long as the target.',
  ),
  'ext-symlink-too-long': error(
    'Symlink of several blocks',
    'The target of a symlink lies in one block at most.',
  ),
  'ext-inline-data-missing': error(
    'Content in the inode is missing',
    'An inode that keeps its content in itself has an attribute system.data for what goes beyond 60 bytes, even when that is empty.',
  ),
  'ext-block-out-of-range': error(
    'Block outside of the volume',
    'A pointer leads to a block that the volume does not have.',
  ),
  'ext-block-shared': endangering(
    error(
      'Block used more than once',
      'Every block belongs to one file or structure. Of those that share it, at most one has its own content there, and a write to any destroys the others. e2fsck offers a copy for each.',
    ),
  ),
  'ext-indirect-block-repeated': endangering(
    error('Block of pointers used twice', 'A block of pointers belongs to one place in one file.'),
  ),
  'ext-extent-root': error(
    'Extent tree broken at its root',
    'An inode with extents starts its tree in i_block with a header: the magic number F30A, how many entries there are, and room for how many.',
  ),
  'ext-extent-header': error(
    'Extent node broken',
    'A block of an extent tree starts with a header, and holds at least one entry. What lies below this node cannot be found.',
  ),
  'ext-extent-depth': warning(
    'Extent node of the wrong depth',
    'Every node says how many levels lie below it, one less than the node above. Linux refuses the file; e2fsck counts levels itself and lets it pass.',
  ),
  'ext-extent-checksum': error(
    'Extent node checksum wrong',
    'With metadata_csum a node of an extent tree ends in a crc32c. It does not match: Linux refuses the file.',
  ),
  'ext-extent-index-start': error(
    'Extent index out of step',
    'An index says with which block of the file the node below it starts. The node says otherwise.',
  ),
  'ext-extent-out-of-range': error(
    'Extent outside of the volume',
    'An extent or a node lies, in whole or in part, outside of the volume.',
  ),
  'ext-extent-order': error(
    'Extents out of order',
    'Extents lie in the order of the file and do not overlap; else some block of the file has two places.',
  ),
  'ext-extent-outside-node': error(
    'Extent beyond its node',
    'An extent goes beyond the part of the file that the index leaves to its node, where readers do not look for it.',
  ),
  'ext-extent-empty': error('Extent without length', 'An extent covers at least one block.'),
  'ext-extent-node-repeated': error(
    'Extent node used twice',
    'A node of an extent tree belongs to one place in one tree.',
  ),
  'ext-extent-tree-deep': warning(
    'Extent tree too deep',
    'The tree has more levels than a full one needs for all blocks a file can have. e2fsck offers to rebuild it, and does not count it as an error.',
  ),
  'ext-extent-tree-wasteful': note(
    'Extent tree larger than it needs to be',
    'The extents would fit in fewer nodes or levels. e2fsck offers to rebuild the tree.',
  ),
  'ext-cluster-misaligned': error(
    'Block out of step with its cluster',
    'With bigalloc a cluster of a file lies in one cluster of the volume, each block at its own place.',
  ),
  'ext-cluster-pointers': error(
    'Block pointers on a volume with clusters',
    'With bigalloc Linux allocates by extents only; a file with block pointers cannot be written.',
  ),
  'ext-attribute-block-out-of-range': error(
    'Attribute block outside of the volume',
    'i_file_acl names the block with the attributes of an inode. The volume has no such block.',
  ),
  'ext-attribute-block-magic': error(
    'Attribute block broken',
    'A block of attributes starts with EA020000. This one holds something else.',
  ),
  'ext-attribute-block-header': error(
    'Attribute block of several blocks',
    'The header of attributes says how many blocks they take: always 1.',
  ),
  'ext-attribute-checksum': error(
    'Attribute block checksum wrong',
    'With metadata_csum a block of attributes carries a crc32c. It does not match.',
  ),
  'ext-attribute-refcount': error(
    'Uses of an attribute block miscounted',
    'Inodes with the same attributes share a block, which counts them. When the count is too low the block is given away while it is in use.',
  ),
  'ext-attribute-name': error(
    'Attribute without a kind',
    'Every attribute says which prefix its name has.',
  ),
  'ext-attribute-overlap': error(
    'Attributes overlap',
    'Entries, values and the end mark each have bytes of their own within their room.',
  ),
  'ext-attribute-value': error(
    'Attribute value out of range',
    'The value of an attribute goes beyond the room it lies in.',
  ),
  'ext-attribute-hash': error(
    'Attribute hash wrong',
    'An entry carries a hash of its name and value. It does not match: one of them was changed.',
  ),
  'ext-attribute-value-inode': error(
    'Attribute value in a wrong inode',
    'A large value lies in an inode of its own, marked as such. This inode is not.',
  ),
  'ext-attribute-value-count': error(
    'Uses of an attribute value miscounted',
    'An inode with the value of attributes counts those that use it.',
  ),
  'ext-attribute-value-unused': error(
    'Attribute value that is a file',
    'The inode is marked as the value of an attribute, but has names and no attribute that uses it.',
  ),
} as const;
