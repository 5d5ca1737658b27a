import type { FileSystem } from '../filesystem/filesystem';
import type { Finding } from '../filesystem/finding';
import type { NodeId } from '../filesystem/node';
import { noProgress, type Progress } from '../filesystem/progress';
import type { EntryFacts } from './answers';
import { attempt, entryFacts } from './entry-facts';
import { Listing } from './listing';
import { joinPath } from './paths';

export interface WalkOptions {
  /** Also deleted names; what they led to is not walked. */
  readonly deleted?: boolean;
  /** False lists the directory alone; true unless given. */
  readonly recursive?: boolean;
  readonly progress?: Progress;
}

/** An entry met on a walk. */
export interface WalkedEntry extends EntryFacts {
  readonly path: string;
  /** 1 for what the first directory holds. */
  readonly depth: number;
}

/** Told of what is wrong with the directories that are walked. */
export type ReportProblem = (path: string, message: string) => void;

const depthLimit = 1000; // paths of real volumes end at 4096 bytes, some 2000 directories deep at most
const smallestRecord = 12; // bytes of a directory record of ext; slots of FAT have 32
const progressStep = 256;

interface Frame {
  readonly path: string;
  readonly listing: Listing;
  readonly order: Uint32Array;
  next: number;
}

/**
 * Everything below a directory, each directory before what it holds. Never walks a directory
 * twice, whatever loops the image has, and ends when there have been more entries than the image
 * has room for.
 */
export function* walk(
  fileSystem: FileSystem,
  present: number,
  directory: NodeId,
  path: string,
  report: ReportProblem,
  options: WalkOptions = {},
): Generator<WalkedEntry, void, void> {
  const { deleted = false, recursive = true, progress = noProgress } = options;
  const visited = new Set<string>();
  const frames: Frame[] = [];
  const entryLimit = Math.ceil(present / smallestRecord);
  let entries = 0;

  const enter = (id: NodeId, at: string) => {
    const opened = attempt(() => {
      const { number } = fileSystem.node(id);
      // Slots of FAT that share a cluster are different nodes, but the same directory.
      const key = number > 0 ? `number ${number}` : `node ${id}`;
      if (visited.has(key)) return 'The directory has been listed before; it is not entered again.';
      visited.add(key);
      return new Listing(fileSystem, fileSystem.entries(id, { deleted }));
    });
    if (typeof opened === 'string') {
      report(at, opened);
      return;
    }
    reportFindings(opened.table.problems, at, report);
    const order = opened.order({ filter: '', sort: 'name', descending: false });
    frames.push({ path: at, listing: opened, order, next: 0 });
  };

  enter(directory, path);
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    if (frame.next === frame.order.length) {
      frames.pop();
      continue;
    }
    if (entries === entryLimit) {
      report(
        frame.path,
        'There are more entries than the image has room for; the rest is left out.',
      );
      return;
    }
    if (entries % progressStep === 0) progress.report(entries, entryLimit);
    entries += 1;
    const { listing } = frame;
    const index = frame.order[frame.next++];
    const facts = entryFacts(fileSystem, listing.table, index, listing.names[index]);
    const entryPath = joinPath(frame.path, facts.name);
    yield { ...facts, path: entryPath, depth: frames.length };
    if (!recursive || facts.type !== 'directory') continue;
    if (facts.deleted || facts.problem !== undefined) continue;
    if (frames.length === depthLimit) {
      report(entryPath, `Directories are nested more than ${depthLimit} deep; it is not entered.`);
    } else {
      enter(facts.node, entryPath);
    }
  }
}

function reportFindings(findings: readonly Finding[], path: string, report: ReportProblem): void {
  for (const finding of findings) report(path, finding.message);
}
