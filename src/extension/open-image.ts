import * as vscode from 'vscode';
import { visibleText } from '../protocol/visible-text';
import { EngineClient } from '../worker/client';
import { ChangeWatch, type FileVersion } from './change-watch';
import { openSource, type ReadContent } from './image-source';

/** How long an image must not change before it is read anew, in milliseconds. */
const quietTime = 500;

/** What the images of this window share. */
export interface ImageEnvironment {
  /** The bundled worker. */
  readonly workerProgram: string;
  readonly readContent: ReadContent;
  readonly log: vscode.LogOutputChannel;
}

/** One image: its engine, and what happens to its file. */
export class OpenImage implements vscode.Disposable {
  readonly engine: EngineClient;
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly vanished = new vscode.EventEmitter<void>();
  private readonly restarted = new vscode.EventEmitter<string | null>();
  private readonly watch: ChangeWatch;
  private readonly watcher: vscode.FileSystemWatcher;
  private readonly settings: vscode.Disposable;

  /** Everything that was asked of the engine before may be out of date. */
  readonly onDidChange = this.changed.event;
  /** The file is no longer there; the engine goes on with what it has of it. */
  readonly onDidVanish = this.vanished.event;
  /** The engine ended by itself; with a message, no other one runs. */
  readonly onDidRestart = this.restarted.event;

  constructor(
    readonly uri: vscode.Uri,
    { workerProgram, readContent, log }: ImageEnvironment,
  ) {
    this.watch = new ChangeWatch({
      version: () => versionOf(uri),
      onChange: () => void this.reload(),
      onGone: () => this.vanished.fire(),
      quiet: quietTime,
    });
    this.watcher = watchFile(uri, () => this.watch.touched());
    this.settings = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('fsimg', uri)) void this.reload();
    });
    this.engine = new EngineClient({
      program: workerProgram,
      openSource: () => openSource(uri, readContent),
      onRestart: (failure) => {
        log.warn(
          visibleText(
            `${uri.toString(true)}: ${failure ?? 'the engine ended, and was started anew'}`,
          ),
        );
        this.restarted.fire(failure);
      },
    });
  }

  /** Whether the file is no longer there. */
  get isGone(): boolean {
    return this.watch.isGone;
  }

  /** Reads the image from scratch, with a new engine. */
  async reload(): Promise<void> {
    await this.engine.reopen();
    this.changed.fire();
  }

  /** Tells that the engine now shows the image in another state. */
  showsOtherwise(): void {
    this.changed.fire();
  }

  dispose(): void {
    this.settings.dispose();
    this.watcher.dispose();
    this.watch.dispose();
    this.changed.dispose();
    this.vanished.dispose();
    this.restarted.dispose();
    void this.engine.dispose();
  }
}

async function versionOf(uri: vscode.Uri): Promise<FileVersion | undefined> {
  try {
    const { size, mtime } = await vscode.workspace.fs.stat(uri);
    return { size, modified: mtime };
  } catch {
    return undefined;
  }
}

function watchFile(uri: vscode.Uri, touched: () => void): vscode.FileSystemWatcher {
  // The folder is watched: a name may hold what a pattern takes for a wildcard.
  const folder = vscode.Uri.joinPath(uri, '..');
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*'));
  const filter = (changed: vscode.Uri) => {
    if (changed.toString() === uri.toString()) touched();
  };
  watcher.onDidChange(filter);
  watcher.onDidCreate(filter);
  watcher.onDidDelete(filter);
  return watcher;
}
