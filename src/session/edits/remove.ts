import type { EntryKey } from '../../filesystem/editing';
import type { FileSystem } from '../../filesystem/filesystem';
import type { NodeId } from '../../filesystem/node';
import type { Progress } from '../../filesystem/progress';
import { ImageError } from '../../image/errors';
import { leadsToDirectory } from '../entry-facts';
import type { EntryRef } from '../operations';
import { labelName, labelNames } from './labels';
import type { Outcome, VolumeChange } from './volume-change';

const depthLimit = 1000; // as a walk of the tree
const smallestRecord = 12; // bytes of a directory record of ext; slots of FAT have 32
const progressStep = 256;

/**
 * Removes entries, directories with all that they hold.
 * @throws ImageError `not-found` for an entry that has changed since it was listed; `corrupt` where
 *   directories form a loop
 */
export function removeEntries(change: VolumeChange, entries: readonly EntryRef[]): Outcome {
  const keys = doomed(change, entries);
  for (const [done, key] of keys.entries()) {
    if (done % progressStep === 0) change.progress.report(done, keys.length);
    change.editor.remove(key);
  }
  return { label: `Delete ${labelNames(entries.map(({ name }) => name))}`, notes: [] };
}

/** What has to be removed, in an order in which each directory is empty when its turn comes. */
function doomed({ before, progress }: VolumeChange, entries: readonly EntryRef[]): EntryKey[] {
  const tree = new DoomedTree(before.fileSystem, before.bytes.present, progress);
  for (const entry of entries) {
    const { key, isDirectory } = before.findEntry(entry);
    tree.add(key, isDirectory, entry.name);
  }
  return tree.keys;
}

/** Entries and all that is below them, each once. */
class DoomedTree {
  readonly keys: EntryKey[] = [];
  private readonly known = new Set<string>();
  private readonly entered = new Set<string>();
  private readonly limit: number;

  constructor(
    private readonly fileSystem: FileSystem,
    present: number,
    private readonly progress: Progress,
  ) {
    this.limit = Math.ceil(present / smallestRecord);
  }

  add(key: EntryKey, isDirectory: boolean, name: string, depth = 1): void {
    const mark = `${key.directory} ${key.node} ${Buffer.from(key.name).toString('latin1')}`;
    if (this.known.has(mark)) return; // it was chosen beside a directory that holds it
    if (this.known.size === this.limit) {
      throw new ImageError('corrupt', 'There are more entries than the image has room for.');
    }
    this.known.add(mark);
    if (this.known.size % progressStep === 0) this.progress.report(0, this.known.size);
    if (isDirectory) this.addContent(key.node, name, depth);
    this.keys.push(key);
  }

  private addContent(directory: NodeId, name: string, depth: number): void {
    if (depth > depthLimit) {
      throw new ImageError('corrupt', `Directories are nested more than ${depthLimit} deep.`);
    }
    const { number } = this.fileSystem.node(directory);
    // Slots of FAT that share a cluster are different nodes, but the same directory.
    const mark = number > 0 ? `number ${number}` : `node ${directory}`;
    if (this.entered.has(mark) || directory === this.fileSystem.root) {
      throw new ImageError(
        'corrupt',
        `Two ways lead to the directory ${labelName(name)}; the volume has to be repaired first.`,
      );
    }
    this.entered.add(mark);
    const table = this.fileSystem.entries(directory);
    for (let i = 0; i < table.length; i++) {
      const key = { directory, node: table.nodes[i], name: table.nameBytes(i) };
      const isDirectory = leadsToDirectory(this.fileSystem, table, i);
      this.add(key, isDirectory, table.name(i), depth + 1);
    }
  }
}
