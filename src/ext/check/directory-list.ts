import type { InodeCursor } from './inode-cursor';
import type { MemoryBudget } from './memory-budget';

const bytesPerDirectory = 200; // about, as an object and in the map
const bytesPerRun = 24;

/** What a directory's blocks are known by. */
export class DirectoryFacts {
  readonly number: number;
  readonly flags: number;
  readonly generation: number;
  readonly size: number;
  /** Where its inode starts in the image, in bytes. */
  readonly place: number;
  /** The one past its last run. */
  endRun: number;
  /** The directory whose record leads to it, 0 where none does. */
  parent = 0;
  /** What its `..` says, 0 where that is missing. */
  dotDot = 0;

  /** @param firstRun its first run in the list */
  constructor(
    inode: InodeCursor,
    readonly firstRun: number,
  ) {
    this.number = inode.number;
    this.flags = inode.flags;
    this.generation = inode.generation;
    this.size = inode.size;
    this.place = inode.place;
    this.endRun = firstRun;
  }
}

/** A run of blocks of a directory; physical 0 is a hole. */
export interface DirectoryRun {
  readonly logical: number;
  readonly physical: number;
  readonly length: number;
}

/** The directories of a volume, and where they lie: columns, for there may be millions of runs. */
export class DirectoryList {
  readonly all: DirectoryFacts[] = [];
  private readonly byNumber = new Map<number, DirectoryFacts>();
  private logicals = new Float64Array(64);
  private physicals = new Float64Array(64);
  private lengths = new Float64Array(64);
  private count = 0;

  constructor(private readonly memory: MemoryBudget) {}

  start(inode: InodeCursor): void {
    this.memory.take(bytesPerDirectory);
    const directory = new DirectoryFacts(inode, this.count);
    this.all.push(directory);
    this.byNumber.set(inode.number, directory);
  }

  /** A run of the directory that was started last. */
  addRun(logical: number, physical: number, length: number): void {
    const last = this.count - 1;
    const directory = this.all[this.all.length - 1];
    const joins =
      physical !== 0 &&
      last >= directory.firstRun &&
      this.logicals[last] + this.lengths[last] === logical &&
      this.physicals[last] + this.lengths[last] === physical;
    if (joins) {
      this.lengths[last] += length;
      return;
    }
    if (this.count === this.logicals.length) this.grow();
    this.logicals[this.count] = logical;
    this.physicals[this.count] = physical;
    this.lengths[this.count] = length;
    this.count += 1;
    directory.endRun = this.count;
  }

  run(index: number): DirectoryRun {
    return {
      logical: this.logicals[index],
      physical: this.physicals[index],
      length: this.lengths[index],
    };
  }

  find(number: number): DirectoryFacts | undefined {
    return this.byNumber.get(number);
  }

  private grow(): void {
    this.memory.take(this.count * bytesPerRun);
    const wider = (column: Float64Array) => {
      const larger = new Float64Array(column.length * 2);
      larger.set(column);
      return larger;
    };
    this.logicals = wider(this.logicals);
    this.physicals = wider(this.physicals);
    this.lengths = wider(this.lengths);
  }
}
