import * as vscode from 'vscode';
import type { Severity } from '../../protocol/requests';
import type { Inspector } from '../editor/inspector';
import type { OpenImage } from '../image/open-image';
import { listProblems, type ListedProblem } from './finding-words';

/** Not in the manifest: only problems lead to it. */
const showCommand = 'fsimg.showFinding';

const severities: Readonly<Record<Severity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  note: vscode.DiagnosticSeverity.Information,
};

interface FollowedImage {
  readonly image: OpenImage;
  readonly inspectors: Inspector[];
  readonly subscription: vscode.Disposable;
}

/** What checks have found, in VS Code's Problems panel. */
export class Problems implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('fsimg');
  private readonly command = vscode.commands.registerCommand(showCommand, (...args: unknown[]) =>
    this.show(args),
  );
  /** The inspectors of each image that has one; the key is what the links name it by. */
  private readonly images = new Map<number, FollowedImage>();
  private lastKey = 0;

  /** Lists the problems of the image from now on until its last inspector closes. */
  follow(inspector: Inspector): void {
    const { image } = inspector;
    const known = [...this.images].find(([, one]) => one.image === image);
    const [key, { inspectors, subscription }] = known ?? this.begin(image);
    inspectors.push(inspector);
    inspector.onDidDispose(() => {
      inspectors.splice(inspectors.indexOf(inspector), 1);
      if (inspectors.length > 0) return;
      subscription.dispose();
      this.images.delete(key);
      this.collection.delete(image.uri);
    });
  }

  dispose(): void {
    this.command.dispose();
    this.collection.dispose();
  }

  private begin(image: OpenImage): [number, FollowedImage] {
    const key = ++this.lastKey;
    const subscription = image.onDidCheck(() => this.list(key, image));
    const followed = { image, inspectors: [], subscription };
    this.images.set(key, followed);
    this.list(key, image);
    return [key, followed];
  }

  private list(key: number, image: OpenImage): void {
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
    const inspector = typeof key === 'number' ? this.images.get(key)?.inspectors[0] : undefined;
    if (!inspector || !Number.isSafeInteger(volume) || !Number.isSafeInteger(index)) return;
    inspector.showFinding(volume as number, index as number);
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
