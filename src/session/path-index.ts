import type { FileSystem } from '../filesystem/filesystem';
import type { NodeId } from '../filesystem/node';
import { noProgress, type Progress } from '../filesystem/progress';
import { attempt, leadsToDirectory } from './entry-facts';

const entryLimit = 4_000_000; // some 150 MB of columns; what is behind it has no path
const depthLimit = 1000; // as a walk of the tree
const none = 0xffffffff;

/** Which paths lead to a node: every entry of the tree as columns, found by its node. */
export class PathIndex {
  private count = 0;
  private nodes = new Float64Array(1024);
  /** The entry of the directory that holds the entry; `none` in the root. */
  private parents = new Uint32Array(1024);
  private nameEnds = new Uint32Array(1024);
  private names = Buffer.alloc(16 * 1024);
  /** The last entry of each bucket of nodes, and of each entry the one before it in its bucket. */
  private buckets = new Uint32Array(0);
  private before = new Uint32Array(0);

  /** Walks the whole tree, each directory once, whatever loops the image has. */
  constructor(
    private readonly fileSystem: FileSystem,
    progress: Progress = noProgress,
  ) {
    this.walk(progress);
    this.link();
  }

  /** The absolute paths that lead to a node by an entry, in the order of the walk. */
  pathsOf(node: NodeId): string[] {
    const paths: string[] = [];
    for (let entry = this.buckets[this.bucketOf(node)]; entry !== none;) {
      if (this.nodes[entry] === node) paths.push(this.pathTo(entry));
      entry = this.before[entry];
    }
    return paths.reverse();
  }

  private walk(progress: Progress): void {
    const { fileSystem } = this;
    const visited = new Set<string>();
    /** Directories as their entries, and how deep they lie; the ones found are added behind. */
    const directories = [none];
    const depths = [0];
    for (let next = 0; next < directories.length; next++) {
      progress.report(next, directories.length);
      const parent = directories[next];
      const id = parent === none ? fileSystem.root : this.nodes[parent];
      const table = attempt(() => {
        const { number } = fileSystem.node(id);
        // Slots of FAT that share a cluster are different nodes, but the same directory.
        const key = number > 0 ? `number ${number}` : `node ${id}`;
        if (visited.has(key)) return 'It has been walked before.';
        visited.add(key);
        return fileSystem.entries(id);
      });
      if (typeof table === 'string') continue;
      for (let i = 0; i < table.length; i++) {
        if (this.count === entryLimit) return;
        if (depths[next] < depthLimit && leadsToDirectory(fileSystem, table, i)) {
          directories.push(this.count);
          depths.push(depths[next] + 1);
        }
        this.add(table.nodes[i], parent, table.name(i));
      }
    }
  }

  private add(node: NodeId, parent: number, name: string): void {
    if (this.count === this.nodes.length) this.growColumns();
    const start = this.count > 0 ? this.nameEnds[this.count - 1] : 0;
    if (start + 3 * name.length > this.names.length) {
      this.names = Buffer.concat([this.names], 2 * (start + 3 * name.length));
    }
    this.nodes[this.count] = node;
    this.parents[this.count] = parent;
    this.nameEnds[this.count] = start + this.names.write(name, start);
    this.count += 1;
  }

  private growColumns(): void {
    const size = 2 * this.nodes.length;
    const [{ nodes }, { parents }, { nameEnds }] = [this, this, this];
    this.nodes = new Float64Array(size);
    this.nodes.set(nodes);
    this.parents = new Uint32Array(size);
    this.parents.set(parents);
    this.nameEnds = new Uint32Array(size);
    this.nameEnds.set(nameEnds);
  }

  private link(): void {
    this.buckets = new Uint32Array(2 ** Math.ceil(Math.log2(this.count + 2))).fill(none);
    this.before = new Uint32Array(this.count);
    for (let entry = 0; entry < this.count; entry++) {
      const bucket = this.bucketOf(this.nodes[entry]);
      this.before[entry] = this.buckets[bucket];
      this.buckets[bucket] = entry;
    }
  }

  /** The upper bits of a product with the golden ratio: they spread any regular numbers well. */
  private bucketOf(node: NodeId): number {
    const low = (node % 0x100000000) ^ Math.floor(node / 0x100000000);
    return Math.imul(low, 0x9e3779b1) >>> (Math.clz32(this.buckets.length) + 1);
  }

  private pathTo(entry: number): string {
    const names: string[] = [];
    for (let at = entry; at !== none; at = this.parents[at]) {
      names.push(
        this.names.toString('utf8', at > 0 ? this.nameEnds[at - 1] : 0, this.nameEnds[at]),
      );
    }
    return `/${names.reverse().join('/')}`;
  }
}
