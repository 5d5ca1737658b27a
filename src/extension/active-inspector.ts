import * as vscode from 'vscode';
import type { NodeId, NodeType } from '../protocol/requests';
import type { Inspector } from './inspector';
import { isEntryContext } from './webview-requests';

/** What a command works on: an entry, or the directory that is shown where none is chosen. */
export interface Target {
  readonly inspector: Inspector;
  readonly volume: number;
  readonly node: NodeId;
  readonly path: string;
  readonly type: NodeType;
}

/** The inspector that the person works in, and the context keys that commands depend on. */
export class ActiveInspector implements vscode.Disposable {
  private inspector: Inspector | undefined;
  private readonly changed = new vscode.EventEmitter<void>();

  /** Another inspector, none, or another selection in it. */
  readonly onDidChange = this.changed.event;

  get current(): Inspector | undefined {
    return this.inspector;
  }

  /** Follows an inspector from its opening to its end. */
  add(inspector: Inspector): void {
    const { panel } = inspector;
    panel.onDidChangeViewState(() => this.update(inspector));
    inspector.onDidSelect(() => this.update(inspector));
    inspector.onDidDispose(() => {
      if (this.inspector === inspector) this.set(undefined);
    });
    this.update(inspector);
  }

  /**
   * What a command works on.
   * @param argument what VS Code gives it; that of an entry's context menu names the entry
   */
  target(argument?: unknown): Target | undefined {
    const { inspector } = this;
    return inspector && targetIn(inspector, argument);
  }

  dispose(): void {
    this.set(undefined);
    this.changed.dispose();
  }

  private update(inspector: Inspector): void {
    if (inspector.panel.active) this.set(inspector);
    else if (this.inspector === inspector) this.set(undefined);
  }

  private set(inspector: Inspector | undefined): void {
    this.inspector = inspector;
    const selection = inspector?.selection;
    const type = inspector && targetIn(inspector)?.type;
    void vscode.commands.executeCommand('setContext', 'fsimg.view', selection?.view);
    void vscode.commands.executeCommand('setContext', 'fsimg.selectionType', type);
    void vscode.commands.executeCommand('setContext', 'fsimg.selectionBytes', !!selection?.bytes);
    this.changed.fire();
  }
}

/** What a command works on in an inspector; undefined where it shows no directory. */
export function targetIn(inspector: Inspector, argument?: unknown): Target | undefined {
  if (isEntryContext(argument)) {
    const { volume, node, path, type } = argument;
    return { inspector, volume, node, path, type };
  }
  const entry = inspector.selection?.entry;
  if (!entry) return undefined;
  const { volume, node, path, type, directory, directoryPath } = entry;
  if (node !== undefined && path !== undefined) {
    return { inspector, volume, node, path, type: type ?? 'unknown' };
  }
  return { inspector, volume, node: directory, path: directoryPath, type: 'directory' };
}
