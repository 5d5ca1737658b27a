import * as vscode from 'vscode';
import { ActiveInspector } from './active-inspector';
import { copyJson, copyNumber, copyPath } from './commands/copy';
import { contentOpener } from './commands/content';
import { exporter } from './commands/export';
import { goTo } from './commands/go-to';
import { InspectorCommands, onTarget, type InspectorAction } from './commands/inspector-command';
import { toggleReplay } from './commands/replay';
import { showIn } from './commands/show-in';
import { registerOpenCommand } from './commands/open';
import { contentScheme } from './content-address';
import { Contents } from './contents';
import { InspectorProvider, viewTypes } from './editor-provider';
import { ContentFileSystem } from './file-provider';
import type { InspectorServices } from './inspector';
import { showError } from './messages';
import { OpenImages } from './open-images';
import { SelectionStatus } from './status';

/** Called by VS Code when an image, a file inside one or a command is wanted; only wires. */
export function activate({ extensionUri, subscriptions }: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel(vscode.l10n.t('Filesystem Image Inspector'), {
    log: true,
  });
  const images: OpenImages = new OpenImages({
    workerProgram: vscode.Uri.joinPath(extensionUri, 'dist', 'worker.js').fsPath,
    readContent: (uri, limit) => contents.read(uri, limit),
    log,
  });
  const contents = new Contents(images);
  const files = new ContentFileSystem(contents);
  const active = new ActiveInspector();
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
    'fsimg.reload': (inspector) => inspector.image.reload(),
    'fsimg.preallocate': notYet,
    'fsimg.trim': notYet,
    'fsimg.import': notYet,
    'fsimg.newFile': notYet,
    'fsimg.newFolder': notYet,
    'fsimg.newSymlink': notYet,
    'fsimg.newLink': notYet,
    'fsimg.rename': notYet,
    'fsimg.move': notYet,
    'fsimg.delete': notYet,
    'fsimg.resize': notYet,
    'fsimg.editAttributes': notYet,
    'fsimg.editLabel': notYet,
  });
  const services: InspectorServices = {
    extensionUri,
    runCommand: (command, inspector) => void commands.run(command, inspector),
    openContent: (inspector, volume, node, path) =>
      openContent({ inspector, volume, node, path, type: 'file' }).catch(showError),
  };
  const provider = new InspectorProvider(images, active, services);

  subscriptions.push(
    ...[log, images, files, active, new SelectionStatus(active)],
    ...viewTypes.map((viewType) =>
      vscode.window.registerCustomEditorProvider(viewType, provider, {
        supportsMultipleEditorsPerDocument: true,
      }),
    ),
    vscode.workspace.registerFileSystemProvider(contentScheme, files, {
      isCaseSensitive: true,
      isReadonly: new vscode.MarkdownString(
        vscode.l10n.t('This file lies inside a filesystem image, which is opened for reading.'),
      ),
    }),
    commands.register(),
    registerOpenCommand(),
  );
}

const notYet: InspectorAction = async () => {
  void vscode.window.showInformationMessage(vscode.l10n.t('Images are opened for reading.'));
};
