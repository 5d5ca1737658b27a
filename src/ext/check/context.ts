import type { Progress } from '../../filesystem/progress';
import type { ExtVolume } from '../volume';
import { BlockClaims } from './block-claims';
import { DirectoryList } from './directory-list';
import type { GroupColumns } from './group-columns';
import { InodeColumns } from './inode-columns';
import type { ExtReport } from './problem-table';

/** What the passes of a check share. */
export class CheckContext {
  readonly claims: BlockClaims;
  readonly inodes: InodeColumns;
  readonly directories = new DirectoryList();
  /** How many attributes keep their value in an inode, by that inode. */
  readonly valueReferences = new Map<number, number>();
  /** Set where a file is so long that the volume has to say so (feature `large_file`). */
  hasLargeFiles = false;

  constructor(
    readonly volume: ExtVolume,
    readonly groups: GroupColumns,
    readonly report: ExtReport,
    readonly progress: Progress,
  ) {
    const { geometry } = volume;
    this.claims = new BlockClaims(geometry, geometry.features.has('shared_blocks'));
    this.inodes = new InodeColumns(geometry);
  }

  /** Where the superblock that was read starts in the image, in bytes. */
  get superblockPlace(): number {
    return this.volume.bytes.offset + this.volume.geometry.offset;
  }
}
