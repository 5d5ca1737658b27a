import { superblock } from '../superblock';
import type { VolumeWriter } from '../volume-writer';

const largestWithoutFeature = 2 ** 31 - 1;
const largeFile = 0x2;
const goodOldInodeSize = 128;
const goodOldFirstInode = 11;

/**
 * Says in the superblock that there are files of 2 GiB and more. Features need revision 1, which
 * says in words what goes without saying in revision 0 (`ext2_update_dynamic_rev` of Linux).
 * @param size of a file, in bytes
 */
export function requireLargeFiles(writer: VolumeWriter, size: number): void {
  if (size <= largestWithoutFeature || writer.volume.geometry.features.has('large_file')) return;
  writer.editSuperblock((raw) => {
    const { s_rev_level, s_feature_ro_compat } = superblock.fields;
    if (s_rev_level.read(raw, s_rev_level.offset) === 0) {
      superblock.set(raw, 's_rev_level', 1);
      superblock.set(raw, 's_first_ino', goodOldFirstInode);
      superblock.set(raw, 's_inode_size', goodOldInodeSize);
    }
    const features = s_feature_ro_compat.read(raw, s_feature_ro_compat.offset);
    superblock.set(raw, 's_feature_ro_compat', (features | largeFile) >>> 0);
  });
}
