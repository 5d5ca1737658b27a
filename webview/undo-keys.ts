/** A key, and what is held with it. */
export interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** Whether a key undoes or redoes on any system: Ctrl or Cmd with Z, Shift+Z or Y. */
export function undoesOrRedoes({ key, ctrlKey, metaKey, altKey, shiftKey }: PressedKey): boolean {
  if (altKey || !(ctrlKey || metaKey)) return false;
  const letter = key.toLowerCase();
  return letter === 'z' || (letter === 'y' && !shiftKey);
}
