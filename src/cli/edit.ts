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
  /** Null where nothing was asked for. */
  readonly edit: Edit | null;
  /** Null where nothing had to change. */
  readonly saved: SaveReport | null;
  readonly changed: readonly ByteRange[];
  /** Whole sentences. */
  readonly notes: readonly string[];
}

/** Makes a change of an image and saves it. When it is refused, the image is left as it was. */
export async function editImage(path: string, options: ImageOptions, ask: Ask): Promise<Done> {
  return withImage(path, options, async (session) => {
    const operation = askFor(session, options, ask);
    const edit = operation && refusing(() => session.edits.edit(operation));
    const id = edit?.id ?? null;
    const changed = id === null ? [] : session.edits.changed(id);
    const saved = changed.length > 0 ? save(session) : null;
    const notes = [
      ...(saved ? choiceNotes(session, options, 'changed') : []),
      ...(edit?.notes ?? []),
      ...(saved?.notes ?? []),
    ];
    return { edit, saved, changed, notes };
  });
}

/** Tells what a change would come to. */
export async function planEdit(
  path: string,
  options: ImageOptions,
  ask: Ask<HostOperation>,
): Promise<EditReport> {
  return withImage(path, options, async (session) => {
    const operation = askFor(session, options, ask);
    return refusing(() => session.edits.plan(operation));
  });
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

/** As `editImage`, for a verb that prints what was changed: `{changed:[{offset,length}]}`. */
export async function changeImage(
  streams: Streams,
  path: string,
  options: ImageOptions,
  ask: Ask,
): Promise<Done> {
  const done = await editImage(path, options, ask);
  await printDone(streams, options, done);
  return done;
}

async function printDone(
  { output, note }: Streams,
  { json }: ImageOptions,
  { edit, changed, notes }: Done,
): Promise<void> {
  if (json) {
    await printJsonList(output, {}, 'changed', changed, () => (notes.length > 0 ? { notes } : {}));
    return;
  }
  if (edit) await output.line(printable(edit.label));
  const bytes = changed.reduce((sum, { length }) => sum + length, 0);
  await output.line(
    changed.length === 0
      ? 'nothing had to change'
      : `${count(bytes, 'byte')} changed in ${count(changed.length, 'range')}`,
  );
  await output.flush();
  for (const sentence of notes) note(sentence);
}
