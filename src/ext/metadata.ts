import type { OwnershipBuilder, Role } from '../filesystem/ownership';
import { groupHead, inodeTableBlocks } from './groups';
import { groupStart, holdsBlocks } from './superblock';
import type { ExtVolume } from './volume';

/** What a volume keeps for itself, with the role and the words for each. */
const kinds = [
  { kind: 'superblock', role: 'superblock', name: 'superblock' },
  { kind: 'descriptors', role: 'descriptors', name: 'group descriptors' },
  {
    kind: 'reserved descriptors',
    role: 'descriptors',
    name: 'room for more group descriptors',
  },
  { kind: 'block bitmap', role: 'bitmap', name: 'block bitmap' },
  { kind: 'inode bitmap', role: 'bitmap', name: 'inode bitmap' },
  { kind: 'inode table', role: 'inodes', name: 'inode table' },
  { kind: 'protection', role: 'superblock', name: 'multi-mount protection' },
] as const satisfies readonly { kind: string; role: Role; name: string }[];

export type MetadataKind = (typeof kinds)[number]['kind'];

/** A run of blocks that the volume keeps for itself. */
export interface MetadataRun {
  readonly start: number;
  readonly length: number;
  readonly kind: MetadataKind;
  /** The group that it describes, or of which it is the copy. */
  readonly group: number;
}

/** What the volume keeps for itself, by place; columns, for there are some in every group. */
export class MetadataTable {
  private readonly starts: Float64Array;
  private readonly lengths: Float64Array;
  private readonly kinds: Uint8Array;
  private readonly groups: Uint32Array;
  /** The longest run, so that a search backwards knows where to stop. */
  private readonly longest: number;

  constructor(private readonly volume: ExtVolume) {
    const runs = collect(volume).sort((a, b) => a.start - b.start);
    this.starts = Float64Array.from(runs, ({ start }) => start);
    this.lengths = Float64Array.from(runs, ({ length }) => length);
    this.kinds = Uint8Array.from(runs, ({ kind }) => kinds.findIndex((row) => row.kind === kind));
    this.groups = Uint32Array.from(runs, ({ group }) => group);
    this.longest = this.lengths.reduce((longest, length) => Math.max(longest, length), 0);
  }

  /** The runs that cover a block: one, unless the descriptors contradict each other. */
  at(block: number): MetadataRun[] {
    const found: MetadataRun[] = [];
    let row = this.rowAfter(block) - 1;
    for (; row >= 0 && this.starts[row] > block - this.longest; row--) {
      if (block < this.starts[row] + this.lengths[row]) found.unshift(this.run(row));
    }
    return found;
  }

  /** True where a run of blocks holds a block that the volume keeps for itself. */
  overlaps(start: number, length: number): boolean {
    let row = this.rowAfter(start + length - 1) - 1;
    for (; row >= 0 && this.starts[row] > start - this.longest; row--) {
      if (start < this.starts[row] + this.lengths[row]) return true;
    }
    return false;
  }

  /** All runs by place; they overlap where the descriptors contradict each other. */
  *all(): Generator<MetadataRun, void> {
    for (let row = 0; row < this.starts.length; row++) yield this.run(row);
  }

  /** Adds all runs to an index of owners. */
  addTo(builder: OwnershipBuilder): void {
    const { clusterBlocks } = this.volume.geometry;
    let covered = 0;
    for (let row = 0; row < this.starts.length; row++) {
      const run = this.run(row);
      const next = row + 1 < this.starts.length ? this.starts[row + 1] : Infinity;
      const { start, end } = inWholeClusters(run, covered, next, clusterBlocks);
      covered = Math.max(covered, end);
      const { role } = kinds[this.kinds[row]];
      builder.addStructure(start, end - start, role, nameOf(run));
    }
  }

  private run(row: number): MetadataRun {
    return {
      start: this.starts[row],
      length: this.lengths[row],
      kind: kinds[this.kinds[row]].kind,
      group: this.groups[row],
    };
  }

  private rowAfter(block: number): number {
    let low = 0;
    let high = this.starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.starts[middle] <= block) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Names a run: `block bitmap of group 3`. */
export function nameOf({ kind, group }: MetadataRun): string {
  const { name } = kinds.find((row) => row.kind === kind) ?? kinds[0];
  if (kind === 'protection') return name;
  if (kind === 'block bitmap' || kind === 'inode bitmap' || kind === 'inode table') {
    return `${name} of group ${group}`;
  }
  return group === 0 ? name : `${name}, copy in group ${group}`;
}

function collect(volume: ExtVolume): MetadataRun[] {
  const { geometry, bytes } = volume;
  const runs: MetadataRun[] = [];
  const present = Math.ceil(bytes.present / geometry.blockSize);
  for (let group = 0; group < geometry.groups; group++) {
    if (groupStart(geometry, group) >= present) break;
    for (const run of groupHead(geometry, group)) runs.push({ ...run, group });
    const { blockBitmap, inodeBitmap, inodeTable } = volume.groups.group(group);
    const add = (kind: MetadataKind, start: number, length: number) => {
      if (start === 0 || !holdsBlocks(geometry, start, length)) return;
      runs.push({ kind, start, length, group });
    };
    add('block bitmap', blockBitmap, 1);
    add('inode bitmap', inodeBitmap, 1);
    add('inode table', inodeTable, inodeTableBlocks(geometry));
  }
  const protection = geometry.values.s_mmp_block;
  if (geometry.features.has('mmp') && holdsBlocks(geometry, protection)) {
    runs.push({ kind: 'protection', start: protection, length: 1, group: 0 });
  }
  return runs;
}

/**
 * With bigalloc nothing else can use the rest of a cluster: it goes with what lies before it.
 * @param covered where the run before it ends
 * @param next where the run after it starts
 */
function inWholeClusters(
  run: MetadataRun,
  covered: number,
  next: number,
  clusterBlocks: number,
): { start: number; end: number } {
  const end = run.start + run.length;
  const down = Math.floor(run.start / clusterBlocks) * clusterBlocks;
  const up = Math.ceil(end / clusterBlocks) * clusterBlocks;
  return {
    start: Math.min(run.start, Math.max(down, covered)),
    end: Math.max(end, Math.min(up, next)),
  };
}
