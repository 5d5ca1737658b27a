import * as vscode from 'vscode';
import type { SaveReport } from '../../protocol/requests';
import { RemoteError } from '../../protocol/rpc';
import { askWithoutBackup } from '../image/image-questions';
import type { OpenImages } from '../image/open-images';
import type { Attention } from '../shared/engine';
import { displayed, showError } from '../shared/messages';
import { ImageDocument } from './image-document';
import { Inspector, type InspectorServices } from './inspector';

/** For `*.img`, and for any other file: VS Code takes one priority for each view type. */
export const viewTypes = ['fsimg.inspector', 'fsimg.inspectorOption'] as const;

/** Shows images in inspectors, and saves what is changed in them. */
export class InspectorProvider
  implements vscode.CustomEditorProvider<ImageDocument>, vscode.Disposable
{
  private readonly changed = new vscode.EventEmitter<
    | vscode.CustomDocumentEditEvent<ImageDocument>
    | vscode.CustomDocumentContentChangeEvent<ImageDocument>
  >();
  readonly onDidChangeCustomDocument = this.changed.event;

  constructor(
    private readonly images: OpenImages,
    private readonly opened: (inspector: Inspector) => void,
    private readonly services: InspectorServices,
  ) {}

  async openCustomDocument(
    uri: vscode.Uri,
    { backupId }: vscode.CustomDocumentOpenContext,
  ): Promise<ImageDocument> {
    const document = new ImageDocument(uri, this.images.acquire(uri), (event) =>
      this.changed.fire(event),
    );
    try {
      if (backupId !== undefined) await restore(document, vscode.Uri.parse(backupId, true));
    } catch (error) {
      document.dispose();
      throw error;
    }
    // VS Code takes the document over once it has the answer.
    setTimeout(() => document.start());
    return document;
  }

  resolveCustomEditor({ image }: ImageDocument, panel: vscode.WebviewPanel): void {
    this.opened(new Inspector(image, panel, this.services));
  }

  async saveCustomDocument(
    { image, isSettling }: ImageDocument,
    cancellation: vscode.CancellationToken,
  ): Promise<void> {
    // The person has not asked for it: what they have changed since stays unsaved.
    if (isSettling && image.edits.isDirty) throw new vscode.CancellationError();
    tellNotes(await cancellable(cancellation, (attention) => image.save(attention)));
  }

  async saveCustomDocumentAs(
    document: ImageDocument,
    destination: vscode.Uri,
    cancellation: vscode.CancellationToken,
  ): Promise<void> {
    const { image } = document;
    // A file that is no longer there is written anew, as any other.
    if (destination.toString() === document.uri.toString() && !image.isGone) {
      return this.saveCustomDocument(document, cancellation);
    }
    tellNotes(await cancellable(cancellation, (attention) => image.saveAs(destination, attention)));
  }

  /** VS Code takes it for done at once, and hears of no error. */
  async revertCustomDocument(document: ImageDocument): Promise<void> {
    try {
      await document.image.revert();
    } catch (error) {
      if (document.isClosed) return; // without its changes, as was wanted
      showError(error);
      document.outOfStep(document.image.edits.isDirty);
    }
  }

  async backupCustomDocument(
    { image }: ImageDocument,
    { destination }: vscode.CustomDocumentBackupContext,
  ): Promise<vscode.CustomDocumentBackup> {
    if (destination.scheme !== 'file') throw new Error('Backups are files of this machine.');
    const file = destination.fsPath;
    await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(destination, '..'));
    await image.edits.backUp(file);
    return {
      id: destination.toString(),
      delete: () => {
        image.edits.forgetBackup(file);
        // That it is gone already is what is wanted.
        void vscode.workspace.fs.delete(destination).then(undefined, () => undefined);
      },
    };
  }

  dispose(): void {
    this.changed.dispose();
  }
}

/** Takes over what was not saved in an earlier session, or asks whether to do without. */
async function restore(document: ImageDocument, backup: vscode.Uri): Promise<void> {
  const { image, uri } = document;
  try {
    await image.edits.restore(backup.fsPath);
  } catch (error) {
    const isLost = error instanceof RemoteError && ['conflict', 'corrupt'].includes(error.code);
    // The image cannot be read now: maybe later, and the backup is still there then.
    if (!isLost || !(await askWithoutBackup(uri, error.message))) throw error;
  }
  // VS Code takes what has a backup for changed.
  if (!image.edits.isDirty) document.outOfStep(false);
}

function tellNotes(report: SaveReport | null): void {
  if (!report || report.notes.length === 0) return;
  void vscode.window.showInformationMessage(report.notes.map(displayed).join(' '));
}

/** Hands the cancellation on; that the person gave up is no error to VS Code. */
async function cancellable<Result>(
  cancellation: vscode.CancellationToken,
  work: (attention: Attention) => Promise<Result>,
): Promise<Result> {
  const abort = new AbortController();
  const subscription = cancellation.onCancellationRequested(() => abort.abort());
  try {
    return await work({ signal: abort.signal });
  } catch (error) {
    if (error instanceof RemoteError && error.code === 'cancelled') {
      throw new vscode.CancellationError();
    }
    throw error;
  } finally {
    subscription.dispose();
  }
}
