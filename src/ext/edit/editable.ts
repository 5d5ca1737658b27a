import { ImageError } from '../../image/errors';
import { groupIsSane } from '../groups';
import { openJournalFile } from '../journal-file';
import { primaryOffset } from '../superblock';
import type { ExtVolume } from '../volume';

/**
 * The features of which an editor keeps everything right; inodes that are encrypted, sealed or
 * sorted without case refuse what cannot be done to them.
 */
const writable: ReadonlySet<string> = new Set([
  'dir_prealloc',
  'has_journal',
  'ext_attr',
  'resize_inode',
  'dir_index',
  'sparse_super2',
  'fast_commit',
  'stable_inodes',
  'orphan_file',
  'filetype',
  'meta_bg',
  'extent',
  '64bit',
  'flex_bg',
  'metadata_csum_seed',
  'large_dir',
  'inline_data',
  'encrypt',
  'casefold',
  'sparse_super',
  'large_file',
  'huge_file',
  'uninit_bg',
  'dir_nlink',
  'extra_isize',
  'metadata_csum',
  'verity',
]);

const needsRecovery = 'needs_recovery';
const cleanlyUnmounted = 1;
const errorsSeen = 2;
const latestRevision = 1;

/** The sentence that says why a volume cannot be edited, with all reasons; null where it can. */
export function whyNotEditable(volume: ExtVolume): string | null {
  const reasons = [...featureReasons(volume), ...stateReasons(volume), ...placeReasons(volume)];
  if (reasons.length === 0) return null;
  return `This volume cannot be changed: ${reasons.join('; ')}.`;
}

/** A sentence on what is unusual and yet no reason against an edit; null where nothing is. */
export function doubtAboutEdit({ geometry }: ExtVolume): string | null {
  if ((geometry.values.s_state & cleanlyUnmounted) !== 0) return null;
  return (
    'The volume was not unmounted cleanly: what is free in its bitmaps may be in use, ' +
    'so it should be checked before it is changed.'
  );
}

function featureReasons({ geometry }: ExtVolume): string[] {
  const { features, values, creator } = geometry;
  const reasons: string[] = [];
  const beyond = features.names.filter((name) => !writable.has(name) && name !== needsRecovery);
  if (beyond.length > 0) {
    const names =
      beyond.length === 1 ? `its feature ${beyond[0]}` : `its features ${listed(beyond)}`;
    reasons.push(`${names} cannot be written`);
  }
  if (values.s_rev_level > latestRevision) {
    reasons.push(`its revision ${values.s_rev_level} is not known`);
  }
  if (values.s_rev_level === 0 && features.names.length > 0) {
    reasons.push('it has features, which its revision 0 does not know');
  }
  if (creator === 'hurd')
    reasons.push('it was made for the Hurd, which keeps its inodes otherwise');
  return reasons;
}

function stateReasons(volume: ExtVolume): string[] {
  const { features, values } = volume.geometry;
  const reasons: string[] = [];
  if (features.has(needsRecovery)) {
    reasons.push('its journal holds changes that must be replayed first');
  } else if (features.has('has_journal') && values.s_journal_inum !== 0) {
    const reason = journalReason(volume);
    if (reason) reasons.push(reason);
  }
  if ((values.s_state & errorsSeen) !== 0) {
    reasons.push('errors are recorded in its superblock, so it should be checked first');
  }
  return reasons;
}

/** A log that is not empty would be replayed over what was changed, by `e2fsck` at least. */
function journalReason(volume: ExtVolume): string | null {
  try {
    const { superblock } = openJournalFile(volume);
    return superblock.s_start === 0
      ? null
      : 'its journal is not empty, although nothing is said to need recovery';
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    return 'its journal cannot be read';
  }
}

/** Where its structures are not where, or not what, they should be. */
function placeReasons({ geometry, groups, bytes }: ExtVolume): string[] {
  const reasons: string[] = [];
  if (geometry.offset !== primaryOffset) {
    reasons.push('its superblock is destroyed and a copy of it is used instead');
  }
  if (groups.copyGroup !== 0) {
    reasons.push('its group descriptors are destroyed and a copy of them is used instead');
  }
  if (geometry.doubt) reasons.push(`its superblock is doubtful, ${geometry.doubt}`);
  if (geometry.values.s_inodes_count !== geometry.groups * geometry.inodesPerGroup) {
    reasons.push('the number of its inodes contradicts the number of its groups');
  }
  if (!groupIsSane(geometry, groups.group(0))) {
    reasons.push('the bitmaps and inodes of its first group lie outside of it');
  }
  if (geometry.blocks * geometry.blockSize > bytes.present) reasons.push('the image is truncated');
  return reasons;
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}
