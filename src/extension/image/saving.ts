import type { SaveOptions, SaveReport } from '../../protocol/requests';
import { RemoteError } from '../../protocol/rpc';
import type { Attention, Engine } from '../shared/engine';

/** What a person is asked before a save goes on. */
export interface SaveQuestions {
  /** Another program changed the image. Null leaves all as it is. */
  onConflict(): Promise<'overwrite' | 'reload' | null>;
  /** Undo would need so many bytes, which is more than it may. False leaves all as it is. */
  onUndoLimit(kept: number): Promise<boolean>;
}

/** Writes the changes; rejects with `conflict`, or with `no-room` beyond the limit of undo. */
export type WriteChanges = (options: SaveOptions) => Promise<SaveReport>;

/**
 * Saves an image, and asks where that needs a decision.
 * @param undoLimit what may be kept for undo, in bytes
 * @returns null when the person wants the file as it is, and not the changes
 * @throws RemoteError `cancelled` when the person does not want to save; then the file is as it was
 */
export async function saveChanges(
  engine: Engine,
  write: WriteChanges,
  questions: SaveQuestions,
  undoLimit: number,
): Promise<SaveReport | null> {
  let options: SaveOptions = { overwrite: false, undoLimit, dropUndo: false };
  for (;;) {
    try {
      return await write(options);
    } catch (error) {
      const code = error instanceof RemoteError ? error.code : '';
      if (code === 'conflict' && !options.overwrite) {
        const decision = await questions.onConflict();
        if (decision === 'reload') return null;
        if (decision === null) throw given('Nothing was saved: the changes are kept.');
        options = { ...options, overwrite: true };
      } else if (code === 'no-room' && !options.dropUndo) {
        // The host is full, unless it is undo that needs too much.
        const { keptForUndo } = await engine.request('editState', []);
        if (keptForUndo <= undoLimit) throw error;
        if (!(await questions.onUndoLimit(keptForUndo))) throw given('Nothing was saved.');
        options = { ...options, dropUndo: true };
      } else {
        throw error;
      }
    }
  }
}

/** How the changes get into a file of the host. */
export function writeToFile(engine: Engine, attention?: Attention): WriteChanges {
  return (options) => engine.request('save', [options], attention);
}

/** Writes only to a file that is still there, and tells the person where it is not. */
export function writeIfThere(
  write: WriteChanges,
  isThere: () => Promise<boolean>,
  tellGone: () => void,
): WriteChanges {
  return async (options) => {
    if (await isThere()) return write(options);
    tellGone();
    throw given('Nothing was saved: the file is no longer there.');
  };
}

/** What holds an image that is no file of the host. */
export interface ImageHolder {
  /** Whether another program changed the image since it was read or saved. */
  hasChanged(): Promise<boolean>;
  write(bytes: Uint8Array): Promise<void>;
}

/**
 * How the changes get to where an image is no file of the host: as a whole.
 * @returns reports that say nothing of holes: nobody knows them there
 */
export function writeWhole(engine: Engine, holder: ImageHolder): WriteChanges {
  return async ({ overwrite }) => {
    if (!overwrite && (await holder.hasChanged())) {
      throw new RemoteError('conflict', 'Another program changed the image since it was read.');
    }
    const bytes = await engine.request('wholeImage', []);
    await holder.write(bytes);
    return { bytesWritten: bytes.length, bytesPunched: 0, reclaimed: 0, notes: [] };
  };
}

const given = (sentence: string) => new RemoteError('cancelled', sentence);
