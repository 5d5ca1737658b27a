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

/**
 * Collects runs in any order. The volume's own structures keep what a node claims too (only a
 * corrupt one does); of two nodes that claim the same unit, the run that starts first keeps it.
 */
export class OwnershipBuilder {
  private readonly structures = new Runs();
  private readonly nodes = new Runs();
  private readonly names: string[] = [];

  /** A run of the volume's own structures. */
  addStructure(start: number, length: number, role: Role, structure: string): void {
    this.structures.push(start, length, roles.indexOf(role), -1, this.names.length);
    this.names.push(structure);
  }

  /** A run that belongs to a node; `logical` is its place in the node, in units. */
  addNode(start: number, length: number, role: Role, node: NodeId, logical: number): void {
    this.nodes.push(start, length, roles.indexOf(role), node, logical);
  }

  build(): Ownership {
    const runs = overlaid(inOrder(this.structures), inOrder(this.nodes));
    const { names } = this;
    return new Ownership(
      runs.starts.slice(0, runs.count),
      runs.lengths.slice(0, runs.count),
      runs.roles.slice(0, runs.count),
      runs.nodes.slice(0, runs.count),
      runs.logicals.slice(0, runs.count),
      (row) => names[runs.logicals[row]],
    );
  }
}

/** Growing columns. For a structure `logical` is the index of its name, for a node its place. */
class Runs {
  count = 0;
  starts = new Float64Array(64);
  lengths = new Float64Array(64);
  roles = new Uint8Array(64);
  nodes = new Float64Array(64);
  logicals = new Float64Array(64);

  push(start: number, length: number, role: number, node: number, logical: number): void {
    if (this.count === this.starts.length) this.grow();
    this.starts[this.count] = start;
    this.lengths[this.count] = length;
    this.roles[this.count] = role;
    this.nodes[this.count] = node;
    this.logicals[this.count] = logical;
    this.count += 1;
  }

  /** The part of another column's row from unit `from` up to `to`, exclusive. */
  pushPart(source: Runs, row: number, from: number, to: number): void {
    const node = source.nodes[row];
    const moved = node < 0 ? 0 : from - source.starts[row];
    this.push(from, to - from, source.roles[row], node, source.logicals[row] + moved);
  }

  end(row: number): number {
    return this.starts[row] + this.lengths[row];
  }

  private grow(): void {
    const wider = (column: Float64Array) => {
      const larger = new Float64Array(column.length * 2);
      larger.set(column);
      return larger;
    };
    const roleColumn = new Uint8Array(this.roles.length * 2);
    roleColumn.set(this.roles);
    this.roles = roleColumn;
    this.starts = wider(this.starts);
    this.lengths = wider(this.lengths);
    this.nodes = wider(this.nodes);
    this.logicals = wider(this.logicals);
  }
}

/** Sorted by place; of overlapping runs the one that starts first keeps the common part. */
function inOrder(runs: Runs): Runs {
  const order = Uint32Array.from({ length: runs.count }, (_, row) => row);
  order.sort((a, b) => runs.starts[a] - runs.starts[b] || a - b);
  const result = new Runs();
  let covered = -Infinity;
  for (const row of order) {
    const from = Math.max(runs.starts[row], covered);
    const to = runs.end(row);
    if (to <= from) continue;
    result.pushPart(runs, row, from, to);
    covered = to;
  }
  return result;
}

/** All of `upper`, and what it leaves of `lower`; both sorted and free of overlaps. */
function overlaid(upper: Runs, lower: Runs): Runs {
  const result = new Runs();
  let next = 0;
  let covered = -Infinity;
  const pushUpper = () => {
    result.pushPart(upper, next, upper.starts[next], upper.end(next));
    covered = upper.end(next);
    next += 1;
  };
  for (let row = 0; row < lower.count; row++) {
    const to = lower.end(row);
    let from = Math.max(lower.starts[row], covered);
    while (next < upper.count && upper.starts[next] < to) {
      if (upper.starts[next] > from) result.pushPart(lower, row, from, upper.starts[next]);
      pushUpper();
      from = Math.max(from, covered);
    }
    if (from < to) result.pushPart(lower, row, from, to);
  }
  while (next < upper.count) pushUpper();
  return result;
}
