import * as vscode from 'vscode';
import type { ExportReport } from '../../protocol/requests';
import { formatSize } from '../../protocol/sizes';
import { visibleText } from '../../protocol/visible-text';
import type { Target } from '../editor/active-inspector';
import { displayed } from '../shared/messages';
import { withProgress } from '../shared/progress';
import { doubtAbout } from './deleted-words';
import type { TargetAction } from './inspector-command';

/**
 * Writes a file, or a directory with all that is below it, to a folder of the host.
 * @param log takes the notes of an export
 */
export function exporter(log: vscode.LogOutputChannel): TargetAction {
  return async (target) => {
    const { engine } = target.inspector.image;
    const { type } = await engine.request('details', [target.volume, target.node, 0]);
    if (type !== 'file' && type !== 'directory') {
      const message = vscode.l10n.t(
        '{0} has no content that could be exported.',
        displayed(target.path),
      );
      void vscode.window.showInformationMessage(message);
      return;
    }
    const doubt = await doubtAbout(target);
    const folder = await askFolder(target);
    if (!folder) return;
    const path = await engine.request('exportTarget', [folder.fsPath, nameOf(target)]);
    const place = vscode.Uri.file(path);
    if (!(await mayWrite(place))) return;
    const report = await withProgress(
      vscode.l10n.t('Exporting {0}', displayed(target.path)),
      (attention) => engine.request('exportNode', [target.volume, target.node, path], attention),
    );
    const notes = doubt ? [doubt.sentence, ...report.notes] : report.notes;
    await tell({ ...report, notes }, path, log);
  };
}

async function askFolder({ path, inspector }: Target): Promise<vscode.Uri | undefined> {
  const { uri } = inspector.image;
  const beside = uri.scheme === 'file' ? vscode.Uri.joinPath(uri, '..') : undefined;
  const [folder] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Export {0}', displayed(path)),
      openLabel: vscode.l10n.t('Export Here'),
      defaultUri: vscode.workspace.workspaceFolders?.[0]?.uri ?? beside,
      canSelectFiles: false,
      canSelectFolders: true,
    })) ?? [];
  if (!folder || folder.scheme === 'file') return folder;
  void vscode.window.showErrorMessage(
    vscode.l10n.t('Files can be exported only to a folder of the machine that runs the inspector.'),
  );
  return undefined;
}

/** The root of a volume has no name, and gets that of its image. */
function nameOf({ path, inspector }: Target): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name !== '') return name;
  const image = inspector.image.uri.path;
  return image.slice(image.lastIndexOf('/') + 1).replace(/(.)\.[^.]*$/, '$1');
}

/** Asks before files of the host are replaced. */
async function mayWrite(place: vscode.Uri): Promise<boolean> {
  const present = await vscode.workspace.fs.stat(place).then(
    (stat) => stat,
    () => undefined,
  );
  if (!present) return true;
  const isFolder = (present.type & vscode.FileType.Directory) !== 0;
  const replace = isFolder ? vscode.l10n.t('Export Into It') : vscode.l10n.t('Replace');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('{0} exists already.', displayed(place.fsPath)),
    {
      modal: true,
      ...(isFolder && {
        detail: vscode.l10n.t('Files in it that have the same names are replaced.'),
      }),
    },
    replace,
  );
  return answer === replace;
}

async function tell(report: ExportReport, path: string, log: vscode.LogOutputChannel) {
  const counts = [
    countOf(report.files, vscode.l10n.t('file'), vscode.l10n.t('files')),
    countOf(report.directories, vscode.l10n.t('folder'), vscode.l10n.t('folders')),
    countOf(report.symlinks, vscode.l10n.t('symlink'), vscode.l10n.t('symlinks')),
  ].filter((count) => count !== '');
  const message = vscode.l10n.t(
    'Exported {0} ({1}) to {2}.',
    counts.join(', '),
    formatSize(report.bytes),
    displayed(path),
  );
  if (report.notes.length === 0) {
    void vscode.window.showInformationMessage(message);
    return;
  }
  for (const note of report.notes) log.info(visibleText(note));
  const show = vscode.l10n.t('Show {0} Notes', report.notes.length);
  if ((await vscode.window.showWarningMessage(message, show)) === show) log.show();
}

function countOf(count: number, one: string, many: string): string {
  if (count === 0) return '';
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
