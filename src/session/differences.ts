/** What an image holds, in short, and what has changed of it, for a person. */
import { noProgress, type Progress } from '../filesystem/progress';
import { formatSize } from '../text/sizes';
import { visibleText } from '../text/visible-text';
import { labelName } from './edits/labels';
import type { ImageSession } from './image-session';
import type { Remembered } from './operations';
import {
  readSnapshot,
  takeSnapshot,
  type KeptEntry,
  type KeptVolume,
  type Snapshot,
} from './snapshot';

const longestParent = 60; // characters
const namedEntries = 3; // of each kind of change; how many there are in all is told too

/**
 * Takes down what an image holds, and compares it with what it held.
 * @param before the snapshot of this session or an earlier one of the same image; from null, or
 *   from anything else, no difference can be told
 */
export function remember(
  session: ImageSession,
  before: string | null,
  progress: Progress = noProgress,
): Remembered {
  const now = takeSnapshot(session, progress);
  const then = before === null ? undefined : readSnapshot(before);
  return {
    snapshot: JSON.stringify(now),
    difference: then ? { sentences: describe(then, now) } : null,
  };
}

function describe(before: Snapshot, after: Snapshot): string[] {
  const sentences: string[] = [];
  if (before.size !== after.size) {
    const [was, is] = [before.size, after.size].map(formatSize);
    sentences.push(`The image is ${is} large now, and was ${was}.`);
  }
  if (placesOf(before) !== placesOf(after)) {
    return [...sentences, 'The image is partitioned otherwise than before.'];
  }
  for (const [index, volume] of after.volumes.entries()) {
    const which = after.volumes.length > 1 ? `Volume ${index}: ` : '';
    const ofVolume = volumeDifferences(before.volumes[index], volume);
    sentences.push(...ofVolume.map((sentence) => which + sentence));
  }
  return sentences;
}

const placesOf = ({ scheme, volumes }: Snapshot) =>
  JSON.stringify([scheme, volumes.map(({ offset, length }) => [offset, length])]);

function volumeDifferences(before: KeptVolume, after: KeptVolume): string[] {
  if (before.unreadable !== after.unreadable) {
    return [after.unreadable ?? 'The volume can be read now.'];
  }
  if (before.type !== after.type || before.uuid !== after.uuid) {
    return [`The filesystem is another one now, of the type ${labelName(after.type)}.`];
  }
  const sentences: string[] = [];
  if (before.label !== after.label) {
    const [was, is] = [before.label, after.label].map(labelName);
    sentences.push(`The label changed from “${was}” to “${is}”.`);
  }
  if (before.state !== after.state) {
    sentences.push(`The state changed from “${before.state}” to “${after.state}”.`);
  }
  sentences.push(...treeDifferences(before, after));
  const [was, is] = [freeBytes(before), freeBytes(after)];
  if (was !== null && is !== null && was !== is) {
    const [size, comparison] =
      is < was ? [formatSize(was - is), 'less'] : [formatSize(is - was), 'more'];
    sentences.push(`There is ${size} of free space ${comparison}.`);
  }
  return sentences;
}

const freeBytes = ({ freeBlocks, blockSize }: KeptVolume) =>
  freeBlocks === null || blockSize === null ? null : freeBlocks * blockSize;

function treeDifferences(before: KeptVolume, after: KeptVolume): string[] {
  const [old, now] = comparable(before, after);
  const added = [...now.values()].filter(({ path }) => !old.has(path));
  const removed = [...old.values()].filter(({ path }) => !now.has(path));
  const changed = [...now.values()].filter((entry) => {
    const was = old.get(entry.path);
    return was && contentKey(was) !== contentKey(entry);
  });
  const renames = findRenames(removed, added);
  const isNew = ({ path }: KeptEntry) => !renames.to.has(path);
  const isGone = ({ path }: KeptEntry) => !renames.from.has(path);
  const paths = (entries: readonly KeptEntry[]) => entries.map(({ path }) => labelPath(path));
  return [
    ...counted('added', paths(added.filter(isNew))),
    ...counted('removed', paths(removed.filter(isGone))),
    ...counted('renamed', renames.shown),
    ...counted('changed', paths(changed)),
  ];
}

/** The entries by their paths, as far as both lists reach. */
function comparable(before: KeptVolume, after: KeptVolume): Map<string, KeptEntry>[] {
  const both = [before.entries, after.entries];
  const maps = both.map((entries) => new Map(entries.map((entry) => [entry.path, entry])));
  if (!before.isCut && !after.isCut) return maps;
  // Behind the last entry that both have, an entry may only have been pushed out of a list.
  return both.map((entries, i) => {
    const end = entries.findLastIndex(({ path }) => maps[1 - i].has(path)) + 1;
    return new Map(entries.slice(0, end).map((entry) => [entry.path, entry]));
  });
}

/** Equal while an entry is the same and its content too; a directory's time says less. */
const contentKey = ({ type, size, modified, number }: KeptEntry) =>
  JSON.stringify(type === 'directory' ? [type, number] : [type, size, modified, number]);

/** What went and came with another path: what lies in renamed directories is not shown again. */
function findRenames(removed: readonly KeptEntry[], added: readonly KeptEntry[]) {
  const gone = new Map(removed.map((entry) => [contentKey(entry), entry.path]));
  const from = new Map<string, string>();
  const to = new Set<string>();
  const shown: string[] = [];
  for (const entry of added) {
    const path = entry.number > 0 ? gone.get(contentKey(entry)) : undefined;
    if (path === undefined || from.has(path)) continue;
    from.set(path, entry.path);
    to.add(entry.path);
    const moved = from.get(parentOf(path)) === parentOf(entry.path) && to.has(parentOf(entry.path));
    const isCarried = moved && nameOf(path) === nameOf(entry.path);
    if (!isCarried) shown.push(`${labelPath(path)} to ${labelPath(entry.path)}`);
  }
  return { from, to, shown };
}

const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/'));
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** Of a long path, its end: that tells more than its start. */
function labelPath(path: string): string {
  const parent = parentOf(path);
  const place = parent.length > longestParent ? `…${parent.slice(-longestParent)}` : parent;
  return `${visibleText(place)}/${labelName(nameOf(path))}`;
}

function counted(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const few = names.slice(0, namedEntries).join(', ');
  if (names.length === 1) return [`One entry was ${what}: ${few}.`];
  const among = names.length > namedEntries ? ', among them ' : ': ';
  return [`${names.length} entries were ${what}${among}${few}.`];
}
