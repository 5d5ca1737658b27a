import * as vscode from 'vscode';
import type { Operation } from '../../../protocol/requests';
import { RemoteError } from '../../../protocol/rpc';
import { visibleText } from '../../../protocol/visible-text';
import type { OpenImage } from '../../image/open-image';
import { messageOf } from '../../shared/messages';

/** What is asked in a field, and what it would do. */
export interface Question {
  readonly title: string;
  readonly prompt: string;
  readonly placeHolder?: string;
  readonly value: string;
  /** What is selected at first, so that it is typed over. */
  readonly selected?: readonly [start: number, end: number];
  /**
   * What the answer would do.
   * @throws RemoteError with what is wrong with the answer
   */
  readonly operation: (answer: string) => Operation | Promise<Operation>;
  /** What a person should know of it while they type. */
  readonly warning?: (operation: Operation) => string | undefined;
}

/**
 * Asks for a value, and says while it is typed why the engine would refuse it.
 * @returns what to do; undefined when the person gave up, or left all as it is
 */
export async function askOperation(
  image: OpenImage,
  question: Question,
): Promise<Operation | undefined> {
  const { title, prompt, placeHolder, value, selected } = question;
  const answer = await vscode.window.showInputBox({
    title,
    prompt,
    placeHolder,
    value,
    valueSelection: selected && [...selected],
    ignoreFocusOut: true,
    validateInput: (typed) => problemWith(image, question, typed),
  });
  return answer === undefined || answer === value ? undefined : question.operation(answer);
}

async function problemWith(
  { engine }: OpenImage,
  question: Question,
  typed: string,
): Promise<vscode.InputBoxValidationMessage | undefined> {
  if (typed === question.value) return undefined;
  try {
    const operation = await question.operation(typed);
    await engine.request('plan', [operation]);
    const message = question.warning?.(operation);
    return message ? { message, severity: vscode.InputBoxValidationSeverity.Warning } : undefined;
  } catch (error) {
    return { message: messageOf(error), severity: vscode.InputBoxValidationSeverity.Error };
  }
}

/**
 * A name as a path can hold it; what else a filesystem refuses, the engine says.
 * @throws RemoteError `usage`
 */
export function checkedName(typed: string): string {
  if (typed === '') throw wrong(vscode.l10n.t('A name has to be given.'));
  if (typed === '.' || typed === '..') {
    throw wrong(vscode.l10n.t('{0} stands for a directory already.', typed));
  }
  if (typed.includes('/')) throw wrong(vscode.l10n.t('A name cannot hold a slash.'));
  return typed;
}

/** The refusal of what was typed. */
export function wrong(sentence: string): RemoteError {
  return new RemoteError('usage', sentence);
}

/** Where the last part of a name starts that is usually kept: `.txt`. */
export function stemLength(name: string): number {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? dot : name.length;
}

/** A name for a field; one that cannot be typed is left out. */
export function typable(name: string): string {
  return visibleText(name) === name ? name : '';
}
