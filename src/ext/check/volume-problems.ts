import { beyondRepair, endangering, error, note, warning } from './problem-row';

/** Problems of what the volume keeps for itself. */
export const volumeProblems = {
  'ext-superblock-primary': error(
    'Primary superblock unusable',
    'The superblock at byte 1024 says how everything else is to be read. Its numbers make no sense, so a copy is used. No driver mounts the volume until the copy is written back.',
  ),
  'ext-superblock-field': error(
    'Superblock field out of range',
    'A number of the superblock lies outside of what the format allows, or contradicts another one. Drivers refuse such a volume; e2fsck goes back to a copy.',
  ),
  'ext-superblock-checksum': error(
    'Superblock checksum wrong',
    'With metadata_csum the superblock ends in a crc32c of itself. It does not match: a write was torn or a byte was changed. Drivers refuse the volume; e2fsck takes a copy.',
  ),
  'ext-superblock-inodes': error(
    'Inode count contradicts the groups',
    'The number of inodes is the number of groups times the inodes in each. Where it is not, inode numbers above the smaller of the two mean nothing.',
  ),
  'ext-superblock-hint': warning(
    'Superblock hint out of range',
    'How much of an inode new files should use is a hint to drivers; this one cannot be followed.',
  ),
  'ext-superblock-free': warning(
    'Free count of the superblock out of date',
    'The superblock keeps a sum of the free counts of all groups, for statistics. Drivers count again when they mount, so it is often out of date; e2fsck writes the right one.',
  ),
  'ext-feature-unknown': beyondRepair(
    error(
      'Feature that no checker knows',
      'The volume has a feature that e2fsck 1.47 does not know. It refuses to check, for what it takes to be wrong may be right with the feature.',
    ),
  ),
  'ext-feature-conflict': warning(
    'Features that contradict each other',
    'Some features need others, some exclude each other. Drivers may refuse the volume. e2fsck offers to put it right, and does not count it as an error.',
  ),
  'ext-large-file-missing': error(
    'Files of 2 GiB without the feature for them',
    'Old drivers take the high half of a size for something else, so a volume with files of 2 GiB or more has to name the feature large_file.',
  ),
  'ext-volume-truncated': warning(
    'Image shorter than its volume',
    'The superblock counts more blocks than the image has. What lies behind the end cannot be read; the image was cut, or the volume was made larger than its device.',
  ),
  'ext-descriptors-primary': error(
    'Primary group descriptors unusable',
    'The group descriptors say where bitmaps and inode tables lie. The primary ones lead to no root directory; a copy does, and is used.',
  ),
  'ext-descriptor-location': endangering(
    error(
      'Bitmap or inode table out of place',
      'Bitmaps and inode tables lie in the volume, and without flex_bg in their own group. Where a descriptor leads elsewhere, drivers refuse the volume, and e2fsck makes new ones.',
    ),
  ),
  'ext-descriptor-conflict': endangering(
    error(
      'Structures on top of each other',
      'Two bitmaps, inode tables or descriptors are said to lie in the same block. One of them has been overwritten.',
    ),
  ),
  'ext-descriptor-checksum': warning(
    'Descriptor checksum wrong',
    'A group descriptor carries a checksum of itself. Where it does not match, Linux refuses to mount; e2fsck asks to write the right one, and does not count it as an error by itself.',
  ),
  'ext-descriptor-flags': warning(
    'Group flags that cannot be',
    'A group may be marked as never initialised where the volume has checksums of descriptors, and never the last one.',
  ),
  'ext-descriptor-unused': warning(
    'Too many unused inodes',
    'A descriptor says how many inodes at the end of its table were never used. There cannot be more of them than free ones.',
  ),
  'ext-block-bitmap-unused': error(
    'Unused blocks marked as used',
    'The block bitmap marks blocks that no file and no structure uses: space that is lost until the bitmap is repaired.',
  ),
  'ext-block-bitmap-used': endangering(
    error(
      'Used blocks not marked',
      'A file or a structure uses blocks that the bitmap says are free. The next file that is written may take them, and destroy what is there.',
    ),
  ),
  'ext-inode-bitmap-unused': error(
    'Unused inodes marked as used',
    'The inode bitmap marks inodes that hold no file: inodes that are lost until the bitmap is repaired.',
  ),
  'ext-inode-bitmap-used': endangering(
    error(
      'Used inodes not marked',
      'An inode holds a file, but the bitmap says it is free. The next file that is made may take it, and destroy the one that is there.',
    ),
  ),
  'ext-bitmap-checksum': error(
    'Bitmap checksum wrong',
    'With metadata_csum the group descriptor keeps a checksum of each bitmap. Where it does not match, Linux takes nothing from the group.',
  ),
  'ext-bitmap-padding': error(
    'Bitmap not filled up',
    'Bits of a bitmap behind those of its group are set, so that nothing is taken from there.',
  ),
  'ext-group-free-blocks': error(
    'Free blocks of a group miscounted',
    'A descriptor counts the free blocks of its group (clusters with bigalloc). It differs from what the bitmap says.',
  ),
  'ext-group-free-inodes': error(
    'Free inodes of a group miscounted',
    'A descriptor counts the free inodes of its group. It differs from what the bitmap says.',
  ),
  'ext-group-directories': error(
    'Directories of a group miscounted',
    'A descriptor counts the directories of its group, which Linux spreads over groups by it.',
  ),
  'ext-resize-inode': warning(
    'Resize inode wrong',
    'Inode 7 keeps blocks for the descriptors of groups to come, and their copies. e2fsck makes it anew, and does not count it as an error by itself.',
  ),
  'ext-journal-inode': beyondRepair(
    error(
      'Journal unusable',
      'The journal is a file without holes of at least 1024 blocks. Its inode holds none, and there is no copy of it. e2fsck gives up, unless it may make a new journal.',
    ),
  ),
  'ext-journal-inode-copied': warning(
    'Journal inode wrong, its copy right',
    'The superblock has a copy of where the journal lies. The journal can be used by it, but its inode does not lead there.',
  ),
  'ext-journal-superblock': error(
    'Journal superblock wrong',
    'The first block of the journal says how its log is to be read. Where it is damaged, nothing can be replayed, and Linux refuses to mount.',
  ),
  'ext-journal-stopped': error(
    'Journal stopped by an error',
    'The driver could not write to the journal and noted the error in it. e2fsck takes it over into the superblock and clears it.',
  ),
  'ext-journal-external': beyondRepair(
    error(
      'Journal on another device',
      'The journal of the volume is not in the volume. Without the other device nobody knows whether changes wait there; e2fsck refuses to go on without it.',
    ),
  ),
  'ext-journal-not-empty': warning(
    'Log without need of recovery',
    'The log of the journal is not empty, but the superblock does not say that it has to be replayed.',
  ),
  'ext-journal-pending': note(
    'Log not replayed',
    'The volume was not unmounted. What is checked is its state on disk; the journal holds changes that a mount would carry out first, and much of what is found may go with them.',
  ),
  'ext-orphan-list': note(
    'List of orphans',
    'Files that were open when they lost their last name are kept on a list until they are closed. It outlived a crash; a mount deletes them.',
  ),
  'ext-orphan-file': error(
    'Orphan file not empty',
    'With orphan_file, files that were open when they lost their last name are listed in a file of blocks. On a volume that is not mounted, its blocks are empty and end in a magic number and a checksum.',
  ),
  'ext-quota-inode': error(
    'Quota inode wrong',
    'Quotas are kept in reserved inodes, as regular files; without the feature those inodes are unused.',
  ),
} as const;
