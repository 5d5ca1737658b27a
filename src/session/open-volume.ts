import { join } from 'node:path';
import type { EntryKey } from '../filesystem/editing';
import type { EntryTable } from '../filesystem/entry-table';
import type { CheckReport, Problem } from '../filesystem/check';
import type { FileContent } from '../filesystem/file-content';
import type { FileSystem } from '../filesystem/filesystem';
import type { FreeSpace } from '../filesystem/free-space';
import type { NodeId, NodeType } from '../filesystem/node';
import type { Progress } from '../filesystem/progress';
import { countFragments } from '../filesystem/extents';
import { readBytes, type VolumeBytes } from '../image/bytes';
import { ImageError } from '../image/errors';
import { kindOnHost } from '../image/host-folder';
import type {
  EntryFacts,
  ExportReport,
  FreeSpaceSummary,
  ListPage,
  ListQuery,
  NodeDetails,
  PathStep,
} from './answers';
import { labelName } from './edits/labels';
import { attempt, describeNode, entryFacts, leadsToDirectory, nodeFacts } from './entry-facts';
import { exportNode } from './export';
import { LeastRecent } from './least-recent';
import { Listing } from './listing';
import type { EntryRef } from './operations';
import { lookupIn, pathOf, resolvePath, splitPath } from './paths';
import { safeName, thisHost } from './safe-names';
import { VolumeLayout } from './volume-layout';
import { walk, type ReportProblem, type WalkedEntry, type WalkOptions } from './walk';

const keptListings = 4;
const readLimit = 64 * 1024 * 1024;
const chunkSize = 1024 * 1024;

/** An entry as an editor takes it. */
export interface FoundEntry {
  readonly key: EntryKey;
  readonly isDirectory: boolean;
}

/** A name in a directory, and what has it. */
export interface NamedPlace {
  readonly directory: NodeId;
  readonly name: string;
  /** Absent where nothing has the name. */
  readonly found?: PathStep;
}

/** A volume whose filesystem could be opened: what the front doors ask of it. */
export class OpenVolume {
  /** How it lies on disk. */
  readonly layout: VolumeLayout;
  private readonly listings = new LeastRecent<string, Listing>(keptListings);
  private knownFreeSpace: FreeSpace | undefined;
  private knownReport: CheckReport | undefined;

  /** @param imagePath the image on the host, which an export must not overwrite */
  constructor(
    readonly fileSystem: FileSystem,
    readonly bytes: VolumeBytes,
    private readonly imagePath?: string,
  ) {
    this.layout = new VolumeLayout(fileSystem, (progress) => this.freeExtents(progress));
  }

  /** @throws ImageError `not-a-directory` */
  list(query: ListQuery, progress?: Progress): ListPage {
    return this.listing(query.directory, query.deleted).page(query, progress);
  }

  /** The row whose name starts with `prefix`, from row `from` on and around the end; or -1. */
  locatePrefix(query: ListQuery, prefix: string, from: number): number {
    return this.listing(query.directory, query.deleted).rowOfPrefix(query, prefix, from);
  }

  /** The row of a node; -1 where the filter hides it. */
  locateNode(query: ListQuery, node: NodeId): number {
    return this.listing(query.directory, query.deleted).rowOfNode(query, node);
  }

  /**
   * The nodes from the root to the path's end; symlinks on the way are followed.
   * @throws ImageError `not-found`, `not-a-directory`; `usage` for a path that is not absolute
   */
  resolve(path: string, followLast = false): PathStep[] {
    const lookup = (directory: NodeId, name: string) =>
      lookupIn(this.fileSystem, this.listing(directory, false), name);
    return resolvePath(this.fileSystem, lookup, path, followLast);
  }

  /** @param extentLimit how many extents are wanted at most */
  details(id: NodeId, extentLimit: number): NodeDetails {
    const node = this.fileSystem.node(id);
    const content = this.fileSystem.content(id);
    return {
      ...nodeFacts(this.fileSystem, node),
      offset: node.offset,
      fragments: countFragments(content.extents),
      allocated: content.allocated,
      extents: content.extents.slice(0, extentLimit),
      extentCount: content.extents.length,
      structures: this.fileSystem.structures(id),
      problems: content.problems,
      ...(node.device && { device: node.device }),
    };
  }

  /** The content from byte `offset` on; shorter than `length` at its end, and never above 64 MiB. */
  read(id: NodeId, offset: number, length: number): Uint8Array {
    if (!(offset >= 0 && length >= 0)) {
      throw new ImageError('usage', `There are no ${length} bytes from byte ${offset} on.`);
    }
    const content = this.fileSystem.content(id);
    return readBytes(content, offset, Math.min(length, readLimit, left(content, offset)));
  }

  content(id: NodeId): FileContent {
    return this.fileSystem.content(id);
  }

  /** The content of a node, or the sentence that says why it cannot be read. */
  tryContent(id: NodeId): FileContent | string {
    return attempt(() => this.fileSystem.content(id));
  }

  /** The content of a file in pieces, the next one read when it is asked for. */
  *chunks(id: NodeId): Generator<Uint8Array, void, void> {
    const content = this.fileSystem.content(id);
    for (let offset = 0; offset < content.size; offset += chunkSize) {
      yield readBytes(content, offset, Math.min(chunkSize, left(content, offset)));
    }
  }

  /** The entry that a path leads to; a symlink at its end is not followed. */
  entry(path: string): EntryFacts {
    const steps = this.resolve(path);
    const { node, name } = steps[steps.length - 1];
    const index =
      steps.length > 1 ? this.listing(steps[steps.length - 2].node, false).find(name) : undefined;
    if (index === undefined) {
      const root = this.fileSystem.node(node);
      return { ...nodeFacts(this.fileSystem, root), name, deleted: false, offset: root.offset };
    }
    const { table } = this.listing(steps[steps.length - 2].node, false);
    return entryFacts(this.fileSystem, table, index, name);
  }

  /**
   * What a directory holds and, when wanted, everything below it, each directory before what it
   * holds; for anything but a directory, itself. A path that ends in a slash means a directory, and
   * leads through a symlink to it.
   * @throws ImageError `not-a-directory` when such a path leads to something else
   */
  *entriesAt(
    path: string,
    report: ReportProblem,
    options: WalkOptions,
  ): Generator<WalkedEntry, void, void> {
    const asked = `/${splitPath(path).join('/')}`;
    const entry = this.entry(path);
    let { node } = entry;
    if (entry.type !== 'directory') {
      if (asked !== '/' && !path.endsWith('/')) {
        yield { ...entry, path: asked, depth: 1 };
        return;
      }
      ({ node } = this.resolve(path, true).slice(-1)[0]);
      this.listing(node, false); // the filesystem says why when it is no directory
    }
    yield* walk(this.fileSystem, this.bytes.present, node, asked, report, options);
  }

  /** Looks for everything that is wrong; once. */
  check(progress?: Progress): CheckReport {
    return (this.knownReport ??= this.fileSystem.check(progress));
  }

  /** What a check can find. */
  get problemTable(): readonly Problem[] {
    return this.fileSystem.problemTable;
  }

  /** The free extents; counted once. */
  freeExtents(progress?: Progress): FreeSpace {
    return (this.knownFreeSpace ??= this.fileSystem.freeSpace(progress));
  }

  /** Start and length of the free extents of at least so many units. */
  *freeList(minimum: number): Generator<[start: number, length: number]> {
    const { starts, lengths } = this.freeExtents();
    for (const [index, length] of lengths.entries()) {
      if (length >= minimum) yield [starts[index], length];
    }
  }

  freeSpace(progress?: Progress): FreeSpaceSummary {
    const free = this.freeExtents(progress);
    return {
      unit: this.fileSystem.unit.size,
      total: this.fileSystem.unit.count,
      free: free.total,
      extents: free.count,
      largest: free.largest,
      histogram: free.histogram(),
    };
  }

  /**
   * The regular file that a path leads to, through symlinks.
   * @throws ImageError `not-a-file`; as `resolve`
   */
  file(path: string): NodeId {
    const { node, type } = this.resolve(path, true).slice(-1)[0];
    if (type !== 'file') throw new ImageError('not-a-file', `${path} is a ${type}, not a file.`);
    return node;
  }

  /**
   * An entry as an earlier listing showed it.
   * @throws ImageError `not-found` when it has gone or has become another one since
   */
  findEntry({ directory, node, name }: EntryRef): FoundEntry {
    const found = attempt(() => {
      const { table, names } = this.listing(directory, false);
      const index = names.findIndex(
        (candidate, i) => candidate === name && table.nodes[i] === node,
      );
      return index < 0 ? undefined : this.entryAt(directory, table, index);
    });
    if (found !== undefined && typeof found !== 'string') return found;
    throw new ImageError(
      'not-found',
      `${labelName(name)} is not there: the volume has changed since it was listed.`,
    );
  }

  /**
   * What names the entry that a path leads to; a symlink at its end is not followed.
   * @throws ImageError as `resolve`; `usage` for the root, which no entry leads to
   */
  refAt(path: string): EntryRef & { readonly type: NodeType } {
    const steps = this.resolve(path);
    if (steps.length === 1) throw new ImageError('usage', 'The root directory has no name.');
    const { name, node, type } = steps[steps.length - 1];
    return { directory: steps[steps.length - 2].node, node, name, type };
  }

  /**
   * Where a path leads or would lead: through symlinks, up to a name that may not be there yet.
   * @throws ImageError `not-found`, `not-a-directory` when that has no directory to be in
   */
  placeAt(path: string): NamedPlace {
    const names = splitPath(path);
    const name = names.at(-1) ?? '';
    const steps = this.tryResolve(path);
    const last = steps?.at(-1);
    if (steps && last) {
      const directory = steps.at(-2)?.node ?? last.node;
      return { directory, name: last.name, found: last };
    }
    const parent = this.resolve(`/${names.slice(0, -1).join('/')}`, true);
    const { node, type } = parent[parent.length - 1];
    if (type !== 'directory') {
      throw new ImageError('not-a-directory', `${pathOf(parent)} is not a directory.`);
    }
    return { directory: node, name };
  }

  private tryResolve(path: string): PathStep[] | undefined {
    try {
      return this.resolve(path, true);
    } catch (error) {
      if (error instanceof ImageError && error.code === 'not-found') return undefined;
      throw error;
    }
  }

  /** The entry that a name in a directory means; undefined where there is none. */
  entryNamed(directory: NodeId, name: string): FoundEntry | undefined {
    const listing = this.listing(directory, false);
    const index = listing.find(name);
    return index === undefined ? undefined : this.entryAt(directory, listing.table, index);
  }

  private entryAt(directory: NodeId, table: EntryTable, index: number): FoundEntry {
    const key = { directory, node: table.nodes[index], name: table.nameBytes(index) };
    return { key, isDirectory: leadsToDirectory(this.fileSystem, table, index) };
  }

  /** What a node is called, for people: its name in what was listed last, or its structure's. */
  nameOf(node: NodeId): string {
    if (node === this.fileSystem.root) return '/';
    for (const listing of this.listings.all()) {
      const index = listing.table.nodes.indexOf(node);
      if (index >= 0) return listing.names[index];
    }
    return describeNode(this.fileSystem, node);
  }

  /**
   * Writes what a path leads to, through symlinks, to the host: as `target`, or under its own name
   * in `target` when that is a folder.
   */
  exportPath(path: string, target: string, progress?: Progress): ExportReport {
    const steps = this.resolve(path, true);
    const { node } = steps[steps.length - 1];
    const name = splitPath(path).at(-1);
    const isFolder = kindOnHost(target) === 'folder';
    const place = isFolder && name !== undefined ? join(target, safeName(name, thisHost)) : target;
    return this.exportNode(node, place, progress, pathOf(steps));
  }

  /**
   * Writes a file, or a directory and all below it, to the host as `target`.
   * @param path of the node inside the image, for the notes
   */
  exportNode(id: NodeId, target: string, progress?: Progress, path?: string): ExportReport {
    const { fileSystem, imagePath } = this;
    const source = { fileSystem, present: this.bytes.present, path, imagePath, progress };
    return exportNode(source, id, target);
  }

  listing(directory: NodeId, deleted: boolean): Listing {
    return this.listings.get(`${directory} ${deleted}`, () => {
      const table = this.fileSystem.entries(directory, { deleted });
      return new Listing(this.fileSystem, table);
    });
  }
}

const left = (content: FileContent, offset: number) => Math.max(0, content.size - offset);
