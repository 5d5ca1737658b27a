import * as vscode from 'vscode';
import { RemoteError } from '../../protocol/rpc';
import { visibleText } from '../../protocol/visible-text';

/** Tells a person why something did not work; that they cancelled it is no news to them. */
export function showError(error: unknown): void {
  if (error instanceof RemoteError && error.code === 'cancelled') return;
  void vscode.window.showErrorMessage(withoutLinks(messageOf(error)));
}

/** The sentence of an error, for a person. */
export function messageOf(error: unknown): string {
  return visibleText(error instanceof Error ? error.message : String(error));
}

/** A path or name in an image, for the sentence of a notification or a dialog. */
export function displayed(name: string): string {
  return withoutLinks(visibleText(name));
}

/** VS Code makes links, which may run commands, of `[text](target)` in its notifications. */
function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}
