import * as vscode from 'vscode';
import type { Operation, VolumeSummary } from '../../protocol/requests';
import type { Target } from '../editor/active-inspector';
import { displayed } from '../shared/messages';
import {
  changeImage,
  folderOf,
  showEntry,
  tell,
  tellNotes,
  type EntryTarget,
  type Folder,
} from './edit-image';
import { askOperation, checkedName, stemLength, typable, type Question } from './input/ask-name';

/** Makes an empty file in the chosen folder, or the one that is shown. */
export const newFile = (target: Target) => create(target, 'file');

/** Makes an empty folder there. */
export const newFolder = (target: Target) => create(target, 'directory');

async function create(target: Target, type: 'file' | 'directory'): Promise<void> {
  const folder = folderOf(target);
  await askAndMake(target, folder, {
    title: type === 'file' ? vscode.l10n.t('New File') : vscode.l10n.t('New Folder'),
    prompt: promptFor(folder),
    value: '',
    operation: (typed) => ({ ...placeOf(folder), kind: 'create', type, name: checkedName(typed) }),
  });
}

/** Makes a symbolic link there; asks for its name, then for where it leads. */
export async function newSymlink(target: Target, volume: VolumeSummary): Promise<void> {
  if (isFat(volume)) return tell(vscode.l10n.t('FAT has no symbolic links.'));
  const folder = folderOf(target);
  const title = vscode.l10n.t('New Symbolic Link');
  const symlink = (name: string, leadsTo: string) =>
    ({ ...placeOf(folder), kind: 'symlink', name, target: leadsTo }) as const;
  const named = await askOperation(target.inspector.image, {
    title,
    prompt: promptFor(folder),
    value: '',
    operation: (typed) => symlink(checkedName(typed), '.'),
  });
  if (named?.kind !== 'symlink') return;
  await askAndMake(target, folder, {
    title,
    prompt: vscode.l10n.t('Where {0} leads', displayed(named.name)),
    placeHolder: vscode.l10n.t('../folder/file, or an absolute path'),
    value: '',
    operation: (typed) => symlink(named.name, typed),
  });
}

/** Gives the chosen file a further name in its folder. */
export async function newLink(target: EntryTarget, volume: VolumeSummary): Promise<void> {
  if (isFat(volume)) return tell(vscode.l10n.t('FAT has no hard links.'));
  const { type, node, entry, path } = target;
  if (type === 'directory') {
    return tell(vscode.l10n.t('A directory has one name only; a symbolic link can lead to it.'));
  }
  const folder = folderOf(target);
  const value = typable(entry.name);
  await askAndMake(target, folder, {
    title: vscode.l10n.t('New Hard Link'),
    prompt: vscode.l10n.t('A further name of {0} in its folder', displayed(path)),
    value,
    selected: [0, stemLength(value)],
    operation: (typed) => ({ ...placeOf(folder), kind: 'link', name: checkedName(typed), node }),
  });
}

async function askAndMake(target: Target, folder: Folder, question: Question): Promise<void> {
  const { inspector } = target;
  const operation = await askOperation(inspector.image, question);
  if (!operation) return;
  tellNotes(await changeImage(inspector.image, question.title, operation));
  await showEntry(inspector, folder, nameIn(operation));
}

function nameIn(operation: Operation): string {
  return 'name' in operation ? operation.name : '';
}

const placeOf = ({ volume, directory }: Folder) => ({ volume, directory });

const promptFor = ({ path }: Folder) => vscode.l10n.t('Its name in {0}', displayed(path));

/** FAT has no inodes, and so nothing that two names could lead to. */
const isFat = ({ inodes }: VolumeSummary) => inodes === null;
