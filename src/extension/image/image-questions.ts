import * as vscode from 'vscode';
import type { ImageDifference } from '../../protocol/requests';
import { formatSize } from '../../protocol/sizes';
import { displayed } from '../shared/messages';
import type { SaveQuestions } from './saving';

/** Lines that a dialog has room for. */
const mostLines = 12;

/** What a person is asked when their changes are saved. */
export function saveQuestions(uri: vscode.Uri): SaveQuestions {
  return {
    onConflict: async () => {
      const overwrite = vscode.l10n.t('Overwrite');
      const reload = vscode.l10n.t('Reload and Lose Changes');
      const answer = await vscode.window.showWarningMessage(
        vscode.l10n.t('{0} has been changed by another program since it was read.', nameOf(uri)),
        {
          modal: true,
          detail: vscode.l10n.t(
            'Overwriting writes your changes over what is there now, which may leave the filesystem inconsistent where the other program changed it too.',
          ),
        },
        overwrite,
        reload,
      );
      if (answer === undefined) return null;
      return answer === overwrite ? 'overwrite' : 'reload';
    },
    onUndoLimit: async (kept) => {
      const save = vscode.l10n.t('Save without Undo');
      const answer = await vscode.window.showWarningMessage(
        vscode.l10n.t(
          'To undo this save, {0} would have to be kept, more than the setting fsimg.undoLimit allows.',
          formatSize(kept),
        ),
        {
          modal: true,
          detail: vscode.l10n.t('What is saved without it cannot be undone afterwards.'),
        },
        save,
      );
      return answer === save;
    },
  };
}

/**
 * Asks what to do with unsaved changes when another program changed the image.
 * @param compare what has changed, for those who want to know before they decide
 */
export async function askAfterOutsideChange(
  uri: vscode.Uri,
  compare: () => Promise<ImageDifference | null>,
): Promise<'reload' | 'keep'> {
  // A notification cuts longer words off.
  const keep = vscode.l10n.t('Keep Mine');
  const reload = vscode.l10n.t('Reload');
  const show = vscode.l10n.t('Compare…');
  const message = vscode.l10n.t(
    '{0} was changed by another program. Reloading it loses your unsaved changes.',
    nameOf(uri),
  );
  const first = await vscode.window.showWarningMessage(message, keep, reload, show);
  if (first !== show) return first === reload ? 'reload' : 'keep';
  const difference = await compare().catch(() => null);
  const detail = describe(difference?.sentences ?? []);
  const second = await vscode.window.showWarningMessage(
    message,
    { modal: true, detail },
    keep,
    reload,
  );
  return second === reload ? 'reload' : 'keep';
}

/** What to do when the changes of an earlier session do not fit the image any more. */
export async function askWithoutBackup(uri: vscode.Uri, reason: string): Promise<boolean> {
  const open = vscode.l10n.t('Open without Them');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('The unsaved changes of {0} cannot be taken over.', nameOf(uri)),
    {
      modal: true,
      detail: vscode.l10n.t('{0} Opened without them, they are lost.', displayed(reason)),
    },
    open,
  );
  return answer === open;
}

/** Asks before the changes that are not saved are lost to a reload. */
export async function askReload(uri: vscode.Uri): Promise<boolean> {
  const reload = vscode.l10n.t('Reload and Lose Changes');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('{0} has changes that are not saved.', nameOf(uri)),
    { modal: true, detail: vscode.l10n.t('Reloading reads the file anew.') },
    reload,
  );
  return answer === reload;
}

/** Tells that an image cannot be saved where it was, and offers another place. */
export async function offerSaveAs(uri: vscode.Uri): Promise<void> {
  const saveAs = vscode.l10n.t('Save As…');
  const message = vscode.l10n.t(
    '{0} is no longer there: nothing was saved. Save As writes it anew.',
    nameOf(uri),
  );
  const answer = await vscode.window.showWarningMessage(message, saveAs);
  if (answer === saveAs) await vscode.commands.executeCommand('workbench.action.files.saveAs');
}

/** Tells which changes an engine took with it when it ended. */
export function tellLoss(uri: vscode.Uri, lost: readonly string[]): void {
  const labels = lost.slice(-mostLines).map((label) => displayed(label));
  void vscode.window.showWarningMessage(
    vscode.l10n.t(
      'The engine of {0} ended, and these changes with it: {1}.',
      nameOf(uri),
      labels.join(', '),
    ),
  );
}

function describe(sentences: readonly string[]): string {
  if (sentences.length === 0) {
    return vscode.l10n.t('What changed cannot be told: nothing that was looked at differs.');
  }
  const lines = sentences.slice(0, mostLines).map((sentence) => displayed(sentence));
  return lines.join('\n');
}

const nameOf = (uri: vscode.Uri) => displayed(uri.path.slice(uri.path.lastIndexOf('/') + 1));
