import * as vscode from 'vscode';
import type { SaveReport } from '../../protocol/requests';
import { RemoteError } from '../../protocol/rpc';
import { formatSize } from '../../protocol/sizes';
import type { ImageSource } from '../../worker/client';
import type { Attention, Engine } from '../shared/engine';
import { messageOf } from '../shared/messages';
import { sameVersion, type FileVersion } from './change-watch';
import { writeToFile, writeWhole, type WriteChanges } from './saving';

/** What an image may have that is held in memory because its host has no file for it. */
const memoryImageLimit = 256 * 1024 * 1024;

/** How an image is read that is itself a file inside an image. */
export interface NestedContent {
  /** Of the URIs that name such files. */
  readonly scheme: string;
  /** @param limit in bytes; a longer file is refused */
  readonly read: (uri: vscode.Uri, limit: number) => Promise<Uint8Array<ArrayBuffer>>;
}

/** What images need to be read, and to be changed. */
export interface FileEnvironment {
  readonly nested: NestedContent;
  /** A folder of the host for what only undo needs. */
  readonly undoFolder: string;
}

/** Where an image lies: in a file of the host, in a virtual workspace, or inside another image. */
export class ImageFile {
  /** What was there when it was last read or written as a whole. */
  private known: FileVersion | undefined;

  constructor(
    readonly uri: vscode.Uri,
    private readonly environment: FileEnvironment,
  ) {}

  /** Whether it is a file of the host, which the engine reads and writes itself. */
  get isOfHost(): boolean {
    return this.uri.scheme === 'file';
  }

  private get isNested(): boolean {
    return this.uri.scheme === this.environment.nested.scheme;
  }

  /**
   * Where the engine reads it. What is there then is what the next save expects.
   * @throws as `source`
   */
  async openSource(): Promise<ImageSource> {
    if (!this.isOfHost) this.known = await this.version();
    return this.source();
  }

  /**
   * Where an engine reads it: its file, or its bytes.
   * @throws RemoteError `unreadable`, or `unsupported` where it is too large for memory
   */
  async source(): Promise<ImageSource> {
    const { uri } = this;
    const codePage = vscode.workspace.getConfiguration('fsimg', uri).get<number>('codePage');
    if (this.isOfHost) {
      return { path: uri.fsPath, codePage, undoFolder: this.environment.undoFolder };
    }
    try {
      const { size } = await vscode.workspace.fs.stat(uri);
      if (size > memoryImageLimit) throw tooLarge(size);
      if (this.isNested) {
        return { bytes: await this.environment.nested.read(uri, memoryImageLimit), codePage };
      }
      const bytes = await vscode.workspace.fs.readFile(uri);
      return { bytes: new Uint8Array(bytes), codePage }; // a copy: the engine takes the whole buffer
    } catch (error) {
      if (error instanceof RemoteError) throw error;
      throw new RemoteError('unreadable', messageOf(error));
    }
  }

  /** What is there now; undefined when nothing is. */
  async version(): Promise<FileVersion | undefined> {
    try {
      const { size, mtime } = await vscode.workspace.fs.stat(this.uri);
      return { size, modified: mtime };
    } catch {
      return undefined;
    }
  }

  /** Why nothing can be written here; null where it can, or where the engine knows. */
  async whyReadOnly(): Promise<string | null> {
    const { uri } = this;
    if (this.isOfHost) return null;
    if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false) {
      return vscode.l10n.t('What holds this image cannot be written to.');
    }
    const stat = await vscode.workspace.fs.stat(uri).then(
      (found) => found,
      () => undefined,
    );
    if (!((stat?.permissions ?? 0) & vscode.FilePermission.Readonly)) return null;
    return this.isNested
      ? vscode.l10n.t(
          'The image that holds this one can be changed only while it is open in the inspector, and if it can be changed at all.',
        )
      : vscode.l10n.t('This image is read-only where it lies.');
  }

  /** How changes are written to it. */
  writer(engine: Engine, attention?: Attention): WriteChanges {
    if (this.isOfHost) return writeToFile(engine, attention);
    const holder = {
      hasChanged: async () => {
        const version = await this.version();
        return version === undefined || !sameVersion(version, this.known);
      },
      write: async (bytes: Uint8Array) => {
        await vscode.workspace.fs.writeFile(this.uri, bytes);
        this.known = await this.version();
      },
    };
    return writeWhole(engine, holder);
  }

  /**
   * Writes the image as it is shown to another file.
   * @returns null where there is nothing to report
   */
  async writeCopy(
    engine: Engine,
    target: vscode.Uri,
    attention?: Attention,
  ): Promise<SaveReport | null> {
    if (target.scheme === 'file') return engine.request('saveAs', [target.fsPath], attention);
    const { image } = await engine.request('summary', []);
    if (image.size > memoryImageLimit) throw tooLarge(image.size);
    await vscode.workspace.fs.writeFile(target, await engine.request('wholeImage', []));
    return null;
  }
}

function tooLarge(size: number): RemoteError {
  const message = vscode.l10n.t(
    'What is not a file of this machine has to be held in memory: {0} is more than the {1} that can be.',
    formatSize(size),
    formatSize(memoryImageLimit),
  );
  return new RemoteError('unsupported', message);
}
