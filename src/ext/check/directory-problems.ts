import { error, warning } from './problem-row';

/** Problems of directories, their records and their indexes. */
export const directoryProblems = {
  'ext-root-missing': error(
    'No root directory',
    'Inode 2 is not in use as a directory. e2fsck makes a new root, and puts all that hung in the old one into lost+found.',
  ),
  'ext-directory-empty': error(
    'Directory without blocks',
    'A directory has at least the block with its first two records.',
  ),
  'ext-directory-hole': error(
    'Hole in a directory',
    'Every block of a directory exists; drivers stop reading at a hole.',
  ),
  'ext-directory-gap': error(
    'Gap between the extents of a directory',
    'The extents of a directory follow each other without a gap.',
  ),
  'ext-directory-unwritten': error(
    'Unwritten block in a directory',
    'An extent of a directory is marked as never written, so that its records read as zeros.',
  ),
  'ext-directory-too-big': error(
    'Directory too big',
    'Without large_dir a directory has at most 2 GiB.',
  ),
  'ext-directory-record': error(
    'Directory record broken',
    'A record says how long it is: at least 12 bytes, a multiple of 4, enough for its name, and within its block. Behind one that is not, drivers find nothing. e2fsck drops what it cannot save.',
  ),
  'ext-directory-tail': error(
    'No room for a checksum in a directory block',
    'With metadata_csum the last 12 bytes of a block of records are a record of their own with the checksum.',
  ),
  'ext-directory-checksum': error(
    'Directory block checksum wrong',
    'With metadata_csum a block of records ends in a crc32c. It does not match: Linux does not read the block.',
  ),
  'ext-directory-dot': error(
    "'.' or '..' wrong",
    "The first record of a directory is '.' and leads to itself, the second is '..' and leads to where it lies.",
  ),
  'ext-directory-dot-long': warning(
    "Record '.' longer than it needs to be",
    "The record '.' takes room that would do for another one. e2fsck offers to split it, and does not count it as an error.",
  ),
  'ext-directory-dot-again': error(
    "A further '.' or '..'",
    "Only the first two records of a directory are '.' and '..'.",
  ),
  'ext-directory-parent': error(
    "'..' leads elsewhere",
    "The '..' of a directory leads to the directory that holds it.",
  ),
  'ext-directory-unconnected': error(
    'Directory outside of the tree',
    'No way leads from the root to the directory: no name leads to it, or only names within it. e2fsck puts it into lost+found.',
  ),
  'ext-directory-linked': error(
    'Directory with two names',
    'A directory lies in one place only; else it would have two parents.',
  ),
  'ext-directory-name': error(
    'Name that cannot be',
    'A name has at least one byte, and neither a zero nor a slash.',
  ),
  'ext-directory-name-twice': error(
    'Name twice in a directory',
    'Two records of a directory have the same name. Only the first of them can be reached.',
  ),
  'ext-directory-entry-inode': error(
    'Name leads to an impossible inode',
    'The inode of a record is above the last one, or kept for the volume itself.',
  ),
  'ext-directory-entry-unused': error(
    'Name leads to an unused inode',
    'The record leads to an inode that holds no file: it was deleted, or never used.',
  ),
  'ext-directory-entry-bad-block': error(
    'Name leads to an inode on a bad block',
    'The inode lies on a block that is listed as bad.',
  ),
  'ext-directory-entry-value': error(
    'Name leads to the value of an attribute',
    'Inodes that hold values of attributes have no names.',
  ),
  'ext-directory-entry-loop': error(
    'Name leads back',
    'The record leads to its own directory or to the root, so that a path would never end.',
  ),
  'ext-directory-entry-type': error(
    'Type in a record wrong',
    'With the feature filetype a record repeats the type of the inode it leads to; without it the byte is zero.',
  ),
  'ext-directory-entry-untyped': warning(
    'Record without a type',
    'With the feature filetype a record repeats the type of the inode it leads to. Where it does not, drivers look at the inode; e2fsck fills it in, and does not count it as an error.',
  ),
  'ext-directory-entry-encryption': error(
    'Plain file in an encrypted directory',
    'Everything in an encrypted directory is encrypted.',
  ),
  'ext-index-unexpected': error(
    'Index where the volume has none',
    'A directory claims an index, but the feature dir_index is off.',
  ),
  'ext-index-root': error(
    'Root of an index broken',
    'The index of a directory starts behind its first two records: which hash sorts the names, and how many levels it has.',
  ),
  'ext-index-counts': error(
    'Counts of an index node wrong',
    'A node says for how many entries it has room, and how many it has.',
  ),
  'ext-index-block': error(
    'Index leads out of the directory',
    'An entry of the index names a block that the directory does not have.',
  ),
  'ext-index-order': error(
    'Hashes of an index out of order',
    'The entries of a node are sorted by hash; else a search goes wrong.',
  ),
  'ext-index-hashes': error(
    'Names in the wrong block of an index',
    'A block holds names whose hashes lie outside of what the index says of it: they cannot be found.',
  ),
  'ext-index-depth': error(
    'Block of an index at the wrong depth',
    'All blocks with names lie equally deep in the index.',
  ),
  'ext-index-unreferenced': error(
    'Block that no index leads to',
    'The names in the block are listed, but cannot be found.',
  ),
  'ext-index-repeated': error(
    'Block that two entries of an index lead to',
    'Each block of an indexed directory has one entry in the index.',
  ),
  'ext-index-checksum': error(
    'Index node checksum wrong',
    'With metadata_csum a node of an index ends in a crc32c. It does not match.',
  ),
} as const;
