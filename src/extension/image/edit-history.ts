import type { EditId } from '../../protocol/requests';

/** A change as the history has it. */
export interface PastEdit {
  readonly id: EditId;
  readonly label: string;
}

/**
 * The changes of an image since it was opened, and which of them are in force and in the file. It
 * runs beside the undo stack of VS Code, which counts steps without knowing what they are.
 */
export class EditHistory {
  private edits: PastEdit[] = [];
  private position = 0;
  /** The position that the file has; null when no undo and no redo leads there any more. */
  private saved: number | null = 0;
  /** Of what a backup holds; null when there is none. */
  private backedUp: number | null = null;

  /** Whether the image differs from its file. */
  get isDirty(): boolean {
    return this.saved !== this.position;
  }

  /** The change that undo takes back. */
  get last(): PastEdit | undefined {
    return this.edits[this.position - 1];
  }

  /** The change that redo makes again. */
  get next(): PastEdit | undefined {
    return this.edits[this.position];
  }

  /**
   * Takes down a change that was made.
   * @returns false when what is in the file cannot be reached by undo and redo any more
   */
  record(edit: PastEdit): boolean {
    const reachable = this.saved !== null && this.saved <= this.position;
    if (!reachable) this.saved = null;
    if (this.backedUp !== null && this.backedUp > this.position) this.backedUp = null;
    this.edits = [...this.edits.slice(0, this.position), edit];
    this.position += 1;
    return reachable;
  }

  back(): void {
    this.position -= 1;
  }

  forward(): void {
    this.position += 1;
  }

  /** The file now has what is shown. */
  markSaved(): void {
    this.saved = this.position;
  }

  /** A backup now has what is shown. */
  markBackedUp(): void {
    this.backedUp = this.position;
  }

  /**
   * What is shown is the file's content again.
   * @returns false when the changes before that cannot be undone any more
   */
  revert(): boolean {
    if (this.saved === null) {
      this.clear();
      return false;
    }
    this.position = this.saved;
    this.edits = this.edits.slice(0, this.position);
    return true;
  }

  /** Forgets all: what is shown is what is in the file, read anew. */
  clear(): void {
    this.edits = [];
    this.position = 0;
    this.saved = 0;
    this.backedUp = null;
  }

  /** The labels of the changes that are not in the file, or since the last backup. */
  unsaved(since: 'save' | 'backup'): string[] {
    const from = since === 'save' ? this.saved : (this.backedUp ?? this.saved);
    return this.edits.slice(from ?? 0, this.position).map(({ label }) => label);
  }
}
