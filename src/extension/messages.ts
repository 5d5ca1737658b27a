import * as vscode from 'vscode';
import { RemoteError } from '../protocol/rpc';

/** Tells a person why something did not work; that they cancelled it is no news to them. */
export function showError(error: unknown): void {
  if (error instanceof RemoteError && error.code === 'cancelled') return;
  void vscode.window.showErrorMessage(messageOf(error));
}

/** The sentence of an error, for a person. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
