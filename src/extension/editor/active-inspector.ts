import * as vscode from 'vscode';
import type { EntryPlace, EntryRef, NodeId, NodeType } from '../../protocol/requests';
import { isEntryContext } from '../guards/webview-requests';
import type { Inspector } from './inspector';

/** What a command works on: an entry, or the directory that is shown where none is chosen. */
export interface Target {
  readonly inspector: Inspector;
  readonly volume: number;
  readonly node: NodeId;
  readonly path: string;
  readonly type: NodeType;
  /** The entry that leads to it; absent for the directory that is shown where none is chosen. */
  readonly entry?: EntryRef;
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
    const changes = inspector.image.onDidChange(() => {
      if (this.inspector === inspector) void this.setWritable();
    });
    inspector.onDidDispose(() => {
      changes.dispose();
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
    void this.setWritable();
    const selection = inspector?.selection;
    const target = inspector && targetIn(inspector);
    void vscode.commands.executeCommand('setContext', 'fsimg.view', selection?.view);
    void vscode.commands.executeCommand('setContext', 'fsimg.selectionType', target?.type);
    void vscode.commands.executeCommand('setContext', 'fsimg.selectionEntry', !!target?.entry);
    const isDeleted = selection?.entry?.deleted === true;
    void vscode.commands.executeCommand('setContext', 'fsimg.selectionDeleted', isDeleted);
    void vscode.commands.executeCommand('setContext', 'fsimg.selectionBytes', !!selection?.bytes);
    this.changed.fire();
  }

  private async setWritable(): Promise<void> {
    const { inspector } = this;
    const { image, volume } = await writability(inspector).catch(() => neither);
    if (inspector !== this.inspector) return;
    void vscode.commands.executeCommand('setContext', 'fsimg.imageWritable', image);
    void vscode.commands.executeCommand('setContext', 'fsimg.writable', volume);
  }
}

/** Whether an image can be changed at all, and whether the volume that is shown can be. */
interface Writability {
  readonly image: boolean;
  readonly volume: boolean;
}

const neither: Writability = { image: false, volume: false };

async function writability(inspector: Inspector | undefined): Promise<Writability> {
  if (!inspector) return neither;
  const { volumes, whyReadOnly } = await inspector.image.summary();
  const shown = volumes.find(({ index }) => index === inspector.selection?.volume);
  return { image: whyReadOnly === null, volume: shown?.whyReadOnly === null };
}

/** What a command works on in an inspector; undefined where it shows no directory. */
export function targetIn(inspector: Inspector, argument?: unknown): Target | undefined {
  const place = isEntryContext(argument) ? argument : inspector.selection?.entry;
  if (!place) return undefined;
  const { volume, node, path, type, directory, directoryPath } = place;
  if (node === undefined || path === undefined) {
    return { inspector, volume, node: directory, path: directoryPath, type: 'directory' };
  }
  const entry = { directory, node, name: nameIn(place, path) };
  return { inspector, volume, node, path, type: type ?? 'unknown', entry };
}

/** The name as it was listed: one that is no text may hold a slash. */
function nameIn({ directoryPath }: EntryPlace, path: string): string {
  const above = directoryPath === '/' ? '/' : `${directoryPath}/`;
  return path.startsWith(above) ? path.slice(above.length) : path.slice(path.lastIndexOf('/') + 1);
}
