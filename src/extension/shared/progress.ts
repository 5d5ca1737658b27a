import * as vscode from 'vscode';
import { formatSize } from '../../protocol/sizes';
import type { Attention } from './engine';

/** What takes no longer needs no notification, in milliseconds. */
const moment = 700;

type Report = vscode.Progress<{ message?: string; increment?: number }>;

/**
 * Runs work, and shows how far it is and lets the person cancel it once it takes longer.
 * @param title what is done, and to what
 * @param work its progress is told in bytes
 */
export async function withProgress<Result>(
  title: string,
  work: (attention: Attention) => Promise<Result>,
): Promise<Result> {
  const abort = new AbortController();
  const bar = new ProgressBar();
  const result = work({
    signal: abort.signal,
    progress: (done, total) => bar.set(done, total),
  });
  const isOver = await Promise.race([
    result.then(
      () => true,
      () => true,
    ),
    new Promise<boolean>((resolve) => setTimeout(resolve, moment, false)),
  ]);
  if (isOver) return result;
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, (report, token) => {
    token.onCancellationRequested(() => abort.abort());
    bar.show(report);
    return result;
  });
}

/** VS Code wants the difference to what it has been told before. */
class ProgressBar {
  private report: Report | undefined;
  private done = 0;
  private total = 0;
  private shown = 0;

  set(done: number, total: number): void {
    this.done = done;
    this.total = total;
    this.update();
  }

  show(report: Report): void {
    this.report = report;
    this.update();
  }

  private update(): void {
    if (!this.report || this.total === 0) return;
    const percent = (100 * this.done) / this.total;
    const message = vscode.l10n.t('{0} of {1}', formatSize(this.done), formatSize(this.total));
    this.report.report({ message, increment: percent - this.shown });
    this.shown = percent;
  }
}
