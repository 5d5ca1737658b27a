import type { Edit, HostOperation } from '../../protocol/requests';
import { RemoteError } from '../../protocol/rpc';
import type { Attention, Engine } from '../shared/engine';
import { EditHistory } from './edit-history';
import { Turns } from './turns';

/** A change as it stands on the undo stack of the editor. */
export interface EditStep {
  readonly label: string;
  undo(): Promise<void>;
  redo(): Promise<void>;
}

/** Who hears of changes. */
export interface EditListeners {
  /** A change was made, and belongs on the editor's undo stack. */
  readonly stepped: (step: EditStep) => void;
  /** The undo stack no longer tells whether the image differs from its file: it does, or not. */
  readonly outOfStep: (isDirty: boolean) => void;
  /** The engine shows the image in another state. */
  readonly changed: () => void;
}

/** All changes of an open image, one after the other. Knows no editor. */
export class ImageEdits {
  private readonly history = new EditHistory();
  private readonly turns = new Turns();
  /** Counts the states that no undo leads back to: steps from before them are worth nothing. */
  private epoch = 0;
  private saves = 0;
  /** The last backup that is still there: a file of the host. */
  private backup: string | undefined;

  constructor(
    private readonly engine: Engine,
    private readonly listeners: EditListeners,
  ) {}

  /** Whether the image differs from its file. */
  get isDirty(): boolean {
    return this.history.isDirty;
  }

  /**
   * Makes a change, as one step of undo.
   * @throws RemoteError of the engine; then nothing has changed
   */
  edit(operation: HostOperation, attention?: Attention): Promise<Edit> {
    return this.inEpoch(async () => {
      const edit = await this.engine.request('edit', [operation], attention);
      this.record(edit);
      return edit;
    });
  }

  /**
   * Takes the changes of a backup over.
   * @param source a file of the host
   * @throws RemoteError `conflict` when the image is not the one it was made of any more
   */
  restore(source: string): Promise<void> {
    return this.turns.take(async () => {
      this.record(await this.engine.request('restore', [source]));
      this.keepBackup(source);
    });
  }

  /**
   * Writes the changes to a file of the host. Waits for nothing: a backup is made also while the
   * person is asked something.
   */
  async backUp(target: string): Promise<void> {
    const { epoch } = this;
    await this.engine.request('backUp', [target]);
    if (epoch === this.epoch) this.keepBackup(target);
  }

  /** A backup has been deleted. */
  forgetBackup(target: string): void {
    if (this.backup === target) this.backup = undefined;
  }

  /** Back to what is in the file. */
  revert(): Promise<void> {
    return this.turns.take(async () => {
      await this.engine.request('revert', []);
      if (!this.history.revert()) this.epoch += 1;
      this.listeners.changed();
    });
  }

  /**
   * Runs what writes the changes to the file; no other change is made meanwhile.
   * @returns null where there is nothing to write
   */
  save<Result>(write: () => Promise<Result>): Promise<Result | null> {
    this.saves += 1;
    const saved = this.inEpoch(async () => {
      if (!this.isDirty) return null;
      const result = await write();
      this.history.markSaved();
      return result;
    });
    return saved.finally(() => {
      this.saves -= 1;
    });
  }

  /** Runs what makes the engine read the file anew; all changes are gone then. */
  reload(reopen: () => Promise<void>): Promise<void> {
    return this.turns.take(async () => {
      await reopen();
      this.forget();
      this.listeners.changed();
    });
  }

  /**
   * The engine ended by itself, and another one runs: takes over what was backed up.
   * @returns the labels of the changes that are lost
   */
  async recover(): Promise<string[]> {
    // At once: what waits for its turn must not meet an image without the changes before it.
    this.epoch += 1;
    return this.turns.take(async () => {
      const { backup, isDirty } = this;
      const sinceBackup = this.history.unsaved('backup');
      const sinceSave = this.history.unsaved('save');
      this.forget();
      if (!isDirty) return [];
      const isRestored = backup !== undefined && (await this.tryRestore(backup));
      this.listeners.outOfStep(this.isDirty);
      return isRestored ? sinceBackup : sinceSave;
    });
  }

  private async tryRestore(source: string): Promise<boolean> {
    try {
      this.record(await this.engine.request('restore', [source]));
      this.keepBackup(source);
      return true;
    } catch {
      return false;
    }
  }

  private keepBackup(file: string): void {
    this.backup = file;
    this.history.markBackedUp();
  }

  /** Forgets what no engine has any more. */
  private forget(): void {
    this.history.clear();
    this.epoch += 1;
    this.backup = undefined;
  }

  private record({ id, label }: Edit): void {
    if (id === null) return;
    const reachable = this.history.record({ id, label });
    this.listeners.stepped(this.stepFor(label));
    if (!reachable) this.listeners.outOfStep(true);
    this.listeners.changed();
  }

  private stepFor(label: string): EditStep {
    const { epoch } = this;
    return { label, undo: () => this.move('undo', epoch), redo: () => this.move('redo', epoch) };
  }

  /**
   * Undo takes back whatever is the last change. It is the one that the step stands for, unless
   * another one was on its way when it was asked for: VS Code then counts as many steps as we do.
   */
  private move(way: 'undo' | 'redo', epoch: number): Promise<void> {
    // VS Code counts a step at once, and what waits to be saved then as what is left after it.
    const isMiscounted = this.saves > 0;
    return this.turns.take(async () => {
      try {
        const edit = way === 'undo' ? this.history.last : this.history.next;
        if (epoch !== this.epoch || !edit) throw new RemoteError('conflict', readAnew);
        await this.engine.request(way, [edit.id]);
      } catch (error) {
        // VS Code has counted the step all the same, and forgets all others.
        this.listeners.outOfStep(this.isDirty);
        throw epoch === this.epoch && isConflict(error) ? gone(way) : error;
      }
      if (way === 'undo') this.history.back();
      else this.history.forward();
      this.listeners.changed();
      if (isMiscounted) this.listeners.outOfStep(this.isDirty);
    });
  }

  /** Waits for its turn, and is refused where the image is read anew before it comes. */
  private inEpoch<Result>(work: () => Promise<Result>): Promise<Result> {
    const { epoch } = this;
    return this.turns.take(() => {
      if (epoch !== this.epoch) throw new RemoteError('conflict', readAnew);
      return work();
    });
  }
}

const readAnew =
  'The image has been read anew since: what was changed or asked before that is gone.';

const isConflict = (error: unknown) => error instanceof RemoteError && error.code === 'conflict';

/** The engine has given the change up: a save went without what undo needs. */
function gone(way: 'undo' | 'redo'): RemoteError {
  const sentence =
    way === 'undo'
      ? 'This change cannot be undone any more: it was saved without what undo needs.'
      : 'This change cannot be made again: the image was saved without what that needs.';
  return new RemoteError('conflict', sentence);
}
