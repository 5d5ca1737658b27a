/** Changes to the image: whether they can be made, and how they are asked for. */
import type {
  DescribedField,
  DescribedStructure,
  Edit,
  PlacedEntry,
  InspectorCommand,
  Operation,
  VolumeSummary,
} from '../../src/protocol/requests';
import { readSize } from '../../src/protocol/sizes';
import { isCancelled, messageOf } from './errors';
import type { Inspection } from './inspection';
import { showIn } from './reveal';
import { initialState, type PlannerKind } from './state';

/** Why the volume that is shown cannot be changed; null when it can. */
export function whyReadOnly({ volume }: Inspection): string | null {
  return volume?.whyReadOnly ?? null;
}

/** Why the chosen entry cannot be changed; null when it can, or where none is chosen. */
export function whyEntryFixed(inspection: Inspection): string | null {
  const chosen = inspection.place?.chosen;
  return chosen?.deleted ? `${chosen.name} is deleted.` : whyReadOnly(inspection);
}

/**
 * Why the volume that is shown cannot be planned for; null when it can. A trim takes only what is
 * free, which can be told also of a volume that cannot be changed otherwise.
 */
export function whyNotPlanned(inspection: Inspection, planner: PlannerKind): string | null {
  if (planner === 'trim') return inspection.image?.whyReadOnly ?? null;
  return whyEntryFixed(inspection);
}

/**
 * Why a byte of the image cannot be changed; null when it can. Outside of every volume the engine
 * alone knows, and refuses what is asked.
 */
export function whyFixed({ image }: Inspection, at: number): string | null {
  return image?.volumes.find((volume) => lies(volume, at))?.whyReadOnly ?? null;
}

function lies({ offset, length }: VolumeSummary, at: number): boolean {
  return at >= offset && at < offset + length;
}

/**
 * Changes the image, as one step of undo, and tells the person what they should know of it. The
 * views learn of the change as of any other.
 * @returns null where it was refused, or given up; the person knows why
 */
export async function change(inspection: Inspection, operation: Operation): Promise<Edit | null> {
  const edit = await inspection.tryTo(() => inspection.host.edit(operation));
  if (edit && edit.notes.length > 0) inspection.tell(edit.notes.join(' '));
  return edit;
}

/**
 * Changes a field of a structure.
 * @param value as a person writes it
 * @returns why it was refused; null where it was not, or where the person gave it up
 */
export async function changeField(
  { host }: Inspection,
  structure: DescribedStructure,
  field: DescribedField,
  value: string,
): Promise<string | null> {
  try {
    await host.edit({
      kind: 'field',
      structure: structure.offset,
      structureKind: structure.kind,
      field: field.name,
      value,
    });
    return null;
  } catch (error) {
    return isCancelled(error) ? null : messageOf(error);
  }
}

/** Runs a command of the extension on what is chosen. */
export function runCommand(inspection: Inspection, command: InspectorCommand): void {
  void inspection.tryTo(() => inspection.host.runCommand(command));
}

/**
 * Shows the planner.
 * @param entry the file that is to be planned for; null takes what is chosen
 */
export async function openPlanner(
  inspection: Inspection,
  planner: PlannerKind,
  entry: PlacedEntry | null = null,
): Promise<void> {
  if (entry) await showIn(inspection, 'space', entry);
  else if (inspection.state.view !== 'space') inspection.showView('space');
  setPlanner(inspection, planner);
}

/** Opens the planner, or with null closes it. */
export function setPlanner(inspection: Inspection, open: PlannerKind | null): void {
  const { planner } = inspection.state;
  const isTyped = open !== 'preallocate' || planner.length !== initialState.planner.length;
  const length = isTyped ? planner.length : lengthThatFits(inspection);
  inspection.update({ planner: { ...planner, open, length } });
}

/** The length that a plan begins with, or as much of it as there is room for. */
function lengthThatFits({ space, volume }: Inspection): string {
  const { length } = initialState.planner;
  const units = space?.state === 'counted' ? space.summary.free : volume?.freeBlocks;
  if (!volume?.unit || units === null || units === undefined) return length;
  let kibibytes = (readSize(length) ?? 0) / 1024;
  // All that is free can be too much: a plan may need room for what describes its extents.
  while (kibibytes > 1 && kibibytes * 1024 >= units * volume.unit.size) kibibytes /= 2;
  return kibibytes < 1024 ? `${kibibytes}K` : `${kibibytes / 1024}M`;
}
