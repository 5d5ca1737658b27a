import type { NodeId, NodeType, Selection } from '../src/protocol/requests';

/** One directory on the way from the root, which has the empty name. */
export interface Step {
  readonly name: string;
  readonly node: NodeId;
}

/** The entry that is chosen. Hard links share a node; the place of the record tells them apart. */
export interface Chosen {
  readonly node: NodeId;
  readonly name: string;
  readonly type: NodeType;
  /** Where its record lies in the image, in bytes; null while that is not known. */
  readonly offset: number | null;
}

/** A directory, what is chosen in it, and how far it is scrolled. */
export interface Place {
  readonly volume: number;
  /** From the root to the directory; empty for a volume that cannot be opened. */
  readonly trail: readonly Step[];
  readonly chosen: Chosen | null;
  /** The first row in sight, which may be cut; null lets the chosen entry decide. */
  readonly scroll: number | null;
}

/** The absolute path of a trail. */
export function pathOf(trail: readonly Step[]): string {
  return `/${trail
    .slice(1)
    .map((step) => step.name)
    .join('/')}`;
}

/** The absolute path of an entry in the directory that a trail ends at. */
export function pathIn(trail: readonly Step[], name: string): string {
  const directory = pathOf(trail);
  return directory === '/' ? `/${name}` : `${directory}/${name}`;
}

/** What the extension host is told; null where there is no directory. */
export function selectionOf({ volume, trail, chosen }: Place): Selection | null {
  const directory = trail.at(-1);
  if (!directory) return null;
  const selection = { volume, directory: directory.node, directoryPath: pathOf(trail) };
  return chosen
    ? {
        ...selection,
        node: chosen.node,
        path: pathIn(trail, chosen.name),
        type: chosen.type,
      }
    : selection;
}

export function sameDirectory(a: Place, b: Place): boolean {
  return a.volume === b.volume && a.trail.at(-1)?.node === b.trail.at(-1)?.node;
}

/** Places one was at before, and places one came back from; the last of each is the nearest. */
export interface History {
  readonly back: readonly Place[];
  readonly forward: readonly Place[];
}

/** Places remembered in each direction. */
const remembered = 50;

/** The history after leaving a place for a new one. */
export function leave(history: History, place: Place): History {
  return { back: [...history.back, place].slice(-remembered), forward: [] };
}

/** One step back: where that leads, and the history there; null at the beginning. */
export function stepBack(history: History, from: Place): [Place, History] | null {
  const to = history.back.at(-1);
  if (!to) return null;
  return [to, { back: history.back.slice(0, -1), forward: [...history.forward, from] }];
}

/** One step forward; null at the end. */
export function stepForward(history: History, from: Place): [Place, History] | null {
  const to = history.forward.at(-1);
  if (!to) return null;
  return [to, { back: [...history.back, from], forward: history.forward.slice(0, -1) }];
}
