import * as vscode from 'vscode';
import type { Severity } from '../../protocol/requests';
import { listProblems, type ListedProblem } from './finding-words';
import type { ImageChecks } from './image-checks';

/** Not in the manifest: only problems lead to it. */
const showCommand = 'fsimg.showFinding';

const severities: Readonly<Record<Severity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  note: vscode.DiagnosticSeverity.Information,
};

/** An image whose problems are listed. */
interface CheckedImage {
  readonly uri: vscode.Uri;
  readonly checks: ImageChecks;
  /** What is known of it by checks is another. */
  readonly onDidCheck: vscode.Event<unknown>;
}

/** An editor of such an image, which its problems lead to. */
interface CheckedEditor {
  readonly image: CheckedImage;
  readonly onDidDispose: vscode.Event<void>;
  /** Shows a finding of the last check of a volume, by its index. */
  showFinding(volume: number, index: number): void;
}

interface FollowedImage {
  readonly image: CheckedImage;
  readonly editors: CheckedEditor[];
  readonly subscription: vscode.Disposable;
}

/** What checks have found, in VS Code's Problems panel. */
export class Problems implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('fsimg');
  private readonly command = vscode.commands.registerCommand(showCommand, (...args: unknown[]) =>
    this.show(args),
  );
  /** The editors of each image that has one; the key is what the links name it by. */
  private readonly images = new Map<number, FollowedImage>();
  private lastKey = 0;

  /** Lists the problems of the image from now on until its last editor closes. */
  follow(editor: CheckedEditor): void {
    const { image } = editor;
    const known = [...this.images].find(([, one]) => one.image === image);
    const [key, { editors, subscription }] = known ?? this.begin(image);
    editors.push(editor);
    editor.onDidDispose(() => {
      editors.splice(editors.indexOf(editor), 1);
      if (editors.length > 0) return;
      subscription.dispose();
      this.images.delete(key);
      this.collection.delete(image.uri);
    });
  }

  dispose(): void {
    this.command.dispose();
    this.collection.dispose();
  }

  private begin(image: CheckedImage): [number, FollowedImage] {
    const key = ++this.lastKey;
    const subscription = image.onDidCheck(() => this.list(key, image));
    const followed = { image, editors: [], subscription };
    this.images.set(key, followed);
    this.list(key, image);
    return [key, followed];
  }

  private list(key: number, image: CheckedImage): void {
    const problems = listProblems(image.checks.current, (count) =>
      vscode.l10n.t('{0} more problems are not listed here.', count.toLocaleString('en-US')),
    );
    this.collection.set(
      image.uri,
      problems.map((problem) => toDiagnostic(key, problem)),
    );
  }

  /** The link of a problem was followed. What comes from a link may be anything. */
  private show([key, volume, index]: unknown[]): void {
    const editor = typeof key === 'number' ? this.images.get(key)?.editors[0] : undefined;
    if (!editor || !Number.isSafeInteger(volume) || !Number.isSafeInteger(index)) return;
    editor.showFinding(volume as number, index as number);
  }
}

/**
 * Bytes have no lines: all problems stand in the first. A click on one opens the image; VS Code
 * does not tell a custom editor which it was, so its code is a link that does.
 */
function toDiagnostic(key: number, { severity, message, finding }: ListedProblem) {
  const diagnostic = new vscode.Diagnostic(
    new vscode.Range(0, 0, 0, 0),
    message,
    severities[severity],
  );
  diagnostic.source = vscode.l10n.t('Filesystem Image');
  if (finding) {
    const { code, volume, index } = finding;
    const query = JSON.stringify([key, volume, index]);
    const target = vscode.Uri.from({ scheme: 'command', path: showCommand, query });
    diagnostic.code = { value: code, target };
  }
  return diagnostic;
}
