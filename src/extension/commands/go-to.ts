import * as vscode from 'vscode';
import type { EntryPlace, PathStep } from '../../protocol/requests';
import { messageOf } from '../messages';
import type { TargetAction } from './inspector-command';

/** Asks for a path inside the image, and shows what is there. */
export const goTo: TargetAction = async ({ inspector, volume, path }) => {
  const input = vscode.window.createInputBox();
  input.title = vscode.l10n.t('Go to…');
  input.prompt = vscode.l10n.t('An absolute path inside the image, such as /boot/grub');
  input.value = path;
  input.onDidChangeValue(() => {
    input.validationMessage = undefined;
  });
  input.onDidHide(() => input.dispose());
  input.onDidAccept(async () => {
    input.busy = true;
    try {
      const steps = await inspector.image.engine.request('resolve', [
        volume,
        absolute(input.value),
      ]);
      inspector.reveal({ kind: 'entry', entry: entryAt(volume, steps) }, 'files');
      input.hide();
    } catch (error) {
      input.validationMessage = messageOf(error);
    } finally {
      input.busy = false;
    }
  });
  input.show();
};

const absolute = (path: string) => (path.startsWith('/') ? path : `/${path}`);

/** A directory is shown from inside, anything else as chosen in its directory. */
function entryAt(volume: number, steps: readonly PathStep[]): EntryPlace {
  const last = steps[steps.length - 1];
  if (last.type === 'directory') {
    return { volume, directory: last.node, directoryPath: pathOf(steps) };
  }
  const above = steps.slice(0, -1);
  return {
    volume,
    directory: above[above.length - 1].node,
    directoryPath: pathOf(above),
    node: last.node,
    path: pathOf(steps),
    type: last.type,
  };
}

function pathOf(steps: readonly PathStep[]): string {
  const names = steps.slice(1).map((step) => step.name);
  return `/${names.join('/')}`;
}
