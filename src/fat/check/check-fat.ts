import type { CheckReport } from '../../filesystem/check';
import type { Progress } from '../../filesystem/progress';
import type { FatVolume } from '../fat-volume';
import { checkBoot, checkFsInfo } from './boot-check';
import { FatReport } from './problem-table';
import { checkTable } from './table-check';
import { TreeCheck } from './tree-check';

/**
 * Looks for everything that is wrong with a volume. Takes some bytes of memory for each cluster,
 * and reads each directory and each FAT once.
 * @throws ImageError what `progress` throws
 */
export function checkFat(volume: FatVolume, progress: Progress): CheckReport {
  const report = new FatReport();
  checkBoot(volume, report);
  checkTable(volume, report, progress);
  const tree = new TreeCheck(volume, report, progress);
  tree.run();
  let lostFinding = -1;
  const { lost, free } = tree.claims.visitLost((cluster, count) => {
    const clusters =
      count === 1 ? `Cluster ${cluster} belongs` : `${count} clusters from ${cluster} on belong`;
    lostFinding = report.add('fat-lost-clusters', `${clusters} to no file.`, {
      ...volume.entryPlace(cluster),
      cause: tree.causeOf(cluster, count),
    });
  });
  checkFsInfo(volume, report, { marked: free, withLost: free + lost }, lostFinding);
  return report.build();
}
