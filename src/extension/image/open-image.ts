import * as vscode from 'vscode';
import type {
  Edit,
  HostOperation,
  ImageDifference,
  ImageSummary,
  SaveReport,
} from '../../protocol/requests';
import { RemoteError } from '../../protocol/rpc';
import { visibleText } from '../../protocol/visible-text';
import { EngineClient } from '../../worker/client';
import { BackgroundCheck } from '../checks/background-check';
import { ImageChecks } from '../checks/image-checks';
import type { Attention } from '../shared/engine';
import { withoutIcons } from '../shared/formats';
import { displayed, messageOf } from '../shared/messages';
import { ChangeWatch, type FileVersion } from './change-watch';
import { ImageEdits, type EditStep } from './image-edits';
import { ImageFile, type FileEnvironment } from './image-file';
import { askAfterOutsideChange, offerSaveAs, saveQuestions, tellLoss } from './image-questions';
import { OutsideChanges } from './outside-changes';
import { saveChanges, writeIfThere } from './saving';

/** How long an image must not change before it is read anew, in milliseconds. */
const quietTime = 500;
/** The same before it is checked by itself: the views come first. */
const restTime = 1000;
/** How long a message stands in the status bar, in milliseconds. */
const messageTime = 8000;

/** What the images of this window share. */
export interface ImageEnvironment extends FileEnvironment {
  /** The bundled worker. */
  readonly workerProgram: string;
  readonly log: vscode.LogOutputChannel;
}

/** The document whose undo stack takes the changes of an image. */
export interface EditOwner {
  stepped(step: EditStep): void;
  outOfStep(isDirty: boolean): void;
}

/** One image: its engine, its changes, and what happens to its file. */
export class OpenImage implements vscode.Disposable {
  readonly engine: EngineClient;
  readonly file: ImageFile;
  readonly edits: ImageEdits;
  readonly checks: ImageChecks;
  readonly background: BackgroundCheck;
  private readonly outside: OutsideChanges;
  private readonly watch: ChangeWatch;
  private readonly settings: vscode.Disposable;
  private readonly watcher: vscode.FileSystemWatcher;
  private readonly owners: EditOwner[] = [];
  private readAnew = 0;
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly changedOutside = new vscode.EventEmitter<ImageDifference>();
  private readonly vanished = new vscode.EventEmitter<void>();
  private readonly restarted = new vscode.EventEmitter<string | null>();
  private readonly checked = new vscode.EventEmitter<number | null>();
  private readonly checking = new vscode.EventEmitter<void>();

  /** Everything that was asked of the engine before may be out of date. */
  readonly onDidChange = this.changed.event;
  /** What another program has changed, once it is shown. */
  readonly onDidChangeOutside = this.changedOutside.event;
  /** The file is no longer there; the engine goes on with what it has of it. */
  readonly onDidVanish = this.vanished.event;
  /** The engine ended by itself; with a message, no other one runs. */
  readonly onDidRestart = this.restarted.event;
  /** A check of a volume has ended; with null, what checks have found is out of date. */
  readonly onDidCheck = this.checked.event;
  /** How far the check is that nobody asked for. */
  readonly onDidProgress = this.checking.event;

  constructor(
    readonly uri: vscode.Uri,
    private readonly environment: ImageEnvironment,
  ) {
    this.file = new ImageFile(uri, environment);
    this.engine = new EngineClient({
      program: environment.workerProgram,
      openSource: () => this.file.openSource(),
      onRestart: (failure) => void this.engineEnded(failure),
    });
    this.edits = new ImageEdits(this.engine, {
      stepped: (step) => this.owners[0]?.stepped(step),
      outOfStep: (isDirty) => this.owners[0]?.outOfStep(isDirty),
      changed: () => this.showsOtherwise(),
    });
    this.checks = new ImageChecks(this.engine, {
      checked: (volume) => this.checked.fire(volume),
      outdated: () => this.checked.fire(null),
    });
    this.background = new BackgroundCheck({
      checks: this.checks,
      isWanted: () => this.isOwned && this.setting<boolean>('checkOnOpen') === true,
      volumes: () => this.readableVolumes(),
      progressed: () => this.checking.fire(),
      failed: (error) => this.environment.log.warn(this.logged(messageOf(error))),
      pause: restTime,
    });
    this.outside = new OutsideChanges({
      engine: this.engine,
      isDirty: () => this.edits.isDirty,
      reload: () => this.reload(),
      ask: () => askAfterOutsideChange(uri, () => this.compareWithFile()),
      tell: (difference) => this.tellOutsideChange(difference),
    });
    this.watch = new ChangeWatch({
      version: (): Promise<FileVersion | undefined> => this.file.version(),
      onChange: () => void this.outside.noticed(),
      onGone: () => this.vanished.fire(),
      quiet: quietTime,
    });
    this.watcher = watchFile(uri, () => this.watch.touched());
    this.settings = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('fsimg.codePage', uri)) this.settingChanged();
      if (event.affectsConfiguration('fsimg.checkOnOpen', uri)) this.background.renew();
    });
  }

  /** Whether the file is no longer there. */
  get isGone(): boolean {
    return this.watch.isGone;
  }

  /** When it was last read anew, in milliseconds since 1970; 0 when it never was. */
  get renewed(): number {
    return this.readAnew;
  }

  /** Whether there is a document that can take changes, and save them. */
  get isOwned(): boolean {
    return this.owners.length > 0;
  }

  /**
   * Lets a document take the changes. Where there are several, of different kinds of editors, the
   * first one has them.
   */
  own(owner: EditOwner): vscode.Disposable {
    this.owners.push(owner);
    this.outside.settled();
    this.changed.fire(); // what was shown read-only can be changed now
    if (this.owners.length === 1) this.background.renew();
    return new vscode.Disposable(() => {
      this.owners.splice(this.owners.indexOf(owner), 1);
      this.changed.fire();
      if (!this.isOwned) this.background.stop();
      // Files inside the image may still be shown: as they are in the file.
      if (!this.isOwned && this.edits.isDirty) void this.reload();
    });
  }

  /** What the image holds, with the reasons of whatever holds it why it cannot be changed. */
  async summary(): Promise<ImageSummary> {
    const [summary, reason] = await Promise.all([
      this.engine.request('summary', []),
      this.file.whyReadOnly(),
    ]);
    if (reason === null) return summary;
    const volumes = summary.volumes.map((volume) => ({ ...volume, whyReadOnly: reason }));
    return { ...summary, whyReadOnly: reason, volumes };
  }

  /**
   * Changes the image: the one place through which every change goes. It becomes a step on the
   * undo stack of its document.
   * @throws RemoteError `read-only` when it cannot be changed, and as the engine refuses
   */
  async edit(operation: HostOperation, attention?: Attention): Promise<Edit> {
    if (!this.isOwned) throw new RemoteError('read-only', notInspected(this.uri));
    const reason = await this.file.whyReadOnly();
    if (reason !== null) throw new RemoteError('read-only', reason);
    return this.edits.edit(operation, attention);
  }

  /**
   * Writes the changes to where the image lies.
   * @returns null when nothing was written: there was nothing to write, or what is in the file was
   *   wanted in place of the changes
   * @throws RemoteError; then the file is as it was
   */
  async save(attention?: Attention): Promise<SaveReport | null> {
    const { engine, file } = this;
    const undoLimit = (this.setting<number>('undoLimit') ?? 0) * 2 ** 20;
    const write = writeIfThere(
      file.writer(engine, attention),
      async () => !file.isOfHost || (await file.version()) !== undefined,
      () => void offerSaveAs(this.uri),
    );
    let isUnwanted = false;
    const report = await this.edits.save(() =>
      this.watch.writing(async () => {
        const saved = await saveChanges(engine, write, saveQuestions(this.uri), undoLimit);
        isUnwanted = saved === null;
        return saved;
      }),
    );
    // An engine that has the image in memory does not know what was saved of it.
    if (isUnwanted || (report && !file.isOfHost)) await this.reload();
    else if (report) this.fileChanged();
    return report;
  }

  /**
   * Writes the image as it is shown to another file, and shows its own again as that is. That may
   * be where its own was that is no longer there.
   */
  async saveAs(target: vscode.Uri, attention?: Attention): Promise<SaveReport | null> {
    const write = () => this.file.writeCopy(this.engine, target, attention);
    if (target.toString() !== this.uri.toString()) {
      const report = await write();
      await this.edits.reload(async () => void (await this.engine.request('revert', [])));
      return report;
    }
    const report = await this.watch.writing(write);
    await this.edits.reload(() => this.engine.reopen());
    this.outside.settled();
    return report;
  }

  /** Back to what is in the file. @throws RemoteError `unwritable` when a save failed half-way */
  revert(): Promise<void> {
    return this.outside.isOutdated ? this.reload() : this.edits.revert();
  }

  /** Reads the image from scratch, with a new engine. What was changed and not saved is lost. */
  async reload(): Promise<void> {
    const wasDirty = this.edits.isDirty;
    this.readAnew = Date.now();
    await this.edits.reload(() => this.engine.reopen());
    await this.watch.learn();
    this.outside.settled();
    if (wasDirty) this.owners[0]?.outOfStep(false);
  }

  /**
   * Shows a volume after the replay of its journal, or again as it is on disk, in all its editors.
   * @throws RemoteError as the engine refuses
   */
  async showReplayed(volume: number, replayed: boolean, attention?: Attention): Promise<void> {
    await this.engine.request('showReplayed', [volume, replayed], attention);
    this.showsOtherwise();
  }

  dispose(): void {
    this.background.dispose();
    this.settings.dispose();
    this.watcher.dispose();
    this.watch.dispose();
    this.outside.dispose();
    this.changed.dispose();
    this.changedOutside.dispose();
    this.vanished.dispose();
    this.restarted.dispose();
    this.checked.dispose();
    this.checking.dispose();
    void this.engine.dispose();
  }

  /** The engine now shows the image in another state. */
  private showsOtherwise(): void {
    this.checks.outdate();
    this.changed.fire();
    this.background.renew();
  }

  private async engineEnded(failure: string | null): Promise<void> {
    const message = failure ?? 'the engine ended, and was started anew';
    this.environment.log.warn(this.logged(message));
    const recovered = this.edits.recover();
    // Not anew: what was checked may be what ended the engine.
    this.checks.outdate();
    this.restarted.fire(failure);
    const lost = await recovered;
    if (lost.length > 0) tellLoss(this.uri, lost);
  }

  private setting<Value>(name: string): Value | undefined {
    return vscode.workspace.getConfiguration('fsimg', this.uri).get<Value>(name);
  }

  private logged(message: string): string {
    return visibleText(`${this.uri.toString(true)}: ${message}`);
  }

  private async readableVolumes(): Promise<number[]> {
    const { volumes } = await this.engine.request('summary', []);
    return volumes.filter(({ unreadable }) => unreadable === null).map(({ index }) => index);
  }

  /** What is in the file now that was not when it was read, if that is known; the engine goes on meanwhile. */
  private async compareWithFile(): Promise<ImageDifference | null> {
    const { before } = this.outside;
    if (before === null) return null;
    const other = new EngineClient({
      program: this.environment.workerProgram,
      openSource: () => this.file.source(),
      onRestart: () => undefined,
    });
    try {
      return (await other.request('remember', [before])).difference;
    } finally {
      await other.dispose();
    }
  }

  /** The file holds what is shown now, and maybe what another program had written, too. */
  private fileChanged(): void {
    this.outside.settled();
    this.changed.fire();
  }

  private tellOutsideChange(difference: ImageDifference | null): void {
    const name = withoutIcons(displayed(nameOf(this.uri)));
    const message = vscode.l10n.t('{0} was changed by another program, and read anew.', name);
    vscode.window.setStatusBarMessage(message, messageTime);
    if (difference) this.changedOutside.fire(difference);
  }

  private settingChanged(): void {
    if (!this.edits.isDirty) return void this.reload();
    const message = vscode.l10n.t(
      '{0} has changes that are not saved: the code page is used once it is reloaded.',
      displayed(nameOf(this.uri)),
    );
    void vscode.window.showInformationMessage(message);
  }
}

const nameOf = (uri: vscode.Uri) => uri.path.slice(uri.path.lastIndexOf('/') + 1);

const notInspected = (uri: vscode.Uri) =>
  vscode.l10n.t('Open {0} in the inspector to change files in it.', displayed(nameOf(uri)));

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
