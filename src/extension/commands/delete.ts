import * as vscode from 'vscode';
import type { EntryRef, ListQuery, NodeId } from '../../protocol/requests';
import { RemoteError } from '../../protocol/rpc';
import type { OpenImage } from '../image/open-image';
import { displayed } from '../shared/messages';
import { changeImage, tellNotes, type EntryTarget } from './edit-image';

/** Entries that are counted before a person is asked: more than they would count themselves. */
const mostCounted = 5000;
const pageSize = 1000;

/** Removes the chosen entry, a directory with all that it holds. */
export async function deleteEntry(target: EntryTarget): Promise<void> {
  const { inspector, volume, entry, path } = target;
  const { image } = inspector;
  if (!(await mayRemove(image, volume, [entry]))) return;
  const title = vscode.l10n.t('Deleting {0}', displayed(path));
  const operation = { kind: 'remove', volume, entries: [entry] } as const;
  tellNotes(await changeImage(image, title, operation));
}

/** Asks whether entries shall be removed, and says how much goes with them. */
export async function mayRemove(
  image: OpenImage,
  volume: number,
  entries: readonly EntryRef[],
): Promise<boolean> {
  const remove = vscode.l10n.t('Delete');
  const below = await countBelow(image, volume, entries);
  const question =
    entries.length === 1
      ? vscode.l10n.t('Delete {0} from the image?', displayed(entries[0].name))
      : vscode.l10n.t('Delete {0} entries from the image?', format(entries.length));
  const answer = await vscode.window.showWarningMessage(
    question,
    { modal: true, detail: detailFor(below) },
    remove,
  );
  return answer === remove;
}

function detailFor(below: number): string {
  const undo = vscode.l10n.t('This can be undone.');
  if (below === 0) return undo;
  const more =
    below >= mostCounted
      ? vscode.l10n.t('More than {0} entries below it are deleted too.', format(mostCounted))
      : vscode.l10n.t('What it holds is deleted too: {0} entries.', format(below));
  return `${more} ${undo}`;
}

/** How many entries there are below, up to a limit: directories of an image may hold each other. */
async function countBelow(
  image: OpenImage,
  volume: number,
  entries: readonly EntryRef[],
): Promise<number> {
  const waiting: NodeId[] = [];
  for (const { node } of entries) {
    const { type } = await image.engine.request('details', [volume, node, 0]);
    if (type === 'directory') waiting.push(node);
  }
  let counted = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (let start = 0; counted < mostCounted; start += pageSize) {
      const rows = await rowsOf(image, volume, next, start);
      counted += rows.length;
      waiting.push(...rows.filter(({ type }) => type === 'directory').map(({ node }) => node));
      if (rows.length < pageSize) break;
    }
    if (counted >= mostCounted) break;
  }
  return counted;
}

async function rowsOf({ engine }: OpenImage, volume: number, directory: NodeId, start: number) {
  const all = { deleted: false, filter: '', sort: 'disk', descending: false } as const;
  const query: ListQuery = { ...all, volume, directory, start, count: pageSize };
  try {
    return (await engine.request('list', [query])).rows;
  } catch (error) {
    // What cannot be listed is not counted; whether it can be removed the engine says.
    if (error instanceof RemoteError && error.code !== 'ended') return [];
    throw error;
  }
}

const format = (value: number) => value.toLocaleString('en-US');
