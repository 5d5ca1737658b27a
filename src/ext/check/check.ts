import type { CheckReport } from '../../filesystem/check';
import type { Progress } from '../../filesystem/progress';
import type { ExtVolume } from '../volume';
import { BitmapPass } from './bitmap-pass';
import { CheckContext } from './context';
import { DirectoryPass } from './directory-pass';
import { GroupColumns } from './group-columns';
import { InodePass } from './inode-pass';
import { JournalCheck } from './journal-check';
import { LinkPass } from './link-pass';
import { OrphanCheck } from './orphan-check';
import { Paths } from './paths';
import { ExtReport } from './problem-table';
import { ResizeCheck } from './resize-check';
import { SharedBlocks } from './shared-blocks';
import { InodeTableReader } from './table-reader';
import { TreePass } from './tree-pass';
import { VolumePass } from './volume-pass';
import { superblock } from '../superblock';

/**
 * Looks for all that is wrong with a volume, in the order of e2fsck: what concerns all of it, then
 * inodes, directories, the tree, names, and bitmaps. A log that was not replayed is not looked at.
 * @throws ImageError `unsupported` where the volume is too large for the memory allowed
 */
export function checkVolume(volume: ExtVolume, progress: Progress): CheckReport {
  const report = new ExtReport();
  const groups = new GroupColumns(volume);
  const context = new CheckContext(volume, groups, report, progress);
  const tables = new InodeTableReader(volume, groups);
  new JournalCheck(context, tables).run();
  new VolumePass(context).run();
  new ResizeCheck(context, tables).run();
  new InodePass(context, tables).run();
  new SharedBlocks(context, tables).run();
  new DirectoryPass(context, tables).run();
  checkLargeFiles(context);
  new TreePass(context).run();
  new LinkPass(context, tables).run();
  new BitmapPass(context).run();
  new OrphanCheck(context, tables).run();
  const paths = new Paths(context);
  paths.learn(report.inodes);
  return report.build((inode) => paths.pathOf(inode));
}

function checkLargeFiles(context: CheckContext): void {
  const { features, values } = context.volume.geometry;
  if (!context.hasLargeFiles) return;
  if (features.has('large_file') && values.s_rev_level > 0) return;
  const { offset, length } = superblock.fields.s_feature_ro_compat;
  const message = 'There are files of 2 GiB or more, which the volume does not say (large_file).';
  context.report.add('ext-large-file-missing', message, {
    offset: context.superblockPlace + offset,
    length,
    field: 'superblock.s_feature_ro_compat',
  });
}
