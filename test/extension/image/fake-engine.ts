import type { Engine } from '../../../src/extension/shared/engine';
import type { Edit, HostOperation, SaveOptions } from '../../../src/protocol/requests';
import { RemoteError } from '../../../src/protocol/rpc';

const nothingChanged = { changed: [], changedRanges: 0, changedBytes: 0, notes: [] };

type Answers = Record<string, (...args: never[]) => unknown>;

/** An engine whose image is a list of labels, and whose every change adds one to it. */
export class FakeEngine {
  /** What the file holds, and what is shown. */
  file: string[] = [];
  shown: string[] = [];
  /** Backups by their paths. */
  readonly backups = new Map<string, string[]>();
  /** Another program has written to the file. */
  hasConflict = false;
  /** What a save would have to keep. */
  keptForUndo = 0;
  /** What the next request of a name rejects with. */
  readonly failures = new Map<string, RemoteError>();
  readonly asked: string[] = [];
  private done: { readonly id: number; readonly before: string[]; readonly after: string[] }[] = [];
  private undone: typeof this.done = [];
  private lastId = 0;

  private readonly answers: Answers = {
    edit: (operation: HostOperation): Edit => this.change(labelOf(operation)),
    undo: (id: number) => this.move(id, this.done, this.undone, 'before'),
    redo: (id: number) => this.move(id, this.undone, this.done, 'after'),
    revert: () => {
      this.shown = this.file;
    },
    save: ({ overwrite, undoLimit, dropUndo }: SaveOptions) => {
      if (this.hasConflict && !overwrite) throw new RemoteError('conflict', 'It has changed.');
      if (this.keptForUndo > undoLimit && !dropUndo) throw new RemoteError('no-room', 'Too much.');
      this.file = this.shown;
      this.hasConflict = false;
      return { bytesWritten: 1, bytesPunched: 0, reclaimed: 0, notes: [] };
    },
    editState: () => ({ isDirty: this.shown !== this.file, keptForUndo: this.keptForUndo }),
    backUp: (path: string) => {
      this.backups.set(path, this.shown.slice(this.file.length));
    },
    restore: (path: string): Edit => {
      const backup = this.backups.get(path);
      if (!backup) throw new RemoteError('not-found', 'There is no such backup.');
      return this.change(...backup);
    },
    wholeImage: () => new TextEncoder().encode(this.shown.join()),
    remember: (before: string | null) => ({
      snapshot: JSON.stringify(this.file),
      difference: before === null ? null : { sentences: [`It was ${before}.`] },
    }),
  };

  /** As the client of an engine. */
  readonly client: Engine = {
    request: (async (name: string, args: never[]) => {
      this.asked.push(name);
      await new Promise((resolve) => setTimeout(resolve));
      const failure = this.failures.get(name);
      this.failures.delete(name);
      if (failure) throw failure;
      return this.answers[name](...args);
    }) as Engine['request'],
  };

  /** Another engine takes its place, which knows nothing but the file. */
  restart(): void {
    this.shown = this.file;
    this.done = [];
    this.undone = [];
  }

  private change(...labels: string[]): Edit {
    const id = ++this.lastId;
    const before = this.shown;
    this.shown = [...before, ...labels];
    this.done.push({ id, before, after: this.shown });
    this.undone = [];
    return { ...nothingChanged, id, label: labels.join() };
  }

  private move(id: number, from: typeof this.done, to: typeof this.done, side: 'before' | 'after') {
    const edit = from.at(-1);
    if (edit?.id !== id) throw new RemoteError('conflict', `${id} is not the last change.`);
    from.pop();
    to.push(edit);
    this.shown = edit[side];
  }
}

/** A change with a name of its own. */
export function labelled(label: string): HostOperation {
  return { kind: 'label', volume: 0, label };
}

const labelOf = (operation: HostOperation) =>
  operation.kind === 'label' ? operation.label : operation.kind;
