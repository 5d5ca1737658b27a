import * as vscode from 'vscode';
import type { InspectorAction } from './inspector-command';

/** Shows a volume after the replay of its journal, or again as it is on disk, in all editors. */
export const toggleReplay: InspectorAction = async ({ image, selection }) => {
  const volume = selection?.volume;
  const journal =
    volume === undefined || volume === null
      ? null
      : await image.engine.request('journal', [volume]);
  if (typeof volume !== 'number' || !journal) {
    void vscode.window.showInformationMessage(vscode.l10n.t('This volume has no journal.'));
    return;
  }
  if (!journal.needsRecovery && !journal.isReplayed) {
    const message = vscode.l10n.t('The journal of this volume holds nothing to replay.');
    void vscode.window.showInformationMessage(message);
    return;
  }
  await image.showReplayed(volume, !journal.isReplayed);
};
