import { presentTime } from '../filesystem/timestamp';
import { noProgress, type Progress } from '../filesystem/progress';
import type { DescribedStructure } from '../filesystem/structure';
import { WritableVolume } from '../image/bytes';
import type { EditedImage } from '../image/edited-image';
import type { ByteRange } from '../image/edits';
import { ImageError } from '../image/errors';
import type { Transaction } from '../image/overlay';
import { applyOperation, type EditorOperation } from './edits/apply';
import { rawEdit, touches, type RawOperation } from './edits/raw-edits';
import type { Outcome } from './edits/volume-change';
import { Notes } from './notes';
import type { OpenVolume } from './open-volume';
import type {
  Edit,
  EditId,
  EditReport,
  EditState,
  HostOperation,
  SaveOptions,
  SaveReport,
} from './operations';
import { Soundness } from './soundness';
import { trim } from './trim';

/** As many ranges as a person, or a view, can look through. */
const shownRanges = 1000;

/** What changes ask of the session that they are made in. */
export interface EditedSession {
  /** The image on the host, if it is a file. */
  readonly path?: string;
  /** @throws ImageError `unreadable`, `usage` */
  volume(index: number): OpenVolume;
  /** Places of the volumes that are shown otherwise than they are on disk. */
  replayedRanges(): readonly ByteRange[];
  structuresAt(offset: number, length: number): readonly DescribedStructure[];
  /** Looks anew at what lies in some ranges of the image; without them, at everything. */
  forget(ranges?: readonly ByteRange[]): void;
}

/** The changes of an open image: each is made as a whole or not at all, and can be undone. */
export class ImageEdits {
  private readonly soundness = new Soundness();
  /** The changes that wrote bytes or fields as a person gave them. */
  private readonly rawEdits = new Set<EditId>();

  constructor(
    private readonly image: EditedImage,
    private readonly session: EditedSession,
  ) {}

  get state(): EditState {
    return { isDirty: this.image.isDirty, keptForUndo: this.image.keptForUndo() };
  }

  /**
   * What an operation would do; nothing is changed.
   * @throws ImageError as `edit`
   */
  plan(operation: HostOperation, progress: Progress = noProgress): EditReport {
    const transaction = this.image.begin();
    const outcome = this.attempt(transaction, operation, progress);
    return report(outcome, this.image.discard(transaction));
  }

  /**
   * Makes a change, as one step of undo.
   * @throws ImageError whatever refuses it; then nothing has changed
   */
  edit(operation: HostOperation, progress: Progress = noProgress): Edit {
    if (this.image.whyReadOnly !== null) throw new ImageError('read-only', this.image.whyReadOnly);
    const transaction = this.image.begin();
    const outcome = this.attempt(transaction, operation, progress);
    const id = this.image.commit(transaction);
    if (id !== null && isRaw(operation)) {
      this.rawEdits.add(id);
      this.soundness.forget();
    }
    return this.finish(outcome, id);
  }

  /** @throws ImageError `conflict` when it is not the last change */
  undo(id: EditId): void {
    this.image.undo(id);
    if (this.rawEdits.has(id)) this.soundness.forget();
    this.session.forget(this.image.changed(id));
  }

  /** @throws ImageError `conflict` when it is not the change that was undone last */
  redo(id: EditId): void {
    this.image.redo(id);
    if (this.rawEdits.has(id)) this.soundness.forget();
    this.session.forget(this.image.changed(id));
  }

  /** Back to what is in the file. */
  revert(): void {
    this.image.revert();
    this.soundness.forget();
    this.session.forget();
  }

  /** The ranges that a change differs in, all of them. */
  changed(id: EditId): readonly ByteRange[] {
    return this.image.changed(id);
  }

  /** @throws ImageError `conflict`, `no-room`, `read-only`; in each case the file is as it was */
  save(options: SaveOptions, progress: Progress = noProgress): SaveReport {
    const saved = this.image.save(options, progress);
    // What another program wrote into it shows now, where it was not written over.
    if (options.overwrite) {
      this.soundness.forget();
      this.session.forget();
    }
    return saved;
  }

  /** Writes the image as it is shown to another file, with its holes. */
  saveAs(target: string, progress: Progress = noProgress): SaveReport {
    return this.image.saveAs(target, progress);
  }

  backUp(target: string): void {
    this.image.backUp(target);
  }

  /** @throws ImageError `conflict`, `corrupt` */
  restore(source: string): Edit {
    this.soundness.forget();
    return this.finish({ label: 'Restore unsaved changes', notes: [] }, this.image.restore(source));
  }

  wholeImage(): Uint8Array {
    return this.image.wholeImage();
  }

  private finish(outcome: Outcome, id: EditId | null): Edit {
    const ranges = id === null ? [] : this.image.changed(id);
    if (ranges.length > 0) this.session.forget(ranges);
    return { ...report(outcome, ranges), id };
  }

  /** Applies an operation to a transaction, which ends when that fails. */
  private attempt(transaction: Transaction, operation: HostOperation, progress: Progress): Outcome {
    try {
      if (isRaw(operation)) return this.applyRaw(transaction, operation);
      switch (operation.kind) {
        case 'trim': {
          const { volume, target } = this.open(transaction, operation.volume);
          return trim(volume, this.image, target, operation.minimum, progress);
        }
        default:
          return this.applyToVolume(transaction, operation, progress);
      }
    } catch (error) {
      this.image.rollback(transaction);
      throw error;
    }
  }

  private applyRaw(transaction: Transaction, operation: RawOperation): Outcome {
    const structuresAt = (offset: number, length: number) =>
      this.session.structuresAt(offset, length);
    const { label, offset, bytes } = rawEdit(operation, transaction, structuresAt);
    const { length } = bytes;
    if (touches(this.session.replayedRanges(), offset, length)) throw replayedError();
    transaction.write(offset, bytes);
    return { label, notes: [] };
  }

  private applyToVolume(
    transaction: Transaction,
    operation: EditorOperation,
    progress: Progress,
  ): Outcome {
    const { volume, target } = this.open(transaction, operation.volume);
    const { editing } = volume.fileSystem;
    if (editing.whyNot !== null) throw new ImageError('read-only', editing.whyNot);
    this.soundness.require(operation.volume, volume, progress);
    const policy = operation.kind === 'preallocate' ? operation.policy : 'contiguous';
    const chunk = 'chunk' in operation ? operation.chunk : undefined;
    const options = { now: presentTime(), policy, progress, ...(chunk !== undefined && { chunk }) };
    const editor = editing.open(target, options);
    const notes = new Notes();
    const { path: imagePath } = this.session;
    const change = { before: volume, editor, progress, imagePath, notes };
    const outcome = applyOperation(change, operation);
    editor.finish();
    const sentences = [...outcome.notes, ...editor.notes, ...notes.sentences];
    return { ...outcome, notes: [...new Set(sentences)] };
  }

  private open(transaction: Transaction, index: number) {
    const volume = this.session.volume(index);
    const { offset, size } = volume.bytes;
    if (touches(this.session.replayedRanges(), offset, size)) throw replayedError();
    return { volume, target: new WritableVolume(transaction, offset, size) };
  }
}

function isRaw(operation: HostOperation): operation is RawOperation {
  return operation.kind === 'bytes' || operation.kind === 'field';
}

export const whyNotReplayed =
  'The volume is shown as it will be after its journal is replayed; only what is on disk can be ' +
  'changed.';

const replayedError = () => new ImageError('read-only', whyNotReplayed);

function report(outcome: Outcome, ranges: readonly ByteRange[]): EditReport {
  const { allocation, ...rest } = outcome;
  return {
    ...rest,
    ...(allocation && { allocation: { ...allocation, extentCount: allocation.extents.length } }),
    changed: ranges.slice(0, shownRanges),
    changedRanges: ranges.length,
    changedBytes: ranges.reduce((sum, { length }) => sum + length, 0),
  };
}
