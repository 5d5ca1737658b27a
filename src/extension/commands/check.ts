import * as vscode from 'vscode';
import { version } from '../../../package.json';
import { displayed } from '../shared/messages';
import { withProgress } from '../shared/progress';
import type { InspectorAction } from './inspector-command';

/** Shows the checks view, and checks the volume that is shown there, where one sees how far it is. */
export const check: InspectorAction = async (inspector) => inspector.startCheck();

/** Gives up a check that was not asked for. */
export const stopCheck: InspectorAction = async ({ image }) => image.background.stop();

/** Writes what is wrong with the volume that is shown to a file, as SARIF or as plain JSON. */
export const exportChecks: InspectorAction = async ({ image, selection }) => {
  const { engine, uri } = image;
  const { first } = await image.summary();
  const volume = selection?.volume ?? first;
  if (volume === null) {
    const message = vscode.l10n.t('This image has no filesystem that could be checked.');
    void vscode.window.showInformationMessage(message);
    return;
  }
  const target = await askTarget(uri);
  if (!target) return;
  const title = vscode.l10n.t('Checking {0}', displayed(nameOf(uri)));
  const text = await withProgress(title, async (attention) => {
    // How far it is, it does not tell in bytes.
    await image.checks.check(volume, { signal: attention.signal });
    return target.path.toLowerCase().endsWith('.sarif')
      ? engine.request('checkLog', [volume, uri.toString(), version], attention)
      : engine.request('checkJson', [volume], attention);
  });
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(`${text}\n`));
  const open = vscode.l10n.t('Open');
  const message = vscode.l10n.t('The findings were written to {0}.', displayed(nameOf(target)));
  if ((await vscode.window.showInformationMessage(message, open)) === open) {
    await vscode.commands.executeCommand('vscode.open', target);
  }
};

async function askTarget(image: vscode.Uri): Promise<vscode.Uri | undefined> {
  const name = `${nameOf(image).replace(/(.)\.[^.]*$/, '$1')}.sarif`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.joinPath(image, '..');
  return vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Findings'),
    defaultUri: vscode.Uri.joinPath(folder, name),
    filters: { SARIF: ['sarif'], JSON: ['json'] },
  });
}

const nameOf = (uri: vscode.Uri) => uri.path.slice(uri.path.lastIndexOf('/') + 1);
