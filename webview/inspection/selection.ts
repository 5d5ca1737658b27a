import type {
  ByteRange,
  NodeId,
  NodeType,
  Selection,
  VolumeSummary,
  ViewId,
} from '../../src/protocol/requests';

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
  /** Whether it is deleted; absent where it is not, or where nobody has looked. */
  readonly deleted?: boolean;
}

/** A directory, what is chosen in it and in its volume, and how far it is scrolled. */
export interface Place {
  readonly volume: number;
  /** From the root to the directory; empty for a volume that cannot be opened. */
  readonly trail: readonly Step[];
  readonly chosen: Chosen | null;
  /** The chosen directory record or slot: where it lies in the image, in bytes. */
  readonly record: number | null;
  /** The chosen block or cluster of the volume. */
  readonly unit: number | null;
  /** The first row in sight, which may be cut; null lets the chosen entry decide. */
  readonly scroll: number | null;
}

/** A place with nothing chosen in it. */
export function placeAt(
  volume: number,
  trail: readonly Step[],
  chosen: Chosen | null = null,
): Place {
  return { volume, trail, chosen, record: chosen?.offset ?? null, unit: null, scroll: null };
}

/**
 * The one selection, and the view that it is looked at in. What is chosen last decides: an entry
 * has no bytes or unit of its own beside it, bytes and a unit stand beside the entry that was
 * chosen before.
 */
export interface Stop {
  readonly view: ViewId;
  /** Null in an image without volumes. */
  readonly place: Place | null;
  /** Bytes of the image; null where the structure of the chosen entry is meant. */
  readonly bytes: ByteRange | null;
}

/** Whether going from one stop to the other is no step that one would want to go back. */
export function isSameStop(a: Stop, b: Stop): boolean {
  const sameBytes = a.bytes?.offset === b.bytes?.offset && a.bytes?.length === b.bytes?.length;
  if (a.view !== b.view || !sameBytes) return false;
  if (!a.place || !b.place) return a.place === b.place;
  return (
    sameDirectory(a.place, b.place) &&
    a.place.unit === b.place.unit &&
    (a.view !== 'records' || a.place.record === b.place.record)
  );
}

/** The bytes of a unit; null where the volume has no such unit. */
export function unitBytes(volume: VolumeSummary | null, unit: number): ByteRange | null {
  const units = volume?.unit;
  if (!units || unit < units.first || unit >= units.first + units.count) return null;
  return { offset: units.offset + (unit - units.first) * units.size, length: units.size };
}

/** The unit that holds a byte of the image; null outside of the volume's units. */
export function unitAt(volume: VolumeSummary | null, offset: number): number | null {
  const units = volume?.unit;
  if (!units) return null;
  const index = Math.floor((offset - units.offset) / units.size);
  return index >= 0 && index < units.count ? units.first + index : null;
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

/** What the extension host is told. */
export function selectionOf({ view, place, bytes }: Stop): Selection {
  const { volume = null, record = null, unit = null } = place ?? {};
  return {
    view,
    volume,
    ...entryOf(place),
    ...(record !== null && { record }),
    ...(unit !== null && { unit }),
    ...(bytes && { bytes }),
  };
}

function entryOf(place: Place | null): Pick<Selection, 'entry'> {
  const directory = place?.trail.at(-1);
  if (!place || !directory) return {};
  const { volume, trail, chosen } = place;
  const entry = { volume, directory: directory.node, directoryPath: pathOf(trail) };
  if (!chosen) return { entry };
  const { node, name, type, deleted } = chosen;
  const path = pathIn(trail, name);
  return { entry: { ...entry, node, path, type, ...(deleted && { deleted }) } };
}

export function sameDirectory(a: Place, b: Place): boolean {
  return a.volume === b.volume && a.trail.at(-1)?.node === b.trail.at(-1)?.node;
}

/** Where one was before, and where one came back from; the last of each is the nearest. */
export interface History {
  readonly back: readonly Stop[];
  readonly forward: readonly Stop[];
}

/** Stops remembered in each direction. */
const remembered = 50;

/** The history after leaving a stop for a new one. */
export function leave(history: History, from: Stop): History {
  return { back: [...history.back, from].slice(-remembered), forward: [] };
}

/** One step back: where that leads, and the history there; null at the beginning. */
export function stepBack(history: History, from: Stop): [Stop, History] | null {
  const to = history.back.at(-1);
  if (!to) return null;
  return [to, { back: history.back.slice(0, -1), forward: [...history.forward, from] }];
}

/** One step forward; null at the end. */
export function stepForward(history: History, from: Stop): [Stop, History] | null {
  const to = history.forward.at(-1);
  if (!to) return null;
  return [to, { back: [...history.back, from], forward: history.forward.slice(0, -1) }];
}
