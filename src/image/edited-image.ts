import { constants } from 'node:buffer';
import { readBackup, writeBackup } from './backup';
import { readBytes, type ImageBytes } from './bytes';
import { ByteStore } from './byte-store';
import { changesOf, rangesOf, type ChangeSet, type HostRoom } from './change-set';
import { diskHost } from './disk-host';
import { EditHistory } from './edit-history';
import {
  joinedRanges,
  type ByteRange,
  type EditId,
  type SaveOptions,
  type SaveReport,
} from './edits';
import { ImageError } from './errors';
import type { Host } from './host';
import { isSameFile } from './host-folder';
import { visitShownData } from './image-file';
import { OpenedFile, type EditingFolders } from './opened-file';
import { Overlay, Transaction } from './overlay';
import type { Progress } from './progress';
import type { RangeFileOrigin } from './range-file';
import { saveInPlace } from './save';
import { copyImage } from './save-as';
import type { SaveJournal } from './save-journal';
import { keepLost, lostBytes } from './undo-copies';

export type { EditingFolders } from './opened-file';

/** An image of which the changes are kept apart until they are saved. */
export class EditedImage implements ImageBytes {
  private readonly store: ByteStore;
  private readonly shown: Overlay;
  private readonly history = new EditHistory();
  private readonly room: HostRoom;
  private transaction: Transaction | null = null;
  /** What `keptForUndo` is; null where it was not counted since the last change. */
  private kept: number | null = null;

  /** @param below what the image holds while nothing is changed */
  constructor(
    private readonly below: ImageBytes,
    private readonly opened?: OpenedFile,
  ) {
    this.store = opened?.store ?? new ByteStore();
    this.shown = new Overlay(below, this.store);
    this.room = opened?.room ?? allData;
  }

  /**
   * Opens a file; a save of it that was cut short is finished or discarded first.
   * @throws ImageError `unreadable` when the path is no readable regular file; `usage` if empty
   */
  static open(path: string, folders: EditingFolders, host: Host = diskHost): EditedImage {
    const opened = OpenedFile.open(path, folders, host);
    return new EditedImage(opened.below, opened);
  }

  /** Whole sentences on what was found when it was opened: a save that was cut short. */
  get notes(): readonly string[] {
    return this.opened?.notes ?? [];
  }

  get size(): number {
    return this.below.size;
  }

  read(offset: number, target: Uint8Array): number {
    return this.shown.read(offset, target);
  }

  close(): void {
    this.store.close();
    this.opened?.file.close();
  }

  /** The sentence that says why the image cannot be saved where it is; null when it can. */
  get whyReadOnly(): string | null {
    return this.opened?.whyReadOnly ?? null;
  }

  get isWritable(): boolean {
    return this.whyReadOnly === null;
  }

  /** Bytes that the host has allocated for the file now; the size of an image in memory. */
  get allocated(): number {
    return this.opened?.file.allocated ?? this.size;
  }

  /** What the host allocates at once, in bytes: holes have this size at least. */
  get blockSize(): number {
    return this.room.blockSize;
  }

  /** Whether the image as it is shown is not what was opened or last saved. */
  get isDirty(): boolean {
    return this.history.isDirty;
  }

  /**
   * The parts of a range of the image, as it is shown, that are no holes.
   * @returns undefined where the host does not tell
   */
  dataRanges(offset: number, length: number): ByteRange[] | undefined {
    if (!this.opened?.file.tellsHoles) return undefined;
    return joinedRanges((add) =>
      visitShownData(this.shown, this.room, offset, offset + length, add),
    );
  }

  /** Starts a change. There is one at a time: it ends with `commit` or `rollback`. */
  begin(): Transaction {
    this.requireIdle();
    this.transaction = new Transaction(this.shown);
    return this.transaction;
  }

  /**
   * Makes a change one step of undo; what was undone before it is lost.
   * @returns null where nothing differs
   */
  commit(transaction: Transaction): EditId | null {
    try {
      const changes = changesOf(transaction, this.shown, this.room);
      this.transaction = null;
      if (changes.after.count === 0) {
        this.store.truncate(transaction.mark);
        return null;
      }
      this.shown.apply(changes.after);
      this.kept = null;
      return this.history.push(changes);
    } catch (error) {
      this.rollback(transaction);
      throw error;
    }
  }

  /** Ends a change as if it had never started. */
  rollback(transaction: Transaction): void {
    if (this.transaction !== transaction) return;
    this.transaction = null;
    this.store.truncate(transaction.mark);
  }

  /** Ends a change as `rollback` does. @returns the ranges that would differ after a commit */
  discard(transaction: Transaction): ByteRange[] {
    try {
      return rangesOf(changesOf(transaction, this.shown, this.room).after);
    } finally {
      this.rollback(transaction);
    }
  }

  /** @throws ImageError `conflict` when it is not the last change */
  undo(id: EditId): void {
    this.requireIdle();
    this.show(this.history.undo(id).before);
  }

  /** @throws ImageError `conflict` when it is not the change that was undone last */
  redo(id: EditId): void {
    this.requireIdle();
    this.show(this.history.redo(id).after);
  }

  /**
   * Back to what is in the file. Changes that were made before the last save can be undone.
   * @throws ImageError `unwritable` when a save failed half-way, and the file is neither
   */
  revert(): void {
    this.requireIdle();
    if (this.opened?.journal.isNeeded) {
      throw new ImageError('unwritable', 'A save was cut short; the image has to be saved first.');
    }
    this.kept = null;
    this.history.revert();
    this.shown.replaced.clear();
  }

  /** The ranges that differ since a change, or did. @throws ImageError `not-found` */
  changed(id: EditId): ByteRange[] {
    return rangesOf(this.history.changes(id).after);
  }

  /** Bytes of the file that a save would have to copy, so that undo stays possible. */
  keptForUndo(): number {
    return (this.kept ??= lostBytes(this.history.all, this.shown, this.room));
  }

  /**
   * Writes the changes into the file.
   * @throws ImageError `conflict` when another program changed it; `no-room` when the host is full,
   *   or undo needs more than its limit; `read-only`. In each case the file is as it was
   */
  save(options: SaveOptions, progress: Progress): SaveReport {
    this.requireIdle();
    const { file, journal, whyReadOnly } = this.requireFile();
    if (whyReadOnly !== null) throw new ImageError('read-only', whyReadOnly);
    if (this.shown.replaced.count === 0) {
      this.history.markSaved();
      return { bytesWritten: 0, bytesPunched: 0, reclaimed: 0, notes: [] };
    }
    const notes: string[] = [];
    const target = file.openToWrite(options.overwrite);
    try {
      const before = target.allocated;
      const isUndoKept = this.keepUndo(options, notes);
      let applied;
      try {
        applied = saveInPlace(this.shown, target, journal, this.origin('journal'), progress);
      } finally {
        if (!isUndoKept && journal.isNeeded) this.history.forgetDone();
      }
      this.shown.replaced.clear();
      this.history.markSaved();
      dropJournal(journal, notes);
      if (applied.unpunched > 0) {
        notes.push('The host cannot make holes in the file: zeros were written.');
      }
      const { written, punched } = applied;
      const reclaimed = before - target.allocated;
      return { bytesWritten: written, bytesPunched: punched, reclaimed, notes };
    } finally {
      target.close();
      file.refresh();
      this.kept = null;
    }
  }

  /**
   * Writes the image as it is shown to another file, with its holes; onto its own file is a save.
   * What has that name is as it was until the copy is whole.
   * @throws ImageError `unwritable`, `no-room`, `cancelled`; as `save`
   */
  saveAs(target: string, progress: Progress): SaveReport {
    this.requireIdle();
    if (this.opened && isSameFile(this.opened.file.path, target)) {
      return this.save({ overwrite: false, undoLimit: Infinity, dropUndo: false }, progress);
    }
    const original = this.opened?.shareablePath ?? null;
    const bytesWritten = copyImage(this.shown, this.room, original, target, progress);
    return { bytesWritten, bytesPunched: 0, reclaimed: 0, notes: [] };
  }

  /** Writes the changes that are not saved, not the image, to a file of the host. */
  backUp(target: string): void {
    writeBackup(this.shown, this.origin('backup'), target);
  }

  /**
   * Takes over the changes of a backup, as one change.
   * @throws ImageError `conflict` when the image is not the one that it was made for any more;
   *   `corrupt` when it is no whole backup
   */
  restore(source: string): EditId | null {
    if (this.shown.replaced.count > 0) {
      throw new ImageError('usage', 'The image is changed already; a backup is restored first.');
    }
    const transaction = this.begin();
    try {
      readBackup(source, this.origin('backup'), transaction);
    } catch (error) {
      this.rollback(transaction);
      throw error;
    }
    return this.commit(transaction);
  }

  /** The whole image as it is shown. @throws ImageError `unsupported` when no array is so large */
  wholeImage(): Uint8Array {
    if (this.size <= constants.MAX_LENGTH) return readBytes(this.shown, 0, this.size);
    throw new ImageError('unsupported', 'The image is too large to be held in memory.');
  }

  private show(ranges: ChangeSet['before']): void {
    this.kept = null;
    if (this.history.isDirty) this.shown.apply(ranges);
    else this.shown.replaced.clear();
  }

  /** @returns whether all that was done can still be undone after a save */
  private keepUndo(options: SaveOptions, notes: string[]): boolean {
    const lost = this.keptForUndo();
    const isKept = lost === 0 || (this.opened?.canKeepUndo === true && lost <= options.undoLimit);
    if (isKept) {
      keepLost(this.history.all, this.shown, this.room);
    } else if (this.opened?.canKeepUndo && !options.dropUndo) {
      const needed = `Undo needs ${lost} bytes of what the save overwrites`;
      throw new ImageError('no-room', `${needed}, more than its limit of ${options.undoLimit}.`);
    } else if (!options.dropUndo) {
      notes.push('What was changed before this save cannot be undone any more.');
    }
    return isKept;
  }

  private origin(kind: RangeFileOrigin['kind']): RangeFileOrigin {
    return this.opened?.origin(kind) ?? { kind, size: this.size, modified: 0n, path: '' };
  }

  private requireFile(): OpenedFile {
    if (this.opened) return this.opened;
    throw new ImageError('unsupported', 'The image is no file of the host; it is saved as one.');
  }

  private requireIdle(): void {
    if (this.transaction) throw new ImageError('usage', 'Another change is being made.');
  }
}

/** The image is saved: a journal that stays says so, too. */
function dropJournal(journal: SaveJournal, notes: string[]): void {
  try {
    journal.drop();
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    notes.push(`The journal of the save could not be removed: ${error.message}`);
  }
}

const allData: HostRoom = {
  blockSize: 4096,
  visitData: (start, end, visitor) => visitor(start, end),
};
