import type { Extent } from '../filesystem/extents';
import type { FileSystem } from '../filesystem/filesystem';
import type { FreeSpace } from '../filesystem/free-space';
import type { NodeId } from '../filesystem/node';
import type { Ownership, Role } from '../filesystem/ownership';
import { noProgress, type Progress } from '../filesystem/progress';
import type { DirectoryRecord, RawDirectory } from '../filesystem/raw-directory';
import { ImageError } from '../image/errors';
import { attempt, describeNode, tryNode } from './entry-facts';
import { FreeExtentList } from './free-extent-list';
import type {
  FreeExtentPage,
  FreeExtentQuery,
  OwnerAnswer,
  RawDirectorySummary,
  SpaceMap,
  SpaceMapQuery,
} from './layout-answers';
import { LeastRecent } from './least-recent';
import { partOf } from './part-progress';
import { PathIndex } from './path-index';
import { SpaceIndex } from './space-index';
import { drawSpace } from './space-map';

const keptDirectories = 4;
const keptHighlights = 4;

/** How an open volume lies on disk. What costs a look at all of it is found once and kept. */
export class VolumeLayout {
  private readonly directories = new LeastRecent<NodeId, RawDirectory>(keptDirectories);
  private readonly highlights = new LeastRecent<NodeId, readonly Extent[]>(keptHighlights);
  private knownMetadata: Ownership | undefined;
  private knownOwners: Ownership | undefined;
  private knownPaths: PathIndex | undefined;
  private knownSpace: SpaceIndex | undefined;
  private knownFreeList: FreeExtentList | undefined;

  /** @param freeExtents the volume's free extents, counted once */
  constructor(
    private readonly fileSystem: FileSystem,
    private readonly freeExtents: (progress?: Progress) => FreeSpace,
  ) {}

  /** @throws ImageError `not-a-directory` */
  rawDirectory(directory: NodeId): RawDirectorySummary {
    const { columns, blocks, index, problems } = this.raw(directory);
    return { columns, blocks, index, problems };
  }

  /** The records of up to `count` blocks from index `first` on. */
  records(directory: NodeId, first: number, count: number): (readonly DirectoryRecord[])[] {
    const raw = this.raw(directory);
    const end = Math.min(first + count, raw.blocks.length);
    return Array.from({ length: Math.max(0, end - first) }, (_, i) => raw.records(first + i));
  }

  /** @throws ImageError `usage` for a query that makes no sense */
  spaceMap(query: SpaceMapQuery, progress?: Progress): SpaceMap {
    const space = this.space(progress);
    const highlight = query.highlight === null ? null : this.runsOf(query.highlight);
    const hasOwners = this.knownOwners !== undefined;
    return drawSpace(this.fileSystem.unit, space, hasOwners, query, highlight);
  }

  freeExtentPage(query: Omit<FreeExtentQuery, 'volume'>, progress?: Progress): FreeExtentPage {
    this.knownFreeList ??= new FreeExtentList(this.freeExtents(progress));
    return this.knownFreeList.page(query);
  }

  /** Finds out who owns which unit, and which paths lead to whom. */
  findOwners(progress: Progress = noProgress): void {
    this.freeExtents(partOf(progress, 0, 3));
    this.allOwners(partOf(progress, 1, 3));
    this.paths(partOf(progress, 2, 3));
  }

  /** Who owns which unit, nodes included; found out once. */
  allOwners(progress?: Progress): Ownership {
    if (!this.knownOwners) {
      this.knownOwners = this.fileSystem.ownership(progress);
      this.knownSpace = undefined;
    }
    return this.knownOwners;
  }

  /**
   * What a unit is used for, and by whom as far as that is known.
   * @throws ImageError `usage` for a unit that the volume does not have
   */
  owner(unit: number, progress?: Progress): OwnerAnswer {
    const { first, count, name } = this.fileSystem.unit;
    if (!(unit >= first && unit < first + count)) {
      const last = first + count - 1;
      throw new ImageError(
        'usage',
        `There is no ${name} ${unit}: they run from ${first} to ${last}.`,
      );
    }
    const owner = this.owners.at(unit);
    const run = owner ?? this.space(progress).segment(unit);
    const place = {
      start: run.start,
      length: run.length,
      offset: this.fileSystem.offsetOf(run.start),
      role: run.role,
      ...(owner && this.freeExtents(progress).holds(unit) && { markedFree: true as const }),
    };
    if (owner?.node === undefined)
      return { ...place, name: owner?.structure ?? unowned[run.role] ?? run.role };
    const node = tryNode(this.fileSystem, owner.node);
    const paths = this.pathsOf(owner.node, progress);
    return {
      ...place,
      name: paths.at(0) ?? describeNode(this.fileSystem, owner.node),
      node: owner.node,
      ...(typeof node !== 'string' && { number: node.number }),
      paths,
      logical: owner.logical,
    };
  }

  /** The absolute paths that lead to a node; the first question walks the whole tree. */
  pathsOf(node: NodeId, progress?: Progress): string[] {
    return node === this.fileSystem.root ? ['/'] : this.paths(progress).pathsOf(node);
  }

  private raw(directory: NodeId): RawDirectory {
    return this.directories.get(directory, () => this.fileSystem.rawDirectory(directory));
  }

  private get owners(): Ownership {
    return this.knownOwners ?? (this.knownMetadata ??= this.fileSystem.metadata());
  }

  private space(progress?: Progress): SpaceIndex {
    return (this.knownSpace ??= new SpaceIndex(
      this.fileSystem.unit,
      this.owners,
      this.freeExtents(progress),
      this.knownOwners ? 'lost' : 'allocated',
    ));
  }

  private paths(progress?: Progress): PathIndex {
    return (this.knownPaths ??= new PathIndex(this.fileSystem, progress));
  }

  /** What a node's content takes, by place; nothing where its map cannot be read. */
  private runsOf(id: NodeId): readonly Extent[] {
    return this.highlights.get(id, () => {
      const extents = attempt(() => this.fileSystem.content(id).extents);
      return typeof extents === 'string' ? [] : extents.toSorted(byPlace);
    });
  }
}

const byPlace = (a: Extent, b: Extent) => a.physical - b.physical;

/** What units are called that belong to nobody. */
const unowned: Readonly<Partial<Record<Role, string>>> = {
  free: 'free',
  allocated: 'in use; by whom has not been looked for yet',
  lost: 'in use, but nothing leads to it',
};
