import type { EditListeners, EditStep, ImageEdits } from '../../../src/extension/image/image-edits';

/**
 * The document of a custom editor as VS Code 1.100 has it (`MainThreadCustomEditorModel` and
 * `UndoRedoService`): it counts steps to know what is saved, and forgets all when one fails.
 */
export class FakeEditor implements EditListeners {
  edits: ImageEdits | undefined;
  /** What undo and redo threw. */
  readonly errors: unknown[] = [];
  changes = 0;
  private steps: EditStep[] = [];
  private index = -1;
  private savePoint = -1;
  private contentChanged = false;
  private past: EditStep[] = [];
  private future: EditStep[] = [];

  get isDirty(): boolean {
    return this.contentChanged || this.savePoint !== this.index;
  }

  readonly stepped = (step: EditStep): void => {
    this.steps = [...this.steps.slice(0, this.index + 1), step];
    this.index = this.steps.length - 1;
    this.past.push(step);
    this.future = [];
  };

  readonly outOfStep = (isDirty: boolean): void => {
    if (isDirty) this.contentChanged = true;
    else void this.save();
  };

  readonly changed = (): void => {
    this.changes += 1;
  };

  get labels(): string[] {
    return this.past.map(({ label }) => label);
  }

  undo(): Promise<void> {
    const entry = this.past.pop();
    if (!entry || this.index < 0) return Promise.resolve();
    this.future.push(entry);
    const step = this.steps[this.index];
    this.index -= 1;
    return this.attempt(() => step.undo());
  }

  redo(): Promise<void> {
    const entry = this.future.pop();
    if (!entry || this.index >= this.steps.length - 1) return Promise.resolve();
    this.past.push(entry);
    this.index += 1;
    const step = this.steps[this.index];
    return this.attempt(() => step.redo());
  }

  async save(write: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
    await this.edits?.save(write);
    this.contentChanged = false;
    this.savePoint = this.index;
  }

  revert(): Promise<void> {
    if (!this.isDirty) return Promise.resolve();
    const reverted = this.edits?.revert() ?? Promise.resolve(); // VS Code does not wait for it
    this.contentChanged = false;
    this.index = this.savePoint;
    this.steps = this.steps.slice(0, this.index + 1);
    return reverted;
  }

  private async attempt(move: () => Promise<void>): Promise<void> {
    try {
      await move();
    } catch (error) {
      this.errors.push(error);
      this.past = [];
      this.future = [];
    }
  }
}
