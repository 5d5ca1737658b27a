import { constants } from 'node:buffer';
import { readBytes, type ImageBytes } from './bytes';
import { ByteStore } from './byte-store';
import { changesOf, rangesOf, type ChangeSet, type HostRoom } from './change-set';
import { diskHost } from './disk-host';
import { EditHistory } from './edit-history';
import type { ByteRange, EditId, SaveOptions, SaveReport } from './edits';
import { ImageError } from './errors';
import type { Host } from './host';
import { ImageFile, visitShownData } from './image-file';
import { Overlay, Transaction } from './overlay';
import type { Progress } from './progress';
import { inFile } from './range-map';

export interface EditingFolders {
  /** Where journals of saves are kept; the same for everybody who saves images on this host. */
  readonly stateFolder: string;
  /** Where bytes are kept that only undo needs; without it, undo of what was saved ends. */
  readonly undoFolder?: string;
}

/** An image of which the changes are kept apart until they are saved. */
export class EditedImage implements ImageBytes {
  private readonly store: ByteStore;
  private readonly shown: Overlay;
  private readonly history = new EditHistory();
  private readonly room: HostRoom;
  private transaction: Transaction | null = null;

  /**
   * @param below what the image holds when nothing is changed
   * @param file the file that it is; absent for an image in memory, which is never saved in place
   */
  constructor(
    private readonly below: ImageBytes,
    private readonly file?: ImageFile,
    private readonly folders?: EditingFolders,
    /** Whole sentences on what was found when it was opened: a save that was cut short. */
    readonly notes: readonly string[] = [],
  ) {
    this.store = new ByteStore(folders?.undoFolder);
    this.shown = new Overlay(below, this.store);
    this.room = file ?? allData;
  }

  /**
   * Opens a file; a save of it that was cut short is finished or discarded first.
   * @throws ImageError `unreadable` when the path is no readable regular file; `usage` if empty
   */
  static open(path: string, folders: EditingFolders, host: Host = diskHost): EditedImage {
    const file = ImageFile.open(host, path);
    return new EditedImage(file, file, folders);
  }

  get size(): number {
    return this.below.size;
  }

  read(offset: number, target: Uint8Array): number {
    return this.shown.read(offset, target);
  }

  close(): void {
    this.store.close();
    this.file?.close();
  }

  /** The sentence that says why the image cannot be saved where it is; null when it can. */
  get whyReadOnly(): string | null {
    return this.file?.whyReadOnly ?? null;
  }

  get isWritable(): boolean {
    return this.whyReadOnly === null;
  }

  /** Bytes that the host has allocated for the file now; the size of an image in memory. */
  get allocated(): number {
    return this.file?.allocated ?? this.size;
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
    if (!this.file?.tellsHoles) return undefined;
    const ranges: { offset: number; length: number }[] = [];
    const add = (start: number, end: number) => {
      const last = ranges.at(-1);
      if (last && last.offset + last.length === start) last.length += end - start;
      else ranges.push({ offset: start, length: end - start });
    };
    visitShownData(this.shown, this.room, offset, offset + length, add);
    return ranges;
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

  /** Back to what is in the file. Changes that were made before the last save can be undone. */
  revert(): void {
    this.requireIdle();
    this.history.revert();
    this.shown.replaced.clear();
  }

  /** The ranges that differ since a change, or did. @throws ImageError `not-found` */
  changed(id: EditId): ByteRange[] {
    return rangesOf(this.history.changes(id).after);
  }

  /** Bytes of the file that a save would have to copy, so that undo stays possible. */
  keptForUndo(): number {
    let kept = 0;
    for (const changes of this.history.all) {
      this.visitLost(changes, (start, end) => (kept += end - start));
    }
    return kept;
  }

  /**
   * Writes the changes into the file.
   * @throws ImageError `conflict` when another program changed it; `no-room` when the host is full,
   *   or undo needs more than its limit; `read-only`. In each case the file is as it was
   */
  save(options: SaveOptions, progress: Progress): SaveReport {
    throw new ImageError('unsupported', `Not yet: ${JSON.stringify([options, progress])}.`);
  }

  /** Writes the image as it is shown to another file, with its holes. */
  saveAs(target: string, progress: Progress): SaveReport {
    throw new ImageError('unsupported', `Not yet: ${JSON.stringify([target, progress])}.`);
  }

  /** Writes the changes that are not saved, not the image, to a file of the host. */
  backUp(target: string): void {
    throw new ImageError('unsupported', `Not yet: ${target} ${this.folders?.stateFolder}.`);
  }

  /**
   * Takes over the changes of a backup, as one change.
   * @throws ImageError `conflict` when the image is not the one that it was made for any more;
   *   `corrupt` when it is no whole backup
   */
  restore(source: string): EditId | null {
    throw new ImageError('unsupported', `Not yet: ${source}.`);
  }

  /** The whole image as it is shown. @throws ImageError `unsupported` when no array is so large */
  wholeImage(): Uint8Array {
    if (this.size <= constants.MAX_LENGTH) return readBytes(this.shown, 0, this.size);
    throw new ImageError('unsupported', 'The image is too large to be held in memory.');
  }

  private show(ranges: ChangeSet['before']): void {
    if (this.history.isDirty) this.shown.apply(ranges);
    else this.shown.replaced.clear();
  }

  /** Visits what a change found in the file and holds data, and what a save would overwrite. */
  private visitLost({ before }: ChangeSet, visitor: (start: number, end: number) => void): void {
    before.visitAll((start, end, content) => {
      if (content !== inFile) return;
      this.shown.replaced.visit(start, end, (from, to) => this.room.visitData(from, to, visitor));
    });
  }

  private requireIdle(): void {
    if (this.transaction) throw new ImageError('usage', 'Another change is being made.');
  }
}

const allData: HostRoom = {
  blockSize: 4096,
  visitData: (start, end, visitor) => visitor(start, end),
};
