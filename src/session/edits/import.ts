import { basename, join, resolve, sep } from 'node:path';
import type { NewNode } from '../../filesystem/editing';
import type { NodeId } from '../../filesystem/node';
import { ImageError, type ImageErrorCode } from '../../image/errors';
import { isSameFile } from '../../image/host-folder';
import {
  readHostEntry,
  readHostFolder,
  readHostLink,
  realHostPath,
  SourceFile,
  type HostEntry,
} from '../../image/host-source';
import type { HostOperation } from '../operations';
import { fillFile, measureSources } from './host-files';
import { labelName, labelNames } from './labels';
import { TargetFolder, type OldEntry } from './target-folder';
import type { Outcome, VolumeChange } from './volume-change';

type Import = Extract<HostOperation, { kind: 'import' }>;

/**
 * Brings files and folders of the host in, and of these nothing that links lead to outside of
 * them. What cannot be read, or what the format cannot hold, is left out of a folder with a note.
 * @throws ImageError for what was asked for by itself; `exists` when something must not give way
 */
export function importSources(change: VolumeChange, request: Import): Outcome {
  // `basename` of `folder/..` would be no name at all.
  const sources = request.sources.map(({ path, name = basename(resolve(path)) }) => ({
    path: resolve(path),
    name,
  }));
  const total = measureSources(
    sources.map(({ path }) => path),
    change.progress,
  );
  const run = new ImportRun(change, request.replace, total);
  const target = new TargetFolder(change.before, request.directory, false);
  for (const { path, name } of sources) run.addChosen(path, name, target);
  const { leftOut } = run;
  return {
    label: `Import ${labelNames(sources.map(({ name }) => name))}`,
    ...(leftOut > 0 && { leftOut }),
    notes: [],
  };
}

/** Refusals of a single entry after which the volume is as it was before it. */
const leavable: readonly ImageErrorCode[] = ['usage', 'unsupported', 'unreadable'];

/** What `work` comes to, or the refusal that leaves everything else as it is. */
function tryTo<Result>(work: () => Result): Result | ImageError {
  try {
    return work();
  } catch (error) {
    if (error instanceof ImageError && leavable.includes(error.code)) return error;
    throw error;
  }
}

/** Something of the host on its way in. */
interface Source {
  readonly path: string;
  readonly name: string;
  readonly entry: HostEntry;
  /** What was asked for, without links: links may lead to what is below it. */
  readonly root: string;
}

class ImportRun {
  leftOut = 0;
  private copied = 0;
  /** Files with further names, by what tells that they are the same. */
  private readonly linked = new Map<string, NodeId>();

  constructor(
    private readonly change: VolumeChange,
    private readonly replace: boolean,
    private readonly total: number,
  ) {}

  /** Something that was asked for by itself: it is brought in, or everything is refused. */
  addChosen(path: string, name: string, folder: TargetFolder): void {
    const entry = readHostEntry(path, true);
    const refusal = this.add({ path, name, entry, root: realHostPath(path) }, folder);
    if (refusal) throw refusal;
  }

  /** @returns why it is left out, if it is */
  private add(source: Source, folder: TargetFolder): ImageError | undefined {
    const { name, path, entry } = source;
    if (entry.kind === 'other') return new ImageError('usage', `${path} is a special file.`);
    const old = folder.old(name);
    if (!folder.take(name)) {
      return new ImageError('usage', `${labelName(name)} would be there twice.`);
    }
    if (old && (old.isDirectory !== (entry.kind === 'folder') || !this.mayReplace(old))) {
      throw new ImageError('exists', `${labelName(name)} is there already.`);
    }
    if (entry.kind === 'folder') return this.addFolder(source, folder, old);
    if (entry.kind === 'symlink') return this.addSymlink(source, folder, old);
    return this.addFile(source, folder, old);
  }

  /** Whether the format has links of either kind: FAT has none. */
  private get hasLinks(): boolean {
    const { fileSystem } = this.change.before;
    return fileSystem.node(fileSystem.root).links !== undefined;
  }

  private mayReplace({ isDirectory }: OldEntry): boolean {
    return this.replace || isDirectory;
  }

  private addFolder(source: Source, folder: TargetFolder, old?: OldEntry): ImageError | undefined {
    const { path, name, entry, root } = source;
    const { before, editor } = this.change;
    const names = tryTo(() => readHostFolder(path));
    if (names instanceof ImageError) return names;
    const made =
      old?.key.node ?? tryTo(() => editor.createDirectory(folder.node, name, detailsOf(entry)));
    if (made instanceof ImageError) return made;
    const inside = new TargetFolder(before, made, old === undefined);
    for (const child of names) {
      const place = join(path, child);
      const found = tryTo(() => readHostEntry(place, false));
      const refusal =
        found instanceof ImageError
          ? found
          : this.add({ path: place, name: child, entry: found, root }, inside);
      if (refusal) this.leaveOut(place, refusal);
    }
    // What was brought into it has changed its time since it was made.
    if (!old && names.length > 0) this.keepTime(source, made);
    return undefined;
  }

  private leaveOut(path: string, { message }: ImageError): void {
    this.leftOut += 1;
    const named = message.includes(path) ? message : `${path}: ${message}`;
    this.change.notes.add(`Left out: ${named}`);
  }

  private addFile(source: Source, folder: TargetFolder, old?: OldEntry): ImageError | undefined {
    const { path } = source;
    const { editor, imagePath, progress } = this.change;
    if (imagePath !== undefined && isSameFile(path, imagePath)) {
      return new ImageError('usage', `${path} is the image itself.`);
    }
    if (this.addLink(source, folder, old)) return undefined;
    const content = tryTo(() => SourceFile.open(path));
    if (content instanceof ImageError) return content;
    try {
      const node = this.emptyFile(source, folder, old);
      if (node instanceof ImageError) return node;
      fillFile(editor, node, content, (bytes) => {
        this.copied += bytes;
        progress.report(this.copied, Math.max(this.copied, this.total));
      });
      if (content.size > 0 || old) this.keepTime(source, node);
      if (source.entry.linked !== undefined) this.linked.set(source.entry.linked, node);
    } finally {
      content.close();
    }
    return undefined;
  }

  /** A further name of a file that came in under another one. @returns false where it is copied */
  private addLink({ name, entry }: Source, folder: TargetFolder, old?: OldEntry): boolean {
    const node = entry.linked === undefined ? undefined : this.linked.get(entry.linked);
    if (node === undefined) return false;
    if (old?.key.node === node) return true;
    if (!this.hasLinks) return false;
    const { editor } = this.change;
    if (old) editor.remove(old.key);
    editor.createLink(folder.node, name, node);
    return true;
  }

  /** A new file, or the one that was there before with nothing in it. */
  private emptyFile(
    { name, entry }: Source,
    folder: TargetFolder,
    old?: OldEntry,
  ): NodeId | ImageError {
    const { editor } = this.change;
    if (!old) return tryTo(() => editor.createFile(folder.node, name, detailsOf(entry)));
    if (old.type === 'file') {
      editor.setSize(old.key.node, 0);
      return old.key.node;
    }
    editor.remove(old.key);
    return editor.createFile(folder.node, name, detailsOf(entry));
  }

  private addSymlink(source: Source, folder: TargetFolder, old?: OldEntry): ImageError | undefined {
    const { path, name, entry } = source;
    const { editor, notes } = this.change;
    const target = tryTo(() => readHostLink(path));
    if (target instanceof ImageError) return target;
    const made = old
      ? this.replaceBySymlink(source, folder, old, target)
      : tryTo(() => editor.createSymlink(folder.node, name, target, detailsOf(entry)));
    if (!(made instanceof ImageError)) return undefined;
    if (made.code !== 'unsupported') return made;
    const followed = this.fileBehind(source);
    if (!followed) return made;
    notes.add(`${path} is a link: the file that it leads to is brought in instead.`);
    return this.addFile(followed, folder, old);
  }

  /** The old entry stays where the format has no links. */
  private replaceBySymlink(
    { name, entry }: Source,
    folder: TargetFolder,
    old: OldEntry,
    target: string,
  ): NodeId | ImageError {
    const { editor } = this.change;
    if (!this.hasLinks) {
      return new ImageError('unsupported', 'The volume has no symbolic links.');
    }
    editor.remove(old.key);
    return editor.createSymlink(folder.node, name, target, detailsOf(entry));
  }

  /** What a link leads to, where that is a file within what was asked for. */
  private fileBehind(source: Source): Source | undefined {
    const real = tryTo(() => realHostPath(source.path));
    if (real instanceof ImageError || !real.startsWith(source.root + sep)) return undefined;
    const entry = tryTo(() => readHostEntry(real, false));
    if (entry instanceof ImageError || entry.kind !== 'file') return undefined;
    return { ...source, path: real, entry };
  }

  private keepTime({ path, entry: { modified } }: Source, node: NodeId): void {
    const refusal = tryTo(() => this.change.editor.change(node, { modified }));
    if (refusal) this.change.notes.add(`The time of ${path} is not kept: ${refusal.message}`);
  }
}

function detailsOf({ mode, uid, gid, modified }: HostEntry): NewNode {
  return { mode, uid, gid, modified };
}
