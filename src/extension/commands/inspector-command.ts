import * as vscode from 'vscode';
import { inspectorCommands, type InspectorCommand } from '../../protocol/requests';
import { targetIn, type ActiveInspector, type Target } from '../editor/active-inspector';
import type { Inspector } from '../editor/inspector';
import { showError } from '../shared/messages';

/** What a command does to an inspector, or to what is chosen in it. */
export type InspectorAction = (
  inspector: Inspector,
  target?: Target,
  argument?: unknown,
) => Promise<void>;
export type TargetAction = (target: Target) => Promise<void>;

/** A command that needs something to work on. */
export function onTarget(action: TargetAction): InspectorAction {
  return async (_inspector, target) => {
    if (target) return action(target);
    const message = vscode.l10n.t('Nothing can be chosen in this image.');
    void vscode.window.showInformationMessage(message);
  };
}

/** The commands that work on an inspector, for palette, context menus and webview alike. */
export class InspectorCommands {
  constructor(
    private readonly active: ActiveInspector,
    private readonly actions: Record<InspectorCommand, InspectorAction>,
  ) {}

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      ...inspectorCommands.map((command) =>
        vscode.commands.registerCommand(command, (argument?: unknown) =>
          this.run(command, this.active.current, argument),
        ),
      ),
    );
  }

  /** Runs a command on what is chosen in an inspector, or on what its context menu names. */
  async run(command: InspectorCommand, inspector?: Inspector, argument?: unknown): Promise<void> {
    if (!inspector) {
      const message = vscode.l10n.t('Open a filesystem image with the inspector first.');
      void vscode.window.showInformationMessage(message);
      return;
    }
    try {
      await this.actions[command](inspector, targetIn(inspector, argument), argument);
    } catch (error) {
      showError(error);
    }
  }
}
