import * as vscode from 'vscode';
import { contentUri, tooLong } from '../content/contents';
import { contentLimit } from '../content/file-provider';
import type { Target } from '../editor/active-inspector';
import { doubtAbout } from './deleted-words';
import type { TargetAction } from './inspector-command';

/**
 * Shows a file's content in the editor that VS Code has for its name.
 * @param exportNode offered for a file that is too long
 */
export function contentOpener(exportNode: TargetAction): TargetAction {
  return async (target) => {
    const { inspector, volume, node, path } = target;
    const { image } = inspector;
    const { size } = await image.engine.request('details', [volume, node, 0]);
    if (size > contentLimit && !isImage(path)) {
      const { message } = tooLong(path, size, contentLimit);
      const exportIt = vscode.l10n.t('Export…');
      const answer = await vscode.window.showWarningMessage(message, exportIt);
      return answer === exportIt ? exportNode(target) : undefined;
    }
    if (!(await isWanted(target))) return;
    const uri = await contentUri(image, volume, node, path);
    await vscode.commands.executeCommand('vscode.open', uri);
  };
}

/** Of a deleted file tells what is left; asks where that may be what others have written since. */
async function isWanted(target: Target): Promise<boolean> {
  const doubt = await doubtAbout(target);
  if (!doubt) return true;
  if (!doubt.isGrave) {
    void vscode.window.showInformationMessage(doubt.sentence);
    return true;
  }
  const open = vscode.l10n.t('Open Anyway');
  return (await vscode.window.showWarningMessage(doubt.sentence, { modal: true }, open)) === open;
}

/** Images inside images are opened by the inspector, which has a limit of its own. */
const isImage = (path: string) => path.toLowerCase().endsWith('.img');
