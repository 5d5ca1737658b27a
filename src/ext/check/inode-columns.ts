import type { Geometry } from '../superblock';
import type { MemoryBudget } from './memory-budget';

const bytesPerInode = 12;

/** What is known of an inode after its table was read; bits of `InodeColumns.flags`. */
export const inodeFacts = {
  used: 1,
  directory: 2,
  regular: 4,
  /** Has fields that no driver accepts; told where a name leads to it. */
  bad: 8,
  attributeValue: 16,
  encrypted: 32,
  /** The block of its table is listed as bad. */
  onBadBlock: 64,
  /** Not reached by names, as AFS did it (feature `imagic_inodes`). */
  unnamed: 128,
} as const;

/** What is known of the inodes of a group, by their position in it. */
export interface GroupInodes {
  readonly group: number;
  readonly flags: Uint8Array;
  readonly types: Uint8Array;
  readonly links: Uint16Array;
  readonly names: Uint32Array;
  readonly parents: Uint32Array;
}

/** Columns by inode number, kept group by group: a group without used inodes costs nothing. */
export class InodeColumns {
  private readonly chunks = new Map<number, GroupInodes>();
  private lastGroup = -1;
  private last: GroupInodes | undefined;

  constructor(
    private readonly geometry: Geometry,
    private readonly memory: MemoryBudget,
  ) {}

  flags(inode: number): number {
    return this.find(inode)?.flags[this.index(inode)] ?? 0;
  }

  has(inode: number, fact: number): boolean {
    return (this.flags(inode) & fact) !== 0;
  }

  set(inode: number, facts: number): void {
    this.make(inode).flags[this.index(inode)] |= facts;
  }

  /** Everything that is known of an inode before names are read. */
  enter(inode: number, facts: number, type: number, links: number): void {
    const chunk = this.make(inode);
    const index = this.index(inode);
    chunk.flags[index] = facts;
    chunk.types[index] = type;
    chunk.links[index] = links;
  }

  unset(inode: number, facts: number): void {
    const chunk = this.find(inode);
    if (chunk) chunk.flags[this.index(inode)] &= ~facts;
  }

  /** The type as directory records say it, 0 to 7. */
  type(inode: number): number {
    return this.find(inode)?.types[this.index(inode)] ?? 0;
  }

  setType(inode: number, type: number): void {
    this.make(inode).types[this.index(inode)] = type;
  }

  /** `i_links_count` */
  links(inode: number): number {
    return this.find(inode)?.links[this.index(inode)] ?? 0;
  }

  setLinks(inode: number, links: number): void {
    this.make(inode).links[this.index(inode)] = links;
  }

  /** Records that lead to it, `.` and `..` included. */
  names(inode: number): number {
    return this.find(inode)?.names[this.index(inode)] ?? 0;
  }

  /** A record leads to the inode. @param directory that holds it; 0 for `.` and `..` */
  addName(inode: number, directory: number): void {
    const chunk = this.make(inode);
    const index = this.index(inode);
    chunk.names[index] += 1;
    if (directory !== 0 && chunk.parents[index] === 0) chunk.parents[index] = directory;
  }

  /** The directory with the first of its names, 0 where it has none. */
  parent(inode: number): number {
    return this.find(inode)?.parents[this.index(inode)] ?? 0;
  }

  /** The facts of all inodes of a group; undefined where none is used. */
  groupFlags(group: number): Uint8Array | undefined {
    return this.chunks.get(group)?.flags;
  }

  /** The groups with used inodes, in order. */
  groups(): GroupInodes[] {
    return [...this.chunks.values()].sort((a, b) => a.group - b.group);
  }

  private index(inode: number): number {
    return (inode - 1) % this.geometry.inodesPerGroup;
  }

  private find(inode: number): GroupInodes | undefined {
    const group = Math.floor((inode - 1) / this.geometry.inodesPerGroup);
    if (group !== this.lastGroup) {
      this.lastGroup = group;
      this.last = this.chunks.get(group);
    }
    return this.last;
  }

  private make(inode: number): GroupInodes {
    return this.find(inode) ?? this.newChunk(inode);
  }

  private newChunk(inode: number): GroupInodes {
    const size = this.geometry.inodesPerGroup;
    this.memory.take(size * bytesPerInode);
    const group = Math.floor((inode - 1) / size);
    const chunk = {
      group,
      flags: new Uint8Array(size),
      types: new Uint8Array(size),
      links: new Uint16Array(size),
      names: new Uint32Array(size),
      parents: new Uint32Array(size),
    };
    this.chunks.set(group, chunk);
    this.last = chunk;
    return chunk;
  }
}
