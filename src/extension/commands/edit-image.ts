import * as vscode from 'vscode';
import type { Edit, HostOperation, NodeId, VolumeSummary } from '../../protocol/requests';
import { RemoteError } from '../../protocol/rpc';
import type { Target } from '../editor/active-inspector';
import type { FolderRef, Inspector } from '../editor/inspector';
import type { OpenImage } from '../image/open-image';
import { displayed } from '../shared/messages';
import { withProgress } from '../shared/progress';
import type { InspectorAction } from './inspector-command';

/** A command that changes the volume that is shown; one that cannot be changed says why. */
export function onWritable(
  action: (inspector: Inspector, volume: VolumeSummary, argument?: unknown) => Promise<void>,
): InspectorAction {
  return async (inspector, _target, argument) => {
    const shown = inspector.selection?.volume;
    const { volumes } = await inspector.image.summary();
    const volume = volumes.find(({ index }) => index === shown);
    if (!volume) {
      tell(vscode.l10n.t('This image has no filesystem that could be changed.'));
    } else if (volume.whyReadOnly !== null) {
      tell(displayed(volume.whyReadOnly));
    } else {
      await action(inspector, volume, argument);
    }
  };
}

/** A command that changes what is chosen, or the directory that is shown. */
export function onWritableTarget(
  action: (target: Target, volume: VolumeSummary) => Promise<void>,
): InspectorAction {
  return async (inspector, target, argument) => {
    if (!target) return tell(vscode.l10n.t('Nothing can be chosen in this image.'));
    const check = onWritable((_inspector, volume) => action(target, volume));
    return check(inspector, target, argument);
  };
}

/** A target that is an entry: the directory that is shown has none of its own here. */
export type EntryTarget = Target & Required<Pick<Target, 'entry'>>;

/** A command that changes an entry. */
export function onWritableEntry(
  action: (target: EntryTarget, volume: VolumeSummary) => Promise<void>,
): InspectorAction {
  return onWritableTarget(async (target, volume) => {
    const { entry } = target;
    if (entry) return action({ ...target, entry }, volume);
    tell(vscode.l10n.t('Choose a file or folder first.'));
  });
}

/**
 * Changes an image, and shows how far that is where it takes longer.
 * @param title what is done, and to what
 */
export function changeImage(
  image: OpenImage,
  title: string,
  operation: HostOperation,
): Promise<Edit> {
  return withProgress(title, (attention) => image.edit(operation, attention));
}

/** Tells what a person should know of a change that was made. */
export function tellNotes({ notes }: Edit): void {
  if (notes.length > 0) tell(notes.map(displayed).join(' '));
}

export function tell(sentence: string): void {
  void vscode.window.showInformationMessage(sentence);
}

/** A directory that something is put into. */
export interface Folder extends FolderRef {
  /** Absolute. */
  readonly path: string;
}

/** The chosen directory, or the one that is shown. */
export function folderOf({ volume, node, path, type, entry }: Target): Folder {
  if (type === 'directory' || !entry) return { volume, directory: node, path };
  return { volume, directory: entry.directory, path: parentOf(path, entry.name) };
}

function parentOf(path: string, name: string): string {
  return path.slice(0, path.length - name.length - 1) || '/';
}

export function pathIn({ path }: Folder, name: string): string {
  return path === '/' ? `/${name}` : `${path}/${name}`;
}

/** The node that a path leads to; undefined where there is none. */
export async function nodeAt(
  { engine }: OpenImage,
  volume: number,
  path: string,
): Promise<{ readonly node: NodeId; readonly isDirectory: boolean } | undefined> {
  try {
    const last = (await engine.request('resolve', [volume, path])).at(-1);
    return last && { node: last.node, isDirectory: last.type === 'directory' };
  } catch (error) {
    const isAbsent =
      error instanceof RemoteError && ['not-found', 'not-a-directory'].includes(error.code);
    if (isAbsent) return undefined;
    throw error;
  }
}

/** Chooses an entry of a folder in the files view, where a path leads to it. */
export async function showEntry(inspector: Inspector, folder: Folder, name: string): Promise<void> {
  const { volume, directory, path: directoryPath } = folder;
  const path = pathIn(folder, name);
  const steps = await inspector.image.engine.request('resolve', [volume, path]).catch(() => []);
  const last = steps.at(-1);
  if (!last) return;
  const { node, type } = last;
  const entry = { volume, directory, directoryPath, node, path, type };
  inspector.reveal({ kind: 'entry', entry }, 'files');
}
