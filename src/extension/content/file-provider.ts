import * as vscode from 'vscode';
import type { NodeType } from '../../protocol/requests';
import { RemoteError } from '../../protocol/rpc';
import { messageOf } from '../shared/messages';
import { fromUriParts } from './content-address';
import type { ContentEdits } from './content-edits';
import { ContentVersions } from './content-versions';
import type { Contents } from './contents';

/** The longest file that is opened in an editor, in bytes: what VS Code itself still highlights. */
export const contentLimit = 50 * 1024 * 1024;

/** Longer files are not compared when their image has changed: they count as changed then. */
const comparedLimit = 8 * 1024 * 1024;
/** How long the changes of an image are waited for that come one after the other, in milliseconds. */
const settleTime = 100;

/** Lets VS Code's own editors show, and change, files inside images. */
export class ContentFileSystem implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changes.event;
  /** The files that were asked for, by their image: those that change with it. */
  private readonly versions = new Map<string, ContentVersions>();
  private readonly timers = new Map<string, NodeJS.Timeout>();

  constructor(
    private readonly contents: Contents,
    private readonly edits: ContentEdits,
  ) {}

  /** VS Code watches what its editors show, and the folders of images inside images. */
  watch(uri: vscode.Uri): vscode.Disposable {
    const address = fromUriParts(uri);
    if (!address) return new vscode.Disposable(() => undefined);
    const lease = this.contents.acquireImage(uri);
    const subscription = lease.image.onDidChange(() => this.imageChanged(address.image));
    return vscode.Disposable.from(subscription, lease);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { details, isWritable, renewed } = await this.answer(uri, () => this.contents.facts(uri));
    const { type, created, modified, size } = details;
    const versions = this.versionsOf(uri);
    const file = uri.toString();
    const seen = versions.isRead(file) ? 0 : renewed;
    return {
      type: fileTypeOf(type),
      ctime: timeOf(created) ?? 0,
      // Editors take a file of the same time and size for unchanged.
      mtime: Math.max(timeOf(modified) ?? 0, versions.changed(file), seen),
      size,
      permissions: isWritable ? undefined : vscode.FilePermission.Readonly,
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const content = await this.answer(uri, () => this.contents.read(uri, contentLimit));
    this.versionsOf(uri).saw(uri.toString(), content);
    return content;
  }

  async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    const entries = await this.answer(uri, () => this.contents.entries(uri));
    return entries.map(({ name, type }) => [name, fileTypeOf(type)]);
  }

  async writeFile(
    uri: vscode.Uri,
    content: Uint8Array,
    options: { readonly create: boolean; readonly overwrite: boolean },
  ): Promise<void> {
    await this.answer(uri, () => this.edits.write(uri, content, options));
    this.versionsOf(uri).saw(uri.toString(), content);
  }

  createDirectory(uri: vscode.Uri): Promise<void> {
    return this.answer(uri, () => this.edits.createDirectory(uri));
  }

  delete(uri: vscode.Uri, { recursive }: { readonly recursive: boolean }): Promise<void> {
    return this.answer(uri, () => this.edits.remove(uri, recursive));
  }

  rename(
    from: vscode.Uri,
    to: vscode.Uri,
    { overwrite }: { readonly overwrite: boolean },
  ): Promise<void> {
    return this.answer(from, () => this.edits.rename(from, to, overwrite));
  }

  dispose(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.changes.dispose();
  }

  private imageChanged(image: string): void {
    clearTimeout(this.timers.get(image));
    const timer = setTimeout(() => {
      this.timers.delete(image);
      void this.tellChanges(image);
    }, settleTime);
    this.timers.set(image, timer);
  }

  /** Looks which of the files that are known have changed with their image, or are gone. */
  private async tellChanges(image: string): Promise<void> {
    const versions = this.versions.get(image);
    const events: vscode.FileChangeEvent[] = [];
    for (const file of versions?.known ?? []) {
      const uri = vscode.Uri.parse(file, true);
      const isThere = await this.compare(uri).catch(() => false);
      if (!isThere) versions?.forget(file);
      const type = isThere ? vscode.FileChangeType.Changed : vscode.FileChangeType.Deleted;
      events.push({ type, uri });
    }
    this.changes.fire(events);
  }

  /** Also what has not changed is told: whether it can be written to may be another than before. */
  private async compare(uri: vscode.Uri): Promise<boolean> {
    const versions = this.versionsOf(uri);
    const file = uri.toString();
    const { details } = await this.contents.facts(uri);
    if (!versions.isRead(file)) return true;
    if (details.size > comparedLimit) versions.touched(file);
    else versions.saw(file, await this.contents.read(uri, comparedLimit));
    return true;
  }

  private async answer<Result>(uri: vscode.Uri, ask: () => Promise<Result>): Promise<Result> {
    try {
      const answer = await ask();
      this.versionsOf(uri).asked(uri.toString());
      return answer;
    } catch (error) {
      throw fileSystemError(error, uri);
    }
  }

  private versionsOf(uri: vscode.Uri): ContentVersions {
    const image = fromUriParts(uri)?.image ?? '';
    const versions = this.versions.get(image) ?? new ContentVersions();
    this.versions.set(image, versions);
    return versions;
  }
}

function fileSystemError(error: unknown, uri: vscode.Uri): vscode.FileSystemError {
  const code = error instanceof RemoteError ? error.code : '';
  if (code === 'not-found') return vscode.FileSystemError.FileNotFound(uri);
  if (code === 'not-a-directory') return vscode.FileSystemError.FileNotADirectory(uri);
  if (code === 'exists') return vscode.FileSystemError.FileExists(uri);
  if (code === 'read-only' || code === 'unwritable') {
    return vscode.FileSystemError.NoPermissions(messageOf(error));
  }
  if (code === 'not-a-file') return vscode.FileSystemError.FileIsADirectory(uri);
  return vscode.FileSystemError.Unavailable(messageOf(error));
}

function fileTypeOf(type: NodeType): vscode.FileType {
  if (type === 'directory') return vscode.FileType.Directory;
  if (type === 'symlink') return vscode.FileType.File | vscode.FileType.SymbolicLink;
  return type === 'file' ? vscode.FileType.File : vscode.FileType.Unknown;
}

/** In milliseconds since 1970. */
function timeOf(time: string | null | undefined): number | undefined {
  const milliseconds = time ? Date.parse(time) : NaN;
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}
