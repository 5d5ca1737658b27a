import * as vscode from 'vscode';
import { viewTypes } from '../editor/editor-provider';
import { showError } from '../shared/messages';

/** Opens any file with the inspector: the explorer's, that of the active editor, or a chosen one. */
export function registerOpenCommand(): vscode.Disposable {
  return vscode.commands.registerCommand('fsimg.openWithInspector', async (argument?: unknown) => {
    try {
      const uri = argument instanceof vscode.Uri ? argument : (activeFile() ?? (await askFile()));
      if (uri) await vscode.commands.executeCommand('vscode.openWith', uri, viewTypeFor(uri));
    } catch (error) {
      showError(error);
    }
  });
}

/** The kind of editor that the manifest names for a file: two kinds would not share their undo. */
function viewTypeFor({ path }: vscode.Uri): string {
  return viewTypes[path.toLowerCase().endsWith('.img') ? 0 : 1];
}

/** The file that is shown, unless the inspector shows it already. */
function activeFile(): vscode.Uri | undefined {
  const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputText) return input.uri;
  if (!(input instanceof vscode.TabInputCustom)) return undefined;
  return viewTypes.some((viewType) => viewType === input.viewType) ? undefined : input.uri;
}

async function askFile(): Promise<vscode.Uri | undefined> {
  const files = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Open with the Filesystem Image Inspector'),
    openLabel: vscode.l10n.t('Inspect'),
  });
  return files?.[0];
}
