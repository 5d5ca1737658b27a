import { holdsBlocks } from '../superblock';
import type { CheckContext } from './context';
import { inodeFacts } from './inode-columns';
import type { InodeCursor } from './inode-cursor';
import type { MappingSink } from './mapping-tally';
import { MappingWalk } from './mapping-walk';
import type { InodeTableReader } from './table-reader';

/** What of an inode is claimed by others too. */
interface Share {
  blocks: number;
  first: number;
}

/** Finds out who claims the blocks that are claimed more than once: each of them is told. */
export class SharedBlocks {
  private readonly sink: MappingSink;
  private readonly mapping: MappingWalk;
  private share: Share = { blocks: 0, first: -1 };

  constructor(
    private readonly context: CheckContext,
    private readonly tables: InodeTableReader,
  ) {
    this.sink = this.makeSink();
    this.mapping = new MappingWalk(context.volume, this.sink);
  }

  run(): void {
    const { claims, groups, progress } = this.context;
    if (claims.shared.isEmpty) return;
    for (let group = 0; group < groups.count; group++) {
      progress.report(group, groups.count);
      this.tables.visit(group, (inode) => this.check(inode));
    }
  }

  private check(inode: InodeCursor): void {
    const { volume, claims, inodes, report } = this.context;
    if (!inodes.has(inode.number, inodeFacts.used)) return;
    this.share = { blocks: 0, first: -1 };
    const { share } = this;
    const { attributeBlock } = inode;
    this.mapping.walk(inode);
    if (attributeBlock !== 0 && holdsBlocks(volume.geometry, attributeBlock)) {
      this.sink.claim(attributeBlock, 1);
    }
    if (share.blocks === 0) return;
    const own = claims.metadata.has(share.first) ? "the volume's own structures" : 'others';
    const message = `Inode ${inode.number} shares ${share.blocks} blocks with ${own}, the first is ${share.first}.`;
    report.add('ext-block-shared', message, {
      offset: inode.imageOffset(share.first),
      length: volume.geometry.blockSize,
      inode: inode.number,
      field: 'inode.i_block',
    });
  }

  private makeSink(): MappingSink {
    const { claims, volume } = this.context;
    const { clusterBlocks } = volume.geometry;
    return {
      claim: (start, length) => {
        const blocks = claims.shared.count(start, length);
        this.share.blocks += blocks;
        if (blocks === 0 || this.share.first >= 0) return;
        let first = start;
        while (!claims.shared.has(first)) first += clusterBlocks;
        this.share.first = first;
      },
      mayEnter: this.context.enterOnce(),
      run: () => undefined,
      report: () => undefined,
    };
  }
}
