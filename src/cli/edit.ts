import type { ByteRange } from '../image/edits';
import { ImageError } from '../image/errors';
import type { ImageSession } from '../session/image-session';
import type { OpenVolume } from '../session/open-volume';
import type { Edit, EditReport, HostOperation, SaveReport } from '../session/operations';
import { choiceNotes, withImage, type ImageOptions, type Streams } from './context';
import { count, printable, printJsonList } from './print';

/** An operation for the volume that is chosen; null where nothing has to be done. */
export type Ask<Operation extends HostOperation | null = HostOperation | null> = (
  index: number,
  volume: OpenVolume,
) => Operation;

/** What a verb changed, and what became of the image's file. */
export interface Done {
  /** In the order in which they were made. */
  readonly edits: readonly Edit[];
  /** Null where nothing had to change. */
  readonly saved: SaveReport | null;
  readonly changed: readonly ByteRange[];
  /** Whole sentences. */
  readonly notes: readonly string[];
}

/**
 * Makes changes of an image, one after another, and saves them at once. When one is refused, the
 * image is left as it was.
 */
export async function editImage(
  path: string,
  options: ImageOptions,
  ...asks: readonly Ask[]
): Promise<Done> {
  return withImage(path, options, async (session) => {
    const edits: Edit[] = [];
    for (const ask of asks) {
      const operation = askFor(session, options, ask);
      if (operation) edits.push(refusing(() => session.edits.edit(operation)));
    }
    const changed = rangesOf(session, edits);
    const saved = changed.length > 0 ? save(session) : null;
    const notes = [
      ...(saved ? choiceNotes(session, options, 'changed') : []),
      ...edits.flatMap((edit) => edit.notes),
      ...(saved?.notes ?? []),
    ];
    return { edits, saved, changed, notes };
  });
}

/** Tells what a change would come to. */
export async function planEdit(
  path: string,
  options: ImageOptions,
  ask: Ask<HostOperation>,
): Promise<EditReport> {
  return withImage(path, options, async (session) =>
    refusing(() => session.edits.plan(askFor(session, options, ask))),
  );
}

/** What makes no sense to the engine would to that of another image: it is refused, not misused. */
function refusing<Result>(make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof ImageError) || error.code !== 'usage') throw error;
    throw new ImageError('unsupported', error.message);
  }
}

function askFor<Operation extends HostOperation | null>(
  session: ImageSession,
  { partition }: ImageOptions,
  ask: Ask<Operation>,
): Operation {
  const index = partition ?? session.first;
  const volume = session.volume(index); // throws where there is none
  return ask(index ?? 0, volume);
}

/** Nobody can undo it when the command has ended: what undo would need is not kept. */
const save = (session: ImageSession) =>
  session.edits.save({ overwrite: false, undoLimit: 0, dropUndo: true });

/** What all edits changed together, in the order of its place. */
function rangesOf(session: ImageSession, edits: readonly Edit[]): ByteRange[] {
  const all = edits.flatMap(({ id }) => (id === null ? [] : session.edits.changed(id)));
  if (edits.length < 2) return all;
  const merged: { offset: number; length: number }[] = [];
  for (const { offset, length } of all.sort((a, b) => a.offset - b.offset)) {
    const last = merged.at(-1);
    const end = last ? last.offset + last.length : -1;
    if (last && offset <= end) last.length = Math.max(end, offset + length) - last.offset;
    else merged.push({ offset, length });
  }
  return merged;
}

/** Prints what was changed: `{changed:[{offset,length}]}`. */
export async function printDone(
  { output, note }: Streams,
  { json }: ImageOptions,
  { edits, changed, notes }: Done,
): Promise<void> {
  if (json) {
    await printJsonList(output, {}, 'changed', changed, () => (notes.length > 0 ? { notes } : {}));
    return;
  }
  for (const { label } of edits) await output.line(printable(label));
  const bytes = changed.reduce((sum, { length }) => sum + length, 0);
  await output.line(
    changed.length === 0
      ? 'nothing had to change'
      : `${count(bytes, 'byte')} changed in ${count(changed.length, 'range')}`,
  );
  await output.flush();
  for (const sentence of notes) note(sentence);
}
