import * as vscode from 'vscode';
import type { Edit, Operation } from '../../protocol/requests';
import { RemoteError } from '../../protocol/rpc';
import type { Inspector } from '../editor/inspector';
import { displayed } from '../shared/messages';
import { mayRemove } from './delete';
import { changeImage } from './edit-image';
import { mayReplace } from './move';

/**
 * Makes a change that the webview asks for; where much could be lost, the person is asked first.
 * @throws RemoteError `cancelled` when they do not want it
 */
export async function editForWebview(inspector: Inspector, operation: Operation): Promise<Edit> {
  const { image } = inspector;
  if (!(await isWanted(inspector, operation))) {
    throw new RemoteError('cancelled', vscode.l10n.t('Nothing was changed.'));
  }
  const name = image.uri.path.slice(image.uri.path.lastIndexOf('/') + 1);
  return changeImage(image, vscode.l10n.t('Changing {0}', displayed(name)), operation);
}

async function isWanted({ image }: Inspector, operation: Operation): Promise<boolean> {
  switch (operation.kind) {
    case 'remove':
      return mayRemove(image, operation.volume, operation.entries);
    case 'move':
      return !operation.replace || mayReplace(operation.name);
    default:
      return true;
  }
}
