import { planAllocation, type AllocationPolicy } from '../../filesystem/allocation';
import { FreeSpaceIndex } from '../../filesystem/free-space-index';
import type { Progress } from '../../filesystem/progress';
import type { UnitRun } from '../../filesystem/sorted-runs';
import { ImageError } from '../../image/errors';
import { readFreeBlocks } from '../free-blocks';
import type { MetadataTable } from '../metadata';
import { groupStart } from '../superblock';
import type { VolumeWriter } from '../volume-writer';
import type { EditedBlocks } from './block-store';

/** Blocks for one piece of content. */
export interface BlockRequest {
  /** Blocks of content, and blocks of pointers that lead to them. */
  readonly data: number;
  readonly pointers: number;
  /** The block after the one that the content continues. */
  readonly goal?: number;
  /** Whose content it is: `next-fit` starts in its group. */
  readonly inode: number;
}

/** Takes blocks for content and gives them back. Reserved blocks are there for the editor. */
export class BlockAllocator {
  private known: FreeSpaceIndex | undefined;
  /** Where the last allocation ended. */
  private next: number | undefined;

  constructor(
    private readonly writer: VolumeWriter,
    private readonly store: EditedBlocks,
    private readonly metadata: () => MetadataTable,
    private readonly options: { readonly policy: AllocationPolicy; readonly progress: Progress },
  ) {}

  /**
   * Takes blocks; their bytes are what was left there.
   * @returns runs in the order in which the content gets them
   * @throws ImageError `full`, and then nothing is taken; `corrupt`
   */
  allocate(request: BlockRequest): { data: UnitRun[]; pointers: UnitRun[] } {
    const { index } = this;
    const needed = request.data + request.pointers;
    if (needed > index.total) {
      const message = `The volume is full: ${needed} blocks are needed, but only ${index.total} free.`;
      throw new ImageError('full', message);
    }
    const { policy } = this.options;
    this.next ??= this.groupStartOf(request.inode);
    const plan = (units: number, goal?: number) =>
      planAllocation(index, { units, unit: 'block', policy, goal, hint: this.next ?? 0 });
    const data = plan(request.data, request.goal);
    this.take(data);
    const pointers =
      policy === 'contiguous' ? this.outOfTheWay(request.pointers) : plan(request.pointers);
    this.take(pointers);
    return { data, pointers };
  }

  /** Blocks are free again, and what was changed in them is forgotten. */
  release(start: number, length: number): void {
    this.known?.release(start, length); // the bitmaps tell it what was free before
    this.store.forget(start, length);
    this.writer.markBlocks(start, length, false);
  }

  /**
   * Blocks of pointers are taken from the end of what is free, so that content can go on where
   * it ends.
   */
  private outOfTheWay(units: number): UnitRun[] {
    const { index } = this;
    const runs = planAllocation(index, { units, unit: 'block', policy: 'contiguous', hint: 0 });
    return runs.map(({ start, length }) => {
      const run = index.runAt(start);
      return run ? { start: run.start + run.length - length, length } : { start, length };
    });
  }

  private take(runs: readonly UnitRun[]): void {
    for (const { start, length } of runs) {
      this.index.take(start, length);
      this.writer.markBlocks(start, length, true);
      this.next = start + length;
    }
  }

  /**
   * Read once; metadata that the bitmaps call free is left out.
   * @throws ImageError `corrupt` where two structures are said to lie in one block
   */
  private get index(): FreeSpaceIndex {
    if (this.known) return this.known;
    const index = FreeSpaceIndex.of(readFreeBlocks(this.writer.volume, this.options.progress));
    let end = 0;
    for (const { start, length } of this.metadata().all()) {
      if (start < end) {
        const message = `The group descriptors contradict each other at block ${start}.`;
        throw new ImageError('corrupt', message);
      }
      end = start + length;
      for (const run of [...overlapping(index, start, length)]) index.take(run.start, run.length);
    }
    return (this.known = index);
  }

  private groupStartOf(inode: number): number {
    const { geometry } = this.writer.volume;
    return groupStart(geometry, Math.floor((inode - 1) / geometry.inodesPerGroup));
  }
}

/** What is free of a range. */
function* overlapping(index: FreeSpaceIndex, start: number, length: number): Generator<UnitRun> {
  for (const run of index.fromPlace(start)) {
    if (run.start >= start + length) return;
    const from = Math.max(start, run.start);
    yield { start: from, length: Math.min(start + length, run.start + run.length) - from };
  }
}
