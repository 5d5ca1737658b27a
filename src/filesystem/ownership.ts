import type { NodeId } from './node';

/** What a unit of the volume is used for. The order is that of the map's legend. */
export const roles = [
  'free',
  'boot', // boot sectors, reserved sectors, FSInfo
  'superblock', // and its copies
  'descriptors', // group descriptors and the room reserved for more
  'table', // the FAT and its copies
  'bitmap',
  'inodes',
  'journal',
  'directory',
  'mapping', // indirect blocks, extent tree nodes
  'attributes',
  'file',
  'bad',
  'lost', // allocated, and nothing leads to it
  'allocated', // in use; by whom is not known yet
] as const;
export type Role = (typeof roles)[number];

/** What owns a run of units. */
export interface Owner {
  readonly start: number;
  readonly length: number;
  readonly role: Role;
  /** The node that the run belongs to; absent for the volume's own structures. */
  readonly node?: NodeId;
  /** Place in the node's content, in units; for `directory` and `file`. */
  readonly logical?: number;
  /** Names the structure: `block bitmap of group 3`, `second FAT`. */
  readonly structure?: string;
}

/** Who owns which unit, as columns sorted by place. Units that no row covers are free. */
export class Ownership {
  constructor(
    readonly starts: Float64Array,
    readonly lengths: Float64Array,
    /** Index into `roles`. */
    readonly roles: Uint8Array,
    /** -1 for the volume's own structures. */
    readonly nodes: Float64Array,
    readonly logicals: Float64Array,
    /** Names the structure of a row that belongs to no node. */
    private readonly describe: (row: number) => string | undefined,
  ) {}

  get count(): number {
    return this.starts.length;
  }

  /** The row that covers the unit, or undefined where it is free. */
  at(unit: number): Owner | undefined {
    const row = this.rowAfter(unit) - 1;
    if (row < 0 || unit >= this.starts[row] + this.lengths[row]) return undefined;
    return this.owner(row);
  }

  owner(row: number): Owner {
    const node = this.nodes[row];
    return {
      start: this.starts[row],
      length: this.lengths[row],
      role: roles[this.roles[row]],
      ...(node >= 0 ? { node, logical: this.logicals[row] } : { structure: this.describe(row) }),
    };
  }

  /** Index of the first row that starts past the unit. */
  rowAfter(unit: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.starts[middle] <= unit) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Collects runs in any order. Where two claim the same unit, the one added first keeps it. */
export class OwnershipBuilder {
  private readonly starts: number[] = [];
  private readonly lengths: number[] = [];
  private readonly roles: number[] = [];
  private readonly nodes: number[] = [];
  private readonly logicals: number[] = [];
  private readonly structures = new Map<number, string>();

  /** A run of the volume's own structures. */
  addStructure(start: number, length: number, role: Role, structure: string): void {
    this.structures.set(this.starts.length, structure);
    this.push(start, length, role, -1, 0);
  }

  /** A run that belongs to a node; `logical` is its place in the node, in units. */
  addNode(start: number, length: number, role: Role, node: NodeId, logical: number): void {
    this.push(start, length, role, node, logical);
  }

  build(): Ownership {
    const order = Uint32Array.from(this.starts.keys());
    order.sort((a, b) => this.starts[a] - this.starts[b] || a - b);
    const kept: { row: number; start: number; length: number }[] = [];
    let end = -Infinity;
    for (const row of order) {
      const start = Math.max(this.starts[row], end);
      const rowEnd = this.starts[row] + this.lengths[row];
      if (rowEnd <= start) continue;
      kept.push({ row, start, length: rowEnd - start });
      end = rowEnd;
    }
    const structures = new Map(
      kept.map(({ row }, i) => [i, this.structures.get(row)] as const).filter(([, name]) => name),
    );
    return new Ownership(
      Float64Array.from(kept, ({ start }) => start),
      Float64Array.from(kept, ({ length }) => length),
      Uint8Array.from(kept, ({ row }) => this.roles[row]),
      Float64Array.from(kept, ({ row }) => this.nodes[row]),
      Float64Array.from(kept, ({ row, start }) => this.logicals[row] + start - this.starts[row]),
      (row) => structures.get(row),
    );
  }

  private push(start: number, length: number, role: Role, node: number, logical: number): void {
    this.starts.push(start);
    this.lengths.push(length);
    this.roles.push(roles.indexOf(role));
    this.nodes.push(node);
    this.logicals.push(logical);
  }
}
