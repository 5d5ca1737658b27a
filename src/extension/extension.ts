import * as vscode from 'vscode';
import { Problems } from './checks/problems';
import { editAttributes, editLabel, resize } from './commands/attributes';
import { check, exportChecks, stopCheck } from './commands/check';
import { contentOpener } from './commands/content';
import { copyJson, copyNumber, copyPath } from './commands/copy';
import { newFile, newFolder, newLink, newSymlink } from './commands/create';
import { deleteEntry } from './commands/delete';
import { onWritable, onWritableEntry, onWritableTarget } from './commands/edit-image';
import { exporter } from './commands/export';
import { goTo } from './commands/go-to';
import { importBytes, importDropped, importInto } from './commands/import';
import { InspectorCommands, onTarget } from './commands/inspector-command';
import { move, rename } from './commands/move';
import { registerOpenCommand } from './commands/open';
import { preallocate, trim } from './commands/planner';
import { reload } from './commands/reload';
import { toggleReplay } from './commands/replay';
import { showIn } from './commands/show-in';
import { editForWebview } from './commands/webview-edit';
import { contentScheme } from './content/content-address';
import { ContentEdits } from './content/content-edits';
import { Contents } from './content/contents';
import { ContentFileSystem } from './content/file-provider';
import { ActiveInspector } from './editor/active-inspector';
import { InspectorProvider, viewTypes } from './editor/editor-provider';
import type { Inspector, InspectorServices } from './editor/inspector';
import { SelectionStatus } from './editor/status';
import { OpenImages } from './image/open-images';
import { showError } from './shared/messages';

/** Called by VS Code when an image, a file inside one or a command is wanted; only wires. */
export function activate(context: vscode.ExtensionContext): void {
  const { extensionUri, globalStorageUri, subscriptions } = context;
  const log = vscode.window.createOutputChannel(vscode.l10n.t('Filesystem Image Inspector'), {
    log: true,
  });
  const images: OpenImages = new OpenImages({
    workerProgram: vscode.Uri.joinPath(extensionUri, 'dist', 'worker.js').fsPath,
    undoFolder: vscode.Uri.joinPath(globalStorageUri, 'undo').fsPath,
    nested: { scheme: contentScheme, read: (uri, limit) => contents.read(uri, limit) },
    log,
  });
  const contents = new Contents(images);
  const files = new ContentFileSystem(contents, new ContentEdits(contents, globalStorageUri));
  const active = new ActiveInspector();
  const problems = new Problems();
  const opened = (inspector: Inspector) => {
    active.add(inspector);
    problems.follow(inspector);
  };
  const exportNode = exporter(log);
  const openContent = contentOpener(exportNode);
  const commands = new InspectorCommands(active, {
    'fsimg.openContent': onTarget(openContent),
    'fsimg.goTo': goTo,
    'fsimg.showInFiles': showIn('files'),
    'fsimg.showInRecords': showIn('records'),
    'fsimg.showInSpace': showIn('space'),
    'fsimg.showInStructures': showIn('structures'),
    'fsimg.export': onTarget(exportNode),
    'fsimg.copyPath': onTarget(copyPath),
    'fsimg.copyNumber': onTarget(copyNumber),
    'fsimg.copyJson': onTarget(copyJson),
    'fsimg.toggleReplay': toggleReplay,
    'fsimg.reload': reload,
    'fsimg.check': check,
    'fsimg.stopCheck': stopCheck,
    'fsimg.exportChecks': exportChecks,
    'fsimg.preallocate': preallocate,
    'fsimg.trim': trim,
    'fsimg.import': onWritableTarget(importInto),
    'fsimg.newFile': onWritableTarget(newFile),
    'fsimg.newFolder': onWritableTarget(newFolder),
    'fsimg.newSymlink': onWritableTarget(newSymlink),
    'fsimg.newLink': onWritableEntry(newLink),
    'fsimg.rename': onWritableEntry(rename),
    'fsimg.move': onWritableEntry(move),
    'fsimg.delete': onWritableEntry(deleteEntry),
    'fsimg.resize': onWritableTarget(resize),
    'fsimg.editAttributes': onWritableTarget(editAttributes),
    'fsimg.editLabel': onWritable(editLabel),
  });
  const services: InspectorServices = {
    extensionUri,
    runCommand: (command, inspector) => void commands.run(command, inspector),
    openContent: (inspector, volume, node, path) =>
      openContent({ inspector, volume, node, path, type: 'file' }).catch(showError),
    edit: editForWebview,
    importDropped,
    importBytes: (inspector, folder, name, bytes) =>
      importBytes(inspector, globalStorageUri, folder, name, bytes),
  };
  // One each: VS Code looks for a document that has changed under the kind of each provider.
  const editors = viewTypes.map((viewType) => {
    const provider = new InspectorProvider(images, opened, services);
    const registration = vscode.window.registerCustomEditorProvider(viewType, provider, {
      supportsMultipleEditorsPerDocument: true,
    });
    return vscode.Disposable.from(registration, provider);
  });

  subscriptions.push(
    ...[log, images, files, active, problems, ...editors, new SelectionStatus(active)],
    vscode.workspace.registerFileSystemProvider(contentScheme, files, {
      isCaseSensitive: true,
    }),
    commands.register(),
    registerOpenCommand(),
  );
}
