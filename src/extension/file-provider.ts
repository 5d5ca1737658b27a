import * as vscode from 'vscode';
import type { NodeType } from '../protocol/requests';
import { RemoteError } from '../protocol/rpc';
import { fromUriParts } from './content-address';
import type { Contents } from './contents';
import { messageOf } from './messages';

/** The longest file that is opened in an editor, in bytes: what VS Code itself still highlights. */
export const contentLimit = 50 * 1024 * 1024;

/** Lets VS Code's own editors show files inside images. Nothing can be written. */
export class ContentFileSystem implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changes.event;
  /** The files that were asked for, by their image: those that change with it. */
  private readonly known = new Map<string, Set<string>>();

  constructor(private readonly contents: Contents) {}

  /** VS Code watches what its editors show, and the folders of images inside images. */
  watch(uri: vscode.Uri): vscode.Disposable {
    const address = fromUriParts(uri);
    if (!address) return new vscode.Disposable(() => undefined);
    const lease = this.contents.acquireImage(uri);
    const subscription = lease.image.onDidChange(() => {
      const changed = [...(this.known.get(address.image) ?? [])].map((file) => ({
        type: vscode.FileChangeType.Changed,
        uri: vscode.Uri.parse(file, true),
      }));
      this.changes.fire(changed);
    });
    return vscode.Disposable.from(subscription, lease);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const details = await this.answer(uri, () => this.contents.details(uri));
    return {
      type: fileTypeOf(details.type),
      ctime: timeOf(details.created) ?? 0,
      mtime: await this.modified(uri, timeOf(details.modified) ?? 0),
      size: details.size,
      permissions: vscode.FilePermission.Readonly,
    };
  }

  readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return this.answer(uri, () => this.contents.read(uri, contentLimit));
  }

  async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    const entries = await this.answer(uri, () => this.contents.entries(uri));
    return entries.map(({ name, type }) => [name, fileTypeOf(type)]);
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.changes.dispose();
  }

  /**
   * Editors take a file of the same time and size for unchanged, but an image that is built anew
   * often gives its files the same times. So a file is no older than the image.
   */
  private async modified(uri: vscode.Uri, own: number): Promise<number> {
    const address = fromUriParts(uri);
    if (!address) return own;
    const image = await vscode.workspace.fs.stat(vscode.Uri.parse(address.image, true)).then(
      ({ mtime }) => mtime,
      () => 0,
    );
    return Math.max(own, image);
  }

  private async answer<Result>(uri: vscode.Uri, ask: () => Promise<Result>): Promise<Result> {
    this.remember(uri);
    try {
      return await ask();
    } catch (error) {
      throw fileSystemError(error, uri);
    }
  }

  private remember(uri: vscode.Uri): void {
    const address = fromUriParts(uri);
    if (!address) return;
    const files = this.known.get(address.image) ?? new Set();
    this.known.set(address.image, files.add(uri.toString()));
  }
}

function fileSystemError(error: unknown, uri: vscode.Uri): vscode.FileSystemError {
  const code = error instanceof RemoteError ? error.code : '';
  if (code === 'not-found') return vscode.FileSystemError.FileNotFound(uri);
  if (code === 'not-a-directory') return vscode.FileSystemError.FileNotADirectory(uri);
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
