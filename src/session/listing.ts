import type { EntryTable } from '../filesystem/entry-table';
import type { FileSystem } from '../filesystem/filesystem';
import type { Node, NodeId } from '../filesystem/node';
import { noProgress, type Progress } from '../filesystem/progress';
import type { ListPage, ListQuery, SortColumn } from './answers';
import { entryRow, fragmentsOf, leadsToDirectory, tryNode } from './entry-facts';
import { LeastRecent } from './least-recent';

/** A view of a directory, without the window. */
export type ListView = Pick<ListQuery, 'filter' | 'sort' | 'descending'>;

const keptOrders = 4;
const progressStep = 1024;

/** One locale for all hosts, so that a listing is in the same order everywhere. */
const collator = new Intl.Collator('en', { numeric: true });

const lowerCase = (text: string) => text.toLocaleLowerCase('en');

/**
 * A directory that is being looked at: its table, and what has been asked of it so far. Sorting
 * by name or by place reads no node; any other column reads each node once.
 */
export class Listing {
  private readonly columns = new Map<SortColumn, Float64Array>();
  private readonly orders = new LeastRecent<string, Uint32Array>(keptOrders);
  private knownNames: readonly string[] | undefined;
  private knownNodes: readonly (Node | null)[] | undefined;
  private knownRanks: Float64Array | undefined;

  constructor(
    private readonly fileSystem: FileSystem,
    readonly table: EntryTable,
  ) {}

  /** The names, by index of the table. */
  get names(): readonly string[] {
    this.knownNames ??= Array.from(this.table.nodes, (_, index) => this.table.name(index));
    return this.knownNames;
  }

  /** The index of the live entry that a name means; undefined where there is none. */
  find(name: string): number | undefined {
    const exact = this.findWhere((candidate) => candidate === name);
    if (exact !== undefined || !this.fileSystem.ignoresCase) return exact;
    const wanted = lowerCase(name);
    return this.findWhere((candidate) => lowerCase(candidate) === wanted);
  }

  private findWhere(means: (candidate: string) => boolean): number | undefined {
    const index = this.names.findIndex(
      (candidate, i) => means(candidate) && !this.table.isDeleted(i),
    );
    return index < 0 ? undefined : index;
  }

  page(query: ListQuery, progress: Progress = noProgress): ListPage {
    const order = this.order(query, progress);
    const start = Math.max(0, Math.min(query.start, order.length));
    const window = order.subarray(start, start + Math.max(0, query.count));
    return {
      total: this.table.length,
      matched: order.length,
      start,
      rows: Array.from(window, (i) => entryRow(this.fileSystem, this.table, i, this.names[i])),
      problems: this.table.problems,
    };
  }

  /** The first row from row `from` on, and around the end, whose name starts with `prefix`; or -1. */
  rowOfPrefix(view: ListView, prefix: string, from: number): number {
    const order = this.order(view);
    const wanted = lowerCase(prefix);
    for (let i = 0; i < order.length; i++) {
      const row = (Math.max(0, from) + i) % order.length;
      if (lowerCase(this.names[order[row]]).startsWith(wanted)) return row;
    }
    return -1;
  }

  /** The row of a node, of a live entry rather than a deleted one; or -1. */
  rowOfNode(view: ListView, node: NodeId): number {
    const order = this.order(view);
    const { nodes } = this.table;
    const live = order.findIndex((i) => nodes[i] === node && !this.table.isDeleted(i));
    return live >= 0 ? live : order.findIndex((i) => nodes[i] === node);
  }

  /** Indices into the table, in the order of the rows. */
  order(view: ListView, progress: Progress = noProgress): Uint32Array {
    const key = JSON.stringify([view.filter, view.sort, view.descending]);
    return this.orders.get(key, () => this.makeOrder(view, progress));
  }

  private makeOrder({ filter, sort, descending }: ListView, progress: Progress): Uint32Array {
    const order = this.filtered(filter);
    if (sort === 'disk') return descending ? order.reverse() : order;
    const column = sort === 'name' ? this.ranks : this.column(sort, progress);
    const ranks = this.ranks;
    const direction = descending ? -1 : 1;
    const isDirectory = Uint8Array.from(this.table.nodes, (_, i) =>
      Number(leadsToDirectory(this.fileSystem, this.table, i)),
    );
    return order.sort(
      (a, b) =>
        isDirectory[b] - isDirectory[a] ||
        direction * (column[a] - column[b]) ||
        ranks[a] - ranks[b],
    );
  }

  private filtered(filter: string): Uint32Array {
    const all = Uint32Array.from(this.table.nodes, (_, index) => index);
    if (filter === '') return all;
    const wanted = lowerCase(filter);
    return all.filter((index) => lowerCase(this.names[index]).includes(wanted));
  }

  /** The place of each name in natural order. */
  private get ranks(): Float64Array {
    if (this.knownRanks) return this.knownRanks;
    const { names } = this;
    const order = Uint32Array.from(names.keys());
    order.sort((a, b) => collator.compare(names[a], names[b]) || a - b);
    this.knownRanks = new Float64Array(order.length);
    for (const [rank, index] of order.entries()) this.knownRanks[index] = rank;
    return this.knownRanks;
  }

  private column(sort: Exclude<SortColumn, 'disk' | 'name'>, progress: Progress): Float64Array {
    let column = this.columns.get(sort);
    if (!column) {
      column = this.makeColumn(sort, progress);
      this.columns.set(sort, column);
    }
    return column;
  }

  private makeColumn(sort: Exclude<SortColumn, 'disk' | 'name'>, progress: Progress): Float64Array {
    if (sort === 'number') return this.table.numbers;
    if (sort === 'fragments') {
      return this.each(progress, (index) =>
        this.table.isDeleted(index)
          ? -1
          : (fragmentsOf(this.fileSystem, this.table.nodes[index]) ?? -1),
      );
    }
    const nodes = this.nodes(progress);
    if (sort === 'mode') return modeRanks(nodes);
    const value =
      sort === 'size'
        ? (node: Node) => node.size
        : ({ modified }: Node) =>
            modified ? modified.seconds + modified.nanoseconds / 1e9 : -Infinity;
    return Float64Array.from(nodes, (node) => (node ? value(node) : -Infinity));
  }

  private nodes(progress: Progress): readonly (Node | null)[] {
    if (this.knownNodes) return this.knownNodes;
    const nodes: (Node | null)[] = [];
    this.each(progress, (index) => {
      const node = tryNode(this.fileSystem, this.table.nodes[index]);
      return nodes.push(typeof node === 'string' ? null : node);
    });
    return (this.knownNodes = nodes);
  }

  private each(progress: Progress, value: (index: number) => number): Float64Array {
    const { length } = this.table;
    return Float64Array.from({ length }, (_, index) => {
      if (index % progressStep === 0) progress.report(index, length);
      return value(index);
    });
  }
}

/** By permission bits; where there are none, by the names of the attributes. */
function modeRanks(nodes: readonly (Node | null)[]): Float64Array {
  const text = (node: Node | null) =>
    node?.mode?.toString(8).padStart(7, '0') ?? node?.attributes.join(' ') ?? '';
  const ranks = new Map([...new Set(nodes.map(text))].sort().map((key, rank) => [key, rank]));
  return Float64Array.from(nodes, (node) => ranks.get(text(node)) ?? 0);
}
