import type { ChangeSet } from './change-set';
import type { EditId } from './edits';
import { ImageError } from './errors';

interface Step {
  readonly id: EditId;
  readonly changes: ChangeSet;
}

/** The changes of an image in their order: which are made, which are undone, which are saved. */
export class EditHistory {
  private done: Step[] = [];
  private undone: Step[] = []; // the next one last
  /** How many changes were made when the image was saved; null when undo no longer leads there. */
  private saved: number | null = 0;
  private lastId = 0;

  get isDirty(): boolean {
    return this.saved !== this.done.length;
  }

  /** A new change; what was undone before it is lost. */
  push(changes: ChangeSet): EditId {
    this.undone = [];
    if (this.saved !== null && this.saved > this.done.length) this.saved = null;
    const id = ++this.lastId;
    this.done.push({ id, changes });
    return id;
  }

  /** @throws ImageError `conflict` when it is not the last change */
  undo(id: EditId): ChangeSet {
    return move(this.done, this.undone, id, 'undone');
  }

  /** @throws ImageError `conflict` when it is not the change that was undone last */
  redo(id: EditId): ChangeSet {
    return move(this.undone, this.done, id, 'done again');
  }

  /** @throws ImageError `not-found` when there is no such change (any more) */
  changes(id: EditId): ChangeSet {
    const step = [...this.done, ...this.undone].find((candidate) => candidate.id === id);
    if (step) return step.changes;
    throw new ImageError('not-found', `There is no change ${id} (any more).`);
  }

  /** All that can be undone or done again. */
  get all(): readonly ChangeSet[] {
    return [...this.done, ...this.undone].map(({ changes }) => changes);
  }

  /** Back to what was saved; changes since are gone, those that were undone since are made. */
  revert(): void {
    const steps = [...this.done, ...this.undone.reverse()];
    this.done = this.saved === null ? [] : steps.slice(0, this.saved);
    this.undone = [];
    this.saved = this.done.length;
  }

  markSaved(): void {
    this.saved = this.done.length;
  }

  /** Undo ends at what is there now. */
  forgetDone(): void {
    this.done = [];
    this.saved = null;
  }
}

function move(from: Step[], to: Step[], id: EditId, what: string): ChangeSet {
  const step = from.at(-1);
  if (!step || step.id !== id) {
    throw new ImageError('conflict', `Change ${id} is not the one that can be ${what} now.`);
  }
  from.pop();
  to.push(step);
  return step.changes;
}
