import * as vscode from 'vscode';
import type { Operation } from '../../protocol/requests';
import { displayed } from '../shared/messages';
import {
  changeImage,
  folderOf,
  nodeAt,
  pathIn,
  showEntry,
  tellNotes,
  type EntryTarget,
  type Folder,
} from './edit-image';
import {
  askOperation,
  checkedName,
  stemLength,
  typable,
  wrong,
  type Question,
} from './input/ask-name';

/** Gives the chosen entry another name in its folder. */
export async function rename(target: EntryTarget): Promise<void> {
  const folder = parentOf(target);
  const value = typable(target.entry.name);
  const end = target.type === 'directory' ? value.length : stemLength(value);
  await askAndMove(target, {
    title: vscode.l10n.t('Rename {0}', displayed(target.path)),
    prompt: vscode.l10n.t('Its new name in {0}', displayed(folder.path)),
    value,
    selected: [0, end],
    operation: (typed) => moveTo(target, folder, checkedName(typed)),
  });
}

/** Moves the chosen entry to a path, or into the directory that a path leads to. */
export async function move(target: EntryTarget): Promise<void> {
  const { path } = target;
  const value = typable(path);
  await askAndMove(target, {
    title: vscode.l10n.t('Move {0}', displayed(path)),
    prompt: vscode.l10n.t('Its new path, or the folder it goes into'),
    value,
    operation: async (typed) => {
      const { folder, name } = await placeAt(target, typed);
      return moveTo(target, folder, name);
    },
  });
}

/** Asks whether a file gives way to one that is moved. */
export async function mayReplace(name: string): Promise<boolean> {
  const replace = vscode.l10n.t('Replace');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('{0} exists already in that folder. Replace it?', displayed(name)),
    { modal: true },
    replace,
  );
  return answer === replace;
}

async function askAndMove(target: EntryTarget, question: Question): Promise<void> {
  const { inspector } = target;
  const operation = await askOperation(inspector.image, { ...question, warning: warnOfReplacing });
  if (operation?.kind !== 'move') return;
  const { volume, directory, name } = operation;
  if (operation.replace && !(await mayReplace(name))) return;
  tellNotes(await changeImage(inspector.image, question.title, operation));
  const paths = await inspector.image.engine
    .request('pathsOf', [volume, directory])
    .catch(() => []);
  if (paths.length > 0) await showEntry(inspector, { volume, directory, path: paths[0] }, name);
}

function warnOfReplacing(operation: Operation): string | undefined {
  if (operation.kind !== 'move' || !operation.replace) return undefined;
  return vscode.l10n.t('{0} exists already, and would be replaced.', displayed(operation.name));
}

async function moveTo(target: EntryTarget, folder: Folder, name: string): Promise<Operation> {
  const { inspector, node, entry } = target;
  const { volume, directory } = folder;
  const present = await nodeAt(inspector.image, volume, pathIn(folder, name));
  // On FAT a name that differs in case only is that of the entry itself.
  const replace = present !== undefined && present.node !== node && !present.isDirectory;
  return { kind: 'move', volume, entry, directory, name, replace };
}

/** As `mv` reads its last argument. */
async function placeAt(
  target: EntryTarget,
  typed: string,
): Promise<{ folder: Folder; name: string }> {
  const { inspector, volume, node, entry } = target;
  const { image } = inspector;
  const path = absolute(typed, parentOf(target).path);
  const present = await nodeAt(image, volume, path);
  if (present?.isDirectory && present.node !== node) {
    return { folder: { volume, directory: present.node, path }, name: entry.name };
  }
  const name = checkedName(path.slice(path.lastIndexOf('/') + 1));
  const above = path.slice(0, path.lastIndexOf('/')) || '/';
  const parent = await nodeAt(image, volume, above);
  if (!parent?.isDirectory) {
    throw wrong(vscode.l10n.t('There is no folder {0}.', displayed(above)));
  }
  return { folder: { volume, directory: parent.node, path: above }, name };
}

/** Without empty steps and those that lead nowhere or up. */
function absolute(typed: string, base: string): string {
  const steps: string[] = [];
  for (const step of (typed.startsWith('/') ? typed : `${base}/${typed}`).split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return `/${steps.join('/')}`;
}

const parentOf = (target: EntryTarget) => folderOf({ ...target, type: 'unknown' });
