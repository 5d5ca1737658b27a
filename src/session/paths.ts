import type { FileSystem } from '../filesystem/filesystem';
import { ImageError } from '../image/errors';
import type { PathStep } from './answers';
import { readTarget } from './entry-facts';
import type { Listing } from './listing';
import type { NodeId } from '../filesystem/node';

const linkLimit = 40; // as Linux (MAXSYMLINKS)

/** Looks an entry of a directory up; undefined where there is none. */
export type Lookup = (directory: NodeId, name: string) => PathStep | undefined;

/** The components of an absolute path, with `.` and `..` taken out of the text. */
export function splitPath(path: string): string[] {
  if (!path.startsWith('/')) {
    throw new ImageError('usage', `Paths inside an image start with a slash: ${path}`);
  }
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return names;
}

export const joinPath = (directory: string, name: string) =>
  directory === '/' ? `/${name}` : `${directory}/${name}`;

/** The path that steps spell. */
export const pathOf = (steps: readonly PathStep[]) =>
  `/${steps
    .slice(1)
    .map((step) => step.name)
    .join('/')}`;

/**
 * Walks from the root to the path's end. Symlinks on the way are followed, so the steps can spell
 * another path than the one that was asked for.
 * @param followLast whether a symlink at the end is followed too
 * @throws ImageError `not-found`, `not-a-directory`; `usage` for a path that is not absolute
 */
export function resolvePath(
  fileSystem: FileSystem,
  lookup: Lookup,
  path: string,
  followLast = false,
): PathStep[] {
  const root: PathStep = { name: '', node: fileSystem.root, type: 'directory' };
  const steps = [root];
  const pending = splitPath(path).reverse();
  let links = 0;
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      if (steps.length > 1) steps.pop();
      continue;
    }
    const directory = steps[steps.length - 1];
    if (directory.type !== 'directory') {
      throw new ImageError('not-a-directory', `${pathOf(steps)} is not a directory.`);
    }
    const step = lookup(directory.node, name);
    if (!step) throw new ImageError('not-found', `There is no ${joinPath(pathOf(steps), name)}.`);
    if (step.type !== 'symlink' || (pending.length === 0 && !followLast)) {
      steps.push(step);
      continue;
    }
    if (++links > linkLimit) {
      throw new ImageError('not-found', `${path} passes through more than ${linkLimit} symlinks.`);
    }
    const target = readTarget(fileSystem, step.node);
    if (target === '') throw new ImageError('corrupt', `The symlink ${step.name} is empty.`);
    if (target.startsWith('/')) steps.splice(1);
    pending.push(...target.split('/').reverse());
  }
  return steps;
}

/** As `Lookup`, on a listing of the directory. */
export function lookupIn(
  fileSystem: FileSystem,
  listing: Listing,
  name: string,
): PathStep | undefined {
  const index = listing.find(name);
  if (index === undefined) return undefined;
  const node = fileSystem.node(listing.table.nodes[index]);
  return { name: listing.names[index], node: node.id, type: node.type };
}
