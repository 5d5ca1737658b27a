import type { Inspection } from './inspection/inspection';
import { undoesOrRedoes } from './undo-keys';

/** What the keys of the whole inspector need of its views. */
export interface KeyTargets {
  focusFilter(): void;
}

/**
 * Keys that work wherever the focus is. Returns whether the key was one of them; VS Code must not
 * see it then, or it would go elsewhere too.
 */
export function onInspectorKey(
  event: KeyboardEvent,
  inspection: Inspection,
  targets: KeyTargets,
): boolean {
  const typing = takesText(event.composedPath()[0]);
  const { view } = inspection.state;
  const hasDirectory = view === 'files' || view === 'records';
  const command = event.ctrlKey || event.metaKey;
  if (event.altKey && !command && !event.shiftKey) {
    switch (event.key) {
      case 'ArrowLeft':
        return inspection.back();
      case 'ArrowRight':
        return inspection.forward();
      case 'ArrowUp':
        if (hasDirectory) inspection.up();
        return true;
    }
    return false;
  }
  const find = command && !event.shiftKey && event.key.toLowerCase() === 'f';
  if (find || (event.key === '/' && !typing && !command)) {
    targets.focusFilter();
    return true;
  }
  if (event.key === 'Backspace' && hasDirectory && !typing && !command) {
    inspection.up();
    return true;
  }
  return false;
}

/**
 * Whether a key undoes or redoes what is typed in a field. The browser then does so by itself,
 * unless the key gets to VS Code, which would undo a change to the image.
 */
export function undoesTyping(event: KeyboardEvent): boolean {
  return undoesOrRedoes(event) && isTextField(event.composedPath()[0]);
}

const inputsWithoutText: readonly string[] = ['radio', 'checkbox', 'button', 'range'];

/** Whether the browser keeps an undo of what is typed there. */
function isTextField(target: EventTarget): boolean {
  if (target instanceof HTMLInputElement) return !inputsWithoutText.includes(target.type);
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  );
}

/** Whether what is typed there is text, and no key. */
function takesText(target: EventTarget): boolean {
  if (target instanceof HTMLInputElement) return true;
  return target instanceof HTMLElement && target.dataset.takesText !== undefined;
}
