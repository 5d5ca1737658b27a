/** What an image holds, remembered in short, so that it can be told what has changed since. */
import type { Progress } from '../filesystem/progress';
import type { VolumeSummary } from './answers';
import { attempt } from './entry-facts';
import type { ImageSession } from './image-session';
import { walk } from './walk';

const version = 1;
const entryLimit = 20_000; // in all volumes together; some 2 MB as text
const longestPath = 1024; // characters

export interface KeptEntry {
  readonly path: string;
  readonly type: string;
  readonly size: number;
  readonly modified: string | null;
  /** The inode number, or the first cluster on FAT. */
  readonly number: number;
}

type VolumeFact =
  | 'type'
  | 'offset'
  | 'length'
  | 'label'
  | 'uuid'
  | 'state'
  | 'freeBlocks'
  | 'blockSize'
  | 'unreadable';

export interface KeptVolume extends Pick<VolumeSummary, VolumeFact> {
  /** In the order of a walk. */
  readonly entries: readonly KeptEntry[];
  /** Set when there were more entries than are kept. */
  readonly isCut: boolean;
}

export interface Snapshot {
  readonly version: number;
  readonly size: number;
  readonly scheme: string;
  readonly volumes: readonly KeptVolume[];
}

/** What an image holds now: facts of its volumes, and a bounded part of their trees. */
export function takeSnapshot(session: ImageSession, progress: Progress): Snapshot {
  const { image, scheme, volumes } = session.summary();
  let left = entryLimit;
  const kept = volumes.map((volume) => {
    const entries = volume.unreadable === null ? entriesOf(session, volume, left, progress) : [];
    left -= entries.length;
    const { type, offset, length, label, uuid, state, freeBlocks, blockSize, unreadable } = volume;
    const facts = { type, offset, length, label, uuid, state, freeBlocks, blockSize, unreadable };
    return { ...facts, entries, isCut: left === 0 };
  });
  return { version, size: image.size, scheme, volumes: kept };
}

/** A snapshot from its JSON; undefined where the text holds none of this version. */
export function readSnapshot(text: string): Snapshot | undefined {
  try {
    const snapshot = JSON.parse(text) as Partial<Snapshot> | null;
    return snapshot?.version === version ? (snapshot as Snapshot) : undefined;
  } catch {
    return undefined;
  }
}

function entriesOf(
  session: ImageSession,
  { index }: VolumeSummary,
  limit: number,
  progress: Progress,
): KeptEntry[] {
  const entries: KeptEntry[] = [];
  const { fileSystem, bytes } = session.volume(index);
  const walked = walk(fileSystem, bytes.present, fileSystem.root, '/', () => undefined, {
    progress,
  });
  // What cannot be read is not told of: whoever looks at it sees why.
  attempt(() => {
    for (const { path, type, size, modified, number } of walked) {
      if (entries.length === limit) return;
      if (path.length <= longestPath) entries.push({ path, type, size, modified, number });
    }
  });
  return entries;
}
