import type { Progress } from '../../filesystem/progress';
import type { ExtVolume } from '../volume';
import { CheckProgress } from './check-progress';
import { BlockClaims, ClusterSet } from './block-claims';
import { DirectoryList } from './directory-list';
import type { GroupColumns } from './group-columns';
import { InodeColumns } from './inode-columns';
import { MemoryBudget } from './memory-budget';
import type { ExtReport } from './problem-table';

/** What the passes of a check share. */
export class CheckContext {
  readonly memory = new MemoryBudget();
  readonly progress: CheckProgress;
  readonly claims: BlockClaims;
  readonly inodes: InodeColumns;
  readonly directories = new DirectoryList(this.memory);
  /** How many attributes keep their value in an inode, by that inode. */
  readonly valueReferences = new Map<number, number>();
  /** Set where a file is so long that the volume has to say so (feature `large_file`). */
  hasLargeFiles = false;

  constructor(
    readonly volume: ExtVolume,
    readonly groups: GroupColumns,
    readonly report: ExtReport,
    progress: Progress,
  ) {
    this.progress = new CheckProgress(progress);
    const { geometry } = volume;
    this.claims = new BlockClaims(geometry, this.memory, geometry.features.has('shared_blocks'));
    this.inodes = new InodeColumns(geometry, this.memory);
  }

  /** An empty set of blocks, which knows them apart where clusters have several. */
  newBlockSet(): ClusterSet {
    return new ClusterSet({ ...this.volume.geometry, clusterBlocks: 1 }, this.memory);
  }

  /**
   * An answer to `MappingSink.mayEnter`: every block once. Whoever gave up the check is heard here,
   * for one inode can lead to more blocks than a person wants to wait for.
   */
  enterOnce(): (block: number) => boolean {
    const entered = this.newBlockSet();
    let count = 0;
    return (block) => {
      if ((++count & 0x3ff) === 0) this.progress.stay();
      if (entered.has(block)) return false;
      entered.add(block, 1);
      return true;
    };
  }

  /** Where the superblock that was read starts in the image, in bytes. */
  get superblockPlace(): number {
    return this.volume.bytes.offset + this.volume.geometry.offset;
  }
}
