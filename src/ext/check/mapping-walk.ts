import { inodeFlags } from '../inode';
import type { ExtVolume } from '../volume';
import type { CheckContext } from './context';
import { ExtentWalk } from './extent-walk';
import type { InodeCursor } from './inode-cursor';
import { MappingTally, type MappingSink } from './mapping-tally';
import { PointerWalk } from './pointer-walk';

/** Follows the mappings of inodes one after the other, by extents or by pointers. */
export class MappingWalk {
  readonly tally: MappingTally;
  private readonly extents: ExtentWalk;
  private readonly pointers: PointerWalk;
  private readonly hasExtents: boolean;

  constructor(volume: ExtVolume, sink: MappingSink) {
    this.tally = new MappingTally(volume.geometry, sink);
    this.extents = new ExtentWalk(volume, this.tally, sink);
    this.pointers = new PointerWalk(volume, this.tally, sink);
    this.hasExtents = volume.geometry.features.has('extent');
  }

  /**
   * @param clusters that belong to the inode beside its content
   * @returns what was counted, until the next inode
   */
  walk(inode: InodeCursor, clusters = 0): MappingTally {
    this.tally.start(clusters);
    if (inode.hasMapping) {
      const hasTree = this.hasExtents && inode.has(inodeFlags.extents);
      (hasTree ? this.extents : this.pointers).walk(inode);
    }
    return this.tally;
  }
}

/** A sink that only wants to know where content lies, of one inode. */
export function runsOnly(context: CheckContext, run: MappingSink['run']): MappingSink {
  return {
    claim: () => undefined,
    mayEnter: context.enterOnce(),
    run,
    report: () => undefined,
  };
}
