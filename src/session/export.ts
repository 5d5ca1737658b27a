import { join, sep } from 'node:path';
import type { FileSystem } from '../filesystem/filesystem';
import type { Node, NodeId } from '../filesystem/node';
import { noProgress, type Progress } from '../filesystem/progress';
import { ImageError } from '../image/errors';
import {
  createFolder,
  createSymlink,
  isSameFile,
  kindOnHost,
  removeFile,
  roomFor,
  setFolderAttributes,
} from '../image/host-folder';
import { SparseFile, type HostAttributes } from '../image/sparse-file';
import type { ExportReport } from './answers';
import { copyContent } from './copy';
import { attempt, readTarget } from './entry-facts';
import { FolderNames } from './folder-names';
import { Notes } from './notes';
import { staysInside, thisHost } from './safe-names';
import { walk, type WalkedEntry } from './walk';

/** What will get a mode of its own is for nobody else until then. */
const ownerOnly = 0o700;
const kindNames = {
  file: 'a file',
  folder: 'a folder',
  symlink: 'a symlink',
  other: 'a device or another special file',
} as const;

/** What an export reads from, and how it tells how far it is. */
export interface ExportSource {
  readonly fileSystem: FileSystem;
  /** Bytes of the volume that the image holds. */
  readonly present: number;
  /** Path inside the image of what is exported, for the notes; `/` unless known. */
  readonly path?: string;
  /** The image on the host, which must not be overwritten. */
  readonly imagePath?: string;
  readonly progress?: Progress;
}

/**
 * Writes a file, or a directory with all below it, to the host as `target`, and nothing outside of
 * it. What the host cannot or must not have is left out, with a note. An export of a
 * directory ends at the first file that the host has no room for. Files that were there before are
 * replaced; symlinks that were there before are never followed.
 * @throws ImageError `unwritable`, `no-room`, `cancelled`; `not-a-file` for anything else
 */
export function exportNode(source: ExportSource, id: NodeId, target: string): ExportReport {
  if (target === '') throw new ImageError('usage', 'The name to write to is empty.');
  const node = source.fileSystem.node(id);
  const run = new ExportRun(source);
  if (node.type === 'directory') run.exportDirectory(node, target);
  else if (node.type === 'file') run.exportFile(node, target);
  else throw new ImageError('not-a-file', `It is a ${node.type}, which cannot be exported.`);
  return run.report();
}

/** A folder of the host that is being filled. */
interface Folder {
  readonly path: string;
  readonly names: FolderNames;
}

interface PendingLink {
  readonly entry: WalkedEntry;
  readonly folder: Folder;
}

class ExportRun {
  private files = 0;
  private directories = 0;
  private symlinks = 0;
  private bytes = 0;
  private readonly notes = new Notes();
  private refused = 0;
  private leftOut = 0;
  private readonly links: PendingLink[] = [];
  private readonly attributes: [path: string, attributes: HostAttributes][] = [];
  private copied = 0;
  private toCopy = 0;

  constructor(private readonly source: ExportSource) {}

  exportFile(node: Node, target: string): void {
    const isFolderMeant = target.endsWith('/') || target.endsWith(sep);
    if (isFolderMeant && kindOnHost(target) === 'nothing') {
      throw new ImageError('unwritable', `There is no folder ${target}.`);
    }
    this.toCopy = node.size;
    this.writeFile(node, target, this.source.path ?? target);
  }

  exportDirectory(node: Node, target: string): void {
    if (this.source.progress) this.toCopy = this.measure(node.id, this.source.progress);
    const root = this.enterFolder(node, target);
    const folders: (Folder | undefined)[] = [root];
    const { fileSystem, present } = this.source;
    const report = (path: string, message: string) => this.notes.add(`${path}: ${message}`);
    const { path = '/' } = this.source;
    for (const entry of walk(fileSystem, present, node.id, path, report)) {
      const folder = folders[entry.depth - 1];
      // Without a folder, what it should have held is left out with it.
      folders[entry.depth] = folder && this.unlessRefused(entry, () => this.write(entry, folder));
    }
    for (const link of this.links) {
      this.unlessRefused(link.entry, () => this.writeLink(link));
    }
    // The innermost first: writing in a folder changes its time, and its mode may forbid it.
    for (const [path, attributes] of this.attributes.reverse()) {
      const failure = attempt(() => setFolderAttributes(path, attributes));
      if (failure) this.notes.add(failure);
    }
  }

  report(): ExportReport {
    const { files, directories, symlinks, bytes, refused, leftOut, notes } = this;
    return { files, directories, symlinks, bytes, refused, leftOut, notes: notes.sentences };
  }

  /** @returns the folder, where the entry is a directory */
  private write(entry: WalkedEntry, folder: Folder): Folder | undefined {
    if (entry.problem !== undefined) {
      this.leaveOut(entry, entry.problem);
    } else if (entry.type === 'symlink') {
      this.links.push({ entry, folder });
    } else if (entry.type === 'directory') {
      return this.enterFolder(this.source.fileSystem.node(entry.node), this.place(entry, folder));
    } else if (entry.type === 'file') {
      const node = this.source.fileSystem.node(entry.node);
      this.writeFile(node, this.place(entry, folder), entry.path);
    } else {
      this.leaveOut(entry, `it is a ${entry.type}.`);
    }
    return undefined;
  }

  private leaveOut({ path }: WalkedEntry, why: string): void {
    this.leftOut += 1;
    this.notes.add(`${path} is left out: ${why}`);
  }

  /** Where an entry is written to; under another name where its own is not safe or not free. */
  private place(entry: WalkedEntry, folder: Folder): string {
    const name = folder.names.take(entry.name);
    if (name !== entry.name || entry.nameHex !== undefined) {
      this.notes.add(`${entry.path} is written as ${name}.`);
    }
    return join(folder.path, name);
  }

  private enterFolder(node: Node, path: string): Folder {
    const kind = kindOnHost(path);
    if (kind === 'nothing') {
      createFolder(path, node.mode === undefined ? undefined : ownerOnly);
      this.attributes.push([path, attributesOf(node)]);
    } else if (kind !== 'folder') {
      throw new ImageError('unwritable', `${path} exists, and is not a folder.`);
    }
    this.directories += 1;
    return { path, names: new FolderNames(path) };
  }

  /** @param source path inside the image, for the notes */
  private writeFile(node: Node, path: string, source: string): void {
    const { fileSystem, present, imagePath, progress = noProgress } = this.source;
    this.refuseUnlessFree(path, 'file');
    if (imagePath !== undefined && isSameFile(path, imagePath)) {
      throw new ImageError('unwritable', `${path} is the image itself.`);
    }
    const content = fileSystem.content(node.id);
    const needed = Math.min(content.size, content.allocated);
    const room = roomFor(path);
    if (needed > room) {
      const message = `${path} needs ${needed} bytes, and the host has room for ${room}.`;
      // More than the whole image holds is what a broken map claims: the other files may fit.
      throw new ImageError(needed > present ? 'unwritable' : 'no-room', message);
    }
    if (kindOnHost(path) === 'file') removeFile(path);
    const file = SparseFile.create(path, node.mode === undefined ? undefined : ownerOnly);
    try {
      copyContent(content, fileSystem.unit.size, file, (bytes) => {
        this.copied += bytes;
        progress.report(this.copied, Math.max(this.copied, this.toCopy));
      });
    } catch (error) {
      file.abandon();
      throw error;
    }
    file.finish(content.size, attributesOf(node));
    this.files += 1;
    this.bytes += content.size;
    for (const { message } of content.problems) this.notes.add(`${source}: ${message}`);
  }

  private writeLink({ entry, folder }: PendingLink): void {
    const { fileSystem } = this.source;
    const target = readTarget(fileSystem, entry.node);
    // All folders are there by now, and no symlink takes the place of one.
    const isFolder = (path: string) =>
      attempt(() => kindOnHost(join(folder.path, path))) === 'folder';
    if (!staysInside(target, entry.depth - 1, thisHost, isFolder)) {
      this.leaveOut(entry, `it leads out of the export, to ${target}.`);
      return;
    }
    const path = this.place(entry, folder);
    this.refuseUnlessFree(path, 'symlink');
    if (kindOnHost(path) === 'symlink') removeFile(path);
    createSymlink(path, target, attributesOf(fileSystem.node(entry.node)));
    this.symlinks += 1;
  }

  /** @throws ImageError `unwritable` when something else than a `kind` has the name */
  private refuseUnlessFree(path: string, kind: 'file' | 'symlink'): void {
    const present = kindOnHost(path);
    if (present !== 'nothing' && present !== kind) {
      throw new ImageError('unwritable', `${path} exists, and is ${kindNames[present]}.`);
    }
  }

  /** A single entry that cannot be written is no reason to give the others up. */
  private unlessRefused<Result>(entry: WalkedEntry, write: () => Result): Result | undefined {
    try {
      return write();
    } catch (error) {
      if (!(error instanceof ImageError) || error.code === 'cancelled') throw error;
      if (error.code === 'no-room') {
        // What follows would fail as well, each time with a note of its own.
        throw new ImageError('no-room', `${error.message} The copy is incomplete.`);
      }
      if (error.code === 'unwritable') this.refused += 1;
      this.leaveOut(entry, error.message);
      return undefined;
    }
  }

  /** Bytes that will be copied. */
  private measure(directory: NodeId, progress: Progress): number {
    const { fileSystem, present } = this.source;
    const waiting = { progress: { report: () => progress.report(0, 0) } };
    let total = 0;
    for (const entry of walk(fileSystem, present, directory, '/', () => undefined, waiting)) {
      if (entry.type !== 'file' || entry.problem !== undefined) continue;
      const content = attempt(() => fileSystem.content(entry.node));
      if (typeof content !== 'string') total += Math.min(content.size, content.allocated);
    }
    return total;
  }
}

function attributesOf({ mode, modified, accessed }: Node): HostAttributes {
  return {
    ...(mode !== undefined && { mode }),
    ...(modified && { modified: modified.seconds + modified.nanoseconds / 1e9 }),
    ...(accessed && { accessed: accessed.seconds + accessed.nanoseconds / 1e9 }),
  };
}
