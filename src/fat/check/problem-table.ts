import type { Severity } from '../../filesystem/finding';
import { CheckReportBuilder } from '../../filesystem/check-report';

function row(severity: Severity, title: string, explanation: string) {
  // A reference checker repairs what it calls an error, and leaves the rest alone.
  return { severity, title, explanation, fixable: severity === 'error' };
}

/** What makes it dangerous to take or to free further clusters. */
function endangering(title: string, explanation: string) {
  return { ...row('error', title, explanation), endangers: true } as const;
}

/**
 * Everything that a check of FAT can find. `error` is what fsck.fat would change or gives up on;
 * its messages and the Microsoft specification say which.
 */
export const fatProblems = {
  'fat-boot-sector-destroyed': row(
    'error',
    'Boot sector destroyed',
    'The first sector is no boot sector that a driver would take. The backup in the reserved area was read instead; nothing can be mounted until it is copied back.',
  ),
  'fat-volume-cut': row(
    'error',
    'Image too short',
    'The boot sector gives the volume more sectors than the image holds. Whatever lies in the missing part is lost, and writing there fails.',
  ),
  'fat-count-unusual': row(
    'error',
    'Number of FATs',
    'Volumes have one or two FATs. Checkers refuse any other number.',
  ),
  'fat-table-too-small': row(
    'error',
    'FAT too small for the volume',
    'Every cluster needs an entry in the FAT. Clusters beyond the last entry can never be used, and checkers refuse such a volume.',
  ),
  'fat-type-ambiguous': row(
    'error',
    'Too many clusters for FAT16',
    'With so many clusters Microsoft drivers take the volume for FAT32, Linux for FAT16: each reads other entries.',
  ),
  'fat-few-clusters': row(
    'warning',
    'Few clusters for FAT32',
    'The fields are those of FAT32, but with so few clusters Microsoft drivers take the volume for FAT12 or FAT16.',
  ),
  'fat-sizes-differ': row(
    'warning',
    'Two sizes',
    'The boot sector has two fields for the number of sectors, of which one should be 0. Drivers use the first.',
  ),
  'fat-root-slots-on-fat32': row(
    'error',
    'Fixed root directory on FAT32',
    'FAT32 keeps its root directory in clusters, so the number of slots of a fixed one must be 0. Drivers that count those slots look for the clusters in the wrong place.',
  ),
  'fat-root-cluster': row(
    'error',
    'Root directory lost',
    'The boot sector does not lead to a cluster in use where the root directory could start. Nothing can be reached.',
  ),
  'fat-media-differs': row(
    'warning',
    'Media type differs',
    'The media type stands in the boot sector and in the first entry of the FAT. Old systems compare the two.',
  ),
  'fat-signature-missing': row(
    'warning',
    'No boot signature',
    'The sector does not end in 55 AA. Firmware and Windows do not accept it; Linux does.',
  ),
  'fat-version': row(
    'warning',
    'Unknown version',
    'The only version of FAT32 is 0.0; drivers must not mount others.',
  ),
  'fat-backup-missing': row(
    'error',
    'No backup of the boot sector',
    'FAT32 keeps a copy of the boot sector in the reserved area. Without one a destroyed first sector cannot be restored.',
  ),
  'fat-backup-no-room': row(
    'note',
    'No room for a backup of the boot sector',
    'FAT32 keeps a copy of the boot sector in the reserved area, which is too small for it here.',
  ),
  'fat-backup-differs': row(
    'warning',
    'Backup of the boot sector differs',
    'The copy should say what the first sector says. Restoring it would change the volume.',
  ),
  'fat-dirty': row(
    'error',
    'Not unmounted cleanly',
    'A driver sets this mark while it writes, and clears it when it is done. It was interrupted: some changes may be missing.',
  ),
  'fat-io-errors': row(
    'warning',
    'Input/output errors were met',
    'A driver notes here that reading or writing the medium has failed. The surface should be tested.',
  ),
  'fat-info-missing': row(
    'note',
    'No FSInfo sector',
    'FSInfo holds the number of free clusters. Without it drivers count them.',
  ),
  'fat-info-outside': row(
    'error',
    'FSInfo outside of the reserved sectors',
    'What lies there belongs to a FAT or to files, and a driver that wrote the number of free clusters into it would destroy that.',
  ),
  'fat-info-signature': row(
    'error',
    'FSInfo destroyed',
    'The sector that should be FSInfo lacks its marks, so drivers do not use it.',
  ),
  'fat-info-free-count': row(
    'error',
    'Wrong number of free clusters',
    'FSInfo gives another number of free clusters than the FAT has. Systems that believe it show the wrong free space or refuse to write.',
  ),
  'fat-info-free-unknown': row(
    'note',
    'Number of free clusters unknown',
    'FSInfo says that nobody has counted. Drivers count when they need the number.',
  ),
  'fat-info-next-free': row(
    'note',
    'Hint outside of the volume',
    'FSInfo names a cluster to look for free ones from, which is not there. Drivers then start at the first.',
  ),
  'fat-copies-differ': endangering(
    'FAT copies differ',
    'All copies should be the same. A driver reads only one of them: which one decides where files lie.',
  ),
  'fat-first-entry': row(
    'error',
    'First entry of the FAT',
    'The first entry holds the media type below bits that are all set. Without it the FAT is taken for destroyed.',
  ),
  'fat-entry-out-of-range': row(
    'error',
    'Entry leads out of the volume',
    'The entry names a cluster that there is not. The chain is cut there.',
  ),
  'fat-bad-clusters': row(
    'note',
    'Clusters marked as bad',
    'Somebody found that these cannot be read. Nothing is stored in them.',
  ),
  'fat-start-invalid': row(
    'error',
    'Invalid first cluster',
    'The slot names a first cluster that there is not, so the content cannot be found.',
  ),
  'fat-directory-start': row(
    'error',
    'Directory leads to another one',
    'Its first cluster is that of a directory above it. Walking the tree would never end.',
  ),
  'fat-chain-free': endangering(
    'Chain runs into a free cluster',
    'A cluster of the chain is marked free, so any file may take it. What follows is lost.',
  ),
  'fat-chain-bad': row(
    'error',
    'Chain runs into a bad cluster',
    'A cluster of the chain is marked bad. What follows is lost.',
  ),
  'fat-chain-loop': endangering(
    'Chain leads back to itself',
    'The chain has no end. Reading it would repeat the same clusters for ever.',
  ),
  'fat-chain-shared': endangering(
    'Cluster of two files',
    'Two chains run through the same cluster. Writing one file changes the other one.',
  ),
  'fat-chain-long': row(
    'error',
    'Chain longer than the size',
    'The file has more clusters than its size needs. Linux leaves such after a preallocation that keeps the size; checkers cut them.',
  ),
  'fat-chain-short': row(
    'error',
    'Chain shorter than the size',
    'The file has fewer clusters than its size needs. What is missing cannot be read.',
  ),
  'fat-lost-clusters': row(
    'error',
    'Lost clusters',
    'They are marked as used, but belong to no file. A checker frees them or makes files of them.',
  ),
  'fat-directory-size': row(
    'error',
    'Directory with a size',
    'The size of a directory is that of its chain, so its slot must say 0.',
  ),
  'fat-dot-missing': row(
    'error',
    'Dot entry missing',
    'Every directory but the root starts with "." for itself and ".." for its parent.',
  ),
  'fat-dot-wrong': row(
    'error',
    'Dot entry leads astray',
    '"." must lead to its own directory and ".." to the one above, where 0 stands for the root.',
  ),
  'fat-name-bad': row(
    'error',
    'Invalid short name',
    'The name holds bytes that short names must not have. Some systems cannot open, rename or delete such an entry.',
  ),
  'fat-name-missing': row(
    'error',
    'No name at all',
    'A mark in the entry says that its short name is none, but there is no long name beside it.',
  ),
  'fat-name-duplicate': row(
    'error',
    'Two entries of one name',
    'Names are unique within a directory. Only the first one can be opened.',
  ),
  'fat-long-name-orphan': row(
    'error',
    'Long name of nothing',
    'Its slots are not followed by the short slot that they name. They only take room.',
  ),
  'fat-long-name-field': row(
    'error',
    'Reserved field of a long name',
    'Slots of long names keep two fields at 0, so that older systems see nothing in them.',
  ),
  'fat-long-name-broken': row(
    'warning',
    'Broken long name',
    'The slots of the long name do not fit together, or belong to another short name. The entry shows its short name.',
  ),
  'fat-behind-end': row(
    'warning',
    'Entries behind the end of the directory',
    'A slot that starts with 0 ends a directory. What lies behind it is not seen by drivers, but by some checkers.',
  ),
  'fat-directory-large': row(
    'warning',
    'Directory too large',
    'Directories hold 65,536 slots at most. Drivers do not look further.',
  ),
  'fat-label-invalid': row(
    'error',
    'Invalid label',
    'The label holds characters that labels must not have, or is blank where there should be none.',
  ),
  'fat-labels-differ': row(
    'error',
    'Two labels',
    'The label stands in the boot sector and in the root directory. They differ, and systems show the one or the other.',
  ),
  'fat-label-several': row(
    'warning',
    'Several labels',
    'Only the first label of the root directory counts.',
  ),
  'fat-date-invalid': row(
    'note',
    'Invalid date',
    'The date or time is no moment of the calendar. Systems show something else, or nothing.',
  ),
} as const;

export type FatProblem = keyof typeof fatProblems;

/** What a check of FAT finds. */
export class FatReport extends CheckReportBuilder<FatProblem> {
  constructor() {
    super(fatProblems);
  }
}
