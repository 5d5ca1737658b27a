import * as vscode from 'vscode';
import type { NodeDetails } from '../protocol/requests';
import type { ActiveInspector, Target } from './active-inspector';
import { formatSize, shortPath } from './formats';

const pathLength = 40;

/** Shows what is chosen in the active inspector, in the one status bar item of the extension. */
export class SelectionStatus implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem(
    'fsimg.selection',
    vscode.StatusBarAlignment.Right,
    100,
  );
  /** Counts the selections; an answer about an earlier one is out of date. */
  private selections = 0;

  constructor(private readonly active: ActiveInspector) {
    this.item.name = vscode.l10n.t('Filesystem Image Selection');
    this.item.command = 'fsimg.goTo';
    active.onDidChange(() => void this.update());
  }

  dispose(): void {
    this.item.dispose();
  }

  private async update(): Promise<void> {
    const selection = ++this.selections;
    const target = this.active.target();
    if (!target) {
      this.item.hide();
      return;
    }
    const facts = await factsOf(target).catch(() => []);
    if (selection !== this.selections) return;
    this.item.text = [shortPath(target.path, pathLength), ...facts].join(' · ');
    this.item.tooltip = [target.path, ...facts].join('\n');
    this.item.show();
  }
}

async function factsOf({ inspector, volume, node }: Target): Promise<string[]> {
  const { engine } = inspector.image;
  const [{ volumes }, details] = await Promise.all([
    engine.request('summary', []),
    engine.request('details', [volume, node, 0]),
  ]);
  const hasInodes = volumes.find(({ index }) => index === volume)?.inodes !== null;
  return [numberOf(details, hasInodes), formatSize(details.size), fragmentsOf(details)];
}

function numberOf({ number }: NodeDetails, isInode: boolean): string {
  return isInode ? vscode.l10n.t('inode {0}', number) : vscode.l10n.t('cluster {0}', number);
}

function fragmentsOf({ fragments }: NodeDetails): string {
  return fragments === 1
    ? vscode.l10n.t('1 fragment')
    : vscode.l10n.t('{0} fragments', fragments.toLocaleString('en-US'));
}
