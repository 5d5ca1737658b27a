import { ImageError } from '../../image/errors';
import type { Operation } from '../operations';
import { labelName } from './labels';
import type { Outcome, VolumeChange } from './volume-change';

type Move = Extract<Operation, { kind: 'move' }>;

/**
 * Gives an entry another name, in the same directory or another one. What has the name already
 * gives way, if it may: anything but a directory, and never to a directory.
 * @throws ImageError `not-found` for an entry that has changed since it was listed; `exists`
 */
export function moveEntry({ before, editor }: VolumeChange, move: Move): Outcome {
  const { key, isDirectory } = before.findEntry(move.entry);
  const there = before.entryNamed(move.directory, move.name);
  // A new spelling of its own name does not stand in its own way.
  const isItself =
    there?.key.directory === key.directory && Buffer.compare(there.key.name, key.name) === 0;
  if (there && !isItself) {
    const blocks = !move.replace || there.isDirectory || isDirectory;
    if (blocks) throw new ImageError('exists', `${labelName(move.name)} is there already.`);
    editor.remove(there.key);
  }
  editor.move(key, move.directory, move.name);
  const isRenamed = move.directory === move.entry.directory;
  const name = labelName(move.entry.name);
  const label = isRenamed ? `Rename ${name} to ${labelName(move.name)}` : `Move ${name}`;
  return { label, notes: [] };
}
