/** Changes, undo and save on the wire: parts of requests.ts. */
import type { NodeId } from '../filesystem/node';
import type {
  Edit,
  EditId,
  EditReport,
  EditState,
  HostOperation,
  ImageDifference,
  Operation,
  Remembered,
  SaveOptions,
  SaveReport,
} from '../session/operations';
import type { PlacedEntry } from './entry-place';
import type { TaskId } from './task';

export type { AllocationPolicy } from '../filesystem/allocation';
export type * from '../session/operations';

/** What the webview may ask the engine, too: nothing is changed by it. */
export interface PlanRequests {
  /** What an operation would do; nothing is changed. */
  plan(operation: Operation, task: TaskId): EditReport;
  editState(): EditState;
}

/** What only the extension host asks of the engine. */
export interface TrustedEditRequests {
  edit(operation: HostOperation, task: TaskId): Edit;
  /** @throws `conflict` when it is not the last edit (redo: the next one) of the history */
  undo(edit: EditId): void;
  redo(edit: EditId): void;
  /** Back to what is in the file; what was undone before the last save stays undoable. */
  revert(): void;
  /**
   * Writes the changes into the image's file.
   * @throws `conflict` when another program changed it; `no-room` when the host is full, or undo
   *   needs more than its limit; in each case the file is as it was
   */
  save(options: SaveOptions, task: TaskId): SaveReport;
  /** Writes the image as it is shown to another file, with its holes. */
  saveAs(target: string, task: TaskId): SaveReport;
  /** Writes the changes, not the image, to a file of the host. */
  backUp(target: string): void;
  /**
   * Takes the changes of a backup over, as one edit.
   * @throws `conflict` when the image is not the one it was made for any more; `corrupt`
   */
  restore(source: string): Edit;
  /** The whole image as it is shown: of images that are no file of the host. */
  wholeImage(): Uint8Array;
  /**
   * What the image holds now, and what has changed of it.
   * @param before the snapshot to compare with, maybe of another engine; null where there is none
   */
  remember(before: string | null, task: TaskId): Remembered;
}

export const longEditRequests = ['plan', 'edit', 'save', 'saveAs', 'remember'] as const;

/** What the webview asks of the extension host, beside the engine's plans. */
export interface HostEditRequests {
  /** Changes the image: one step of undo. Asks the person first where much could be lost. */
  edit(operation: Operation): Edit;
  /** Brings files and folders in that were dropped, by their URIs; asks the person first. */
  importDropped(volume: number, directory: NodeId, uris: readonly string[]): void;
  /** The same for a file that only the browser knows: its name and content. */
  importBytes(volume: number, directory: NodeId, name: string, bytes: Uint8Array): void;
}

/** What the extension host tells the webview. */
export interface EditEvents {
  /** Opens the planner of a preallocation of a file, or of a trim of the volume that is shown. */
  openPlanner(planner: 'preallocate' | 'trim', entry: PlacedEntry | null): void;
  /** What another program has changed since the image was last read. */
  changedOutside(difference: ImageDifference): void;
}

/** The commands that change what is chosen. */
export const editCommands = [
  'fsimg.preallocate',
  'fsimg.trim',
  'fsimg.import',
  'fsimg.newFile',
  'fsimg.newFolder',
  'fsimg.newSymlink',
  'fsimg.newLink',
  'fsimg.rename',
  'fsimg.move',
  'fsimg.delete',
  'fsimg.resize',
  'fsimg.editAttributes',
  'fsimg.editLabel',
] as const;
