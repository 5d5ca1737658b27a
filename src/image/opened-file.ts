import type { ImageBytes } from './bytes';
import { ByteStore } from './byte-store';
import type { HostRoom } from './change-set';
import { ImageError } from './errors';
import type { Host } from './host';
import { ImageFile, visitShownData } from './image-file';
import { Overlay } from './overlay';
import type { RangeFileOrigin } from './range-file';
import { SaveJournal } from './save-journal';

export interface EditingFolders {
  /** Where journals of saves are kept; the same for everybody who saves images on this host. */
  readonly stateFolder: string;
  /** Where bytes are kept that only undo needs; without it, undo of what was saved ends. */
  readonly undoFolder?: string;
}

/** The file of an image that is edited, after what is left of a save of it was dealt with. */
export class OpenedFile {
  readonly store: ByteStore;
  readonly canKeepUndo: boolean;
  /** Whole sentences on a save that was cut short. */
  readonly notes: string[] = [];
  /** The rest of a save that cannot be finished, but is shown. */
  private pending: Overlay | null = null;
  private why: string | null;

  private constructor(
    readonly file: ImageFile,
    readonly journal: SaveJournal,
    folders: EditingFolders,
  ) {
    this.store = new ByteStore(folders.undoFolder);
    this.canKeepUndo = folders.undoFolder !== undefined;
    this.why = file.whyReadOnly;
  }

  /** @throws ImageError `unreadable` when the path is no readable regular file; `usage` if empty */
  static open(path: string, folders: EditingFolders, host: Host): OpenedFile {
    const file = ImageFile.open(host, path);
    try {
      const journal = new SaveJournal(host, folders.stateFolder, path);
      const opened = new OpenedFile(file, journal, folders);
      opened.recover();
      return opened;
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** What the image holds while nothing is changed. */
  get below(): ImageBytes {
    return this.pending ?? this.file;
  }

  /** The sentence that says why the file cannot be written; null when it can. */
  get whyReadOnly(): string | null {
    return this.why;
  }

  /** What the host has allocated of `below`. */
  get room(): HostRoom {
    const { pending, file } = this;
    if (!pending) return file;
    return {
      blockSize: file.blockSize,
      visitData: (start, end, visitor) => visitShownData(pending, file, start, end, visitor),
    };
  }

  /** The file as journals and backups say which one they belong to. */
  origin(kind: RangeFileOrigin['kind']): RangeFileOrigin {
    const { size, path, stamp } = this.file;
    return { kind, size, path, modified: stamp.modified };
  }

  /** Where the file is that a copy may share its room with; null where it is not what is shown. */
  get shareablePath(): string | null {
    return this.pending || !this.file.isStillThere() ? null : this.file.path;
  }

  private recover(): void {
    const { file, journal, notes } = this;
    try {
      const isWritable = file.whyReadOnly === null;
      const recovery = journal.recover(
        file,
        isWritable ? () => file.host.open(file.path, 'write') : null,
      );
      file.refresh();
      if (recovery.state === 'pending') return this.showPending(recovery.why);
      if (recovery.state === 'finished') {
        notes.push(`The last save of ${file.path} was cut short; it is finished now.`);
      } else if (recovery.state === 'foreign') {
        notes.push(
          `The last save of ${file.path} was cut short, and another program has written to it ` +
            `since; the rest of the save is kept in ${journal.asidePath}.`,
        );
      }
    } catch (error) {
      if (!(error instanceof ImageError)) throw error;
      notes.push(`It is not known whether the last save came to its end: ${error.message}`);
    }
  }

  private showPending(why: string | null): void {
    const { path } = this.file;
    this.pending = new Overlay(this.file, this.store);
    this.journal.show(this.pending);
    this.why ??= `The last save of ${path} cannot be finished, so that it is not written: ${why}`;
    this.notes.push(
      `The last save of ${path} was cut short and cannot be finished now; ` +
        `what is shown is how it will be.`,
    );
  }
}
