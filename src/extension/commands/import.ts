import * as vscode from 'vscode';
import type { HostOperation } from '../../protocol/requests';
import { RemoteError } from '../../protocol/rpc';
import { formatSize } from '../../protocol/sizes';
import { visibleText } from '../../protocol/visible-text';
import type { Target } from '../editor/active-inspector';
import type { FolderRef, Inspector } from '../editor/inspector';
import type { OpenImage } from '../image/open-image';
import { withHostFile } from '../shared/host-files';
import { displayed } from '../shared/messages';
import { changeImage, folderOf, tell, tellNotes } from './edit-image';
import { checkedName } from './input/ask-name';
import { fileUris } from './input/dropped';

/** Names that a dialog lists; the rest is counted. */
const mostNames = 12;
/** How long it may take to find out what a directory is called, in milliseconds. */
const pathTime = 3000;

type Sources = Extract<HostOperation, { kind: 'import' }>['sources'];

/** Brings files and folders of the host into the chosen folder, or the one that is shown. */
export async function importInto(target: Target): Promise<void> {
  const folder = folderOf(target);
  const kind = await askKind();
  if (!kind) return;
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Import into {0}', displayed(folder.path)),
    openLabel: vscode.l10n.t('Import'),
    canSelectFiles: kind === 'files',
    canSelectFolders: kind === 'folders',
    canSelectMany: true,
  });
  if (!chosen || chosen.length === 0) return;
  const { files, others } = fileUris(chosen, false);
  if (others > 0) return tell(otherMachine());
  await importSources(target.inspector.image, folder, sourcesOf(files));
}

/** Most systems have a dialog for files and one for folders, and none for both. */
async function askKind(): Promise<'files' | 'folders' | undefined> {
  const items: (vscode.QuickPickItem & { readonly what: 'files' | 'folders' })[] = [
    { label: vscode.l10n.t('$(file) Files…'), what: 'files' },
    { label: vscode.l10n.t('$(folder) Folders with All They Hold…'), what: 'folders' },
  ];
  const placeHolder = vscode.l10n.t('What shall be imported?');
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.what;
}

/**
 * Brings in what was dropped. The webview may be fooled by an image, and name files that nobody
 * has dropped: so the person sees what it named before anything is read.
 * @throws RemoteError `refused` for what is no file of this machine, `cancelled`
 */
export async function importDropped(
  inspector: Inspector,
  folder: FolderRef,
  uris: readonly string[],
): Promise<void> {
  const { files, others } = fileUris(uris.map(parsed), vscode.env.remoteName !== undefined);
  if (others > 0) throw new RemoteError('refused', otherMachine());
  const sources = sourcesOf(files);
  const names = sources.map(({ path }) => visibleText(path));
  const { image } = inspector;
  await askImport(await describeFolder(image, folder), sources.length, names);
  await importSources(image, folder, sources);
}

/**
 * Brings in a file that only the browser has.
 * @throws RemoteError `cancelled`
 */
export async function importBytes(
  inspector: Inspector,
  storage: vscode.Uri,
  folder: FolderRef,
  name: string,
  bytes: Uint8Array,
): Promise<void> {
  const { image } = inspector;
  const what = `${visibleText(checkedName(name))} (${formatSize(bytes.length)})`;
  await askImport(await describeFolder(image, folder), 1, [what]);
  await withHostFile(storage, bytes, (path) => importSources(image, folder, [{ path, name }]));
}

async function importSources(
  image: OpenImage,
  { volume, directory }: FolderRef,
  sources: Sources,
): Promise<void> {
  const operation = { kind: 'import', volume, directory, sources, replace: false } as const;
  const title = vscode.l10n.t('Importing {0} items', format(sources.length));
  try {
    tellNotes(await changeImage(image, title, operation));
  } catch (error) {
    if (!(error instanceof RemoteError) || error.code !== 'exists') throw error;
    if (!(await mayReplaceFiles(error.message))) return;
    tellNotes(await changeImage(image, title, { ...operation, replace: true }));
  }
}

async function mayReplaceFiles(why: string): Promise<boolean> {
  const replace = vscode.l10n.t('Replace');
  const answer = await vscode.window.showWarningMessage(
    displayed(why),
    {
      modal: true,
      detail: vscode.l10n.t('All files that are imported replace those of the same name.'),
    },
    replace,
  );
  return answer === replace;
}

async function askImport(folder: string, count: number, names: readonly string[]): Promise<void> {
  const some = names.slice(0, mostNames);
  if (count > some.length) some.push(vscode.l10n.t('and {0} more', format(count - some.length)));
  const question =
    count === 1
      ? vscode.l10n.t('Import 1 item into {0}?', folder)
      : vscode.l10n.t('Import {0} items into {1}?', format(count), folder);
  const yes = vscode.l10n.t('Import');
  const options = { modal: true, detail: some.join('\n') };
  const answer = await vscode.window.showInformationMessage(question, options, yes);
  if (answer !== yes) throw new RemoteError('cancelled', vscode.l10n.t('Nothing was imported.'));
}

/** What the engine, not the webview, calls a directory. */
async function describeFolder(image: OpenImage, { volume, directory }: FolderRef): Promise<string> {
  const attention = { signal: AbortSignal.timeout(pathTime) };
  const [path] = await image.engine
    .request('pathsOf', [volume, directory], attention)
    .catch(() => []);
  if (path !== undefined) return displayed(path);
  const { number } = await image.engine.request('details', [volume, directory, 0]);
  return vscode.l10n.t('directory {0}', format(number));
}

function parsed(uri: string): vscode.Uri {
  try {
    return vscode.Uri.parse(uri, true);
  } catch {
    throw new RemoteError('refused', otherMachine());
  }
}

const sourcesOf = (files: readonly vscode.Uri[]): Sources =>
  files.map((uri) => ({
    path: uri.scheme === 'file' ? uri.fsPath : vscode.Uri.file(uri.path).fsPath,
  }));

const otherMachine = () =>
  vscode.l10n.t('Only files of the machine that runs the inspector can be imported.');

const format = (value: number) => value.toLocaleString('en-US');
