/** Where commands lead: "Go to…", and "Show in…" from one view to another. */
import type {
  ByteRange,
  CheckFinding,
  Destination,
  EntryPlace,
  ImagePlace,
  NodeId,
  PlacedEntry,
  ViewId,
} from '../../src/protocol/requests';
import { chooseFinding, chosenFinding } from '../checks/chosen-finding';
import type { Inspection } from './inspection';
import { placeAt, type Chosen } from './selection';

/** Shows what "Go to…" leads to. */
export async function reveal(
  inspection: Inspection,
  destination: Destination,
  view: ViewId,
): Promise<void> {
  switch (destination.kind) {
    case 'entry':
      return revealEntry(inspection, destination.entry, view);
    case 'node':
      return inspection.showNode(destination.node, view, destination.volume);
    case 'unit':
      return inspection.showUnit(destination.unit, view, destination.volume);
    case 'bytes':
      return inspection.showBytes(destination.bytes.offset, destination.bytes.length, view);
  }
}

/** Shows an entry in a view, or with null what is chosen in the view that is shown. */
export async function showIn(
  inspection: Inspection,
  view: ViewId,
  entry: PlacedEntry | null,
): Promise<void> {
  const { place, bytes, state } = inspection;
  if (entry && place) {
    const known = place.chosen?.node === entry.node ? place.chosen : chosenOf(entry);
    return inspection.showEntry(view, known);
  }
  const finding = state.view === 'checks' ? chosenFinding(inspection) : null;
  if (finding) return showFinding(inspection, finding, view);
  if (state.view === 'files' || !bytes) return inspection.showEntry(view);
  if (view === 'structures') return inspection.showBytes(bytes.offset, bytes.length);
  if (state.view === 'records' && view === 'files') return inspection.showEntry(view);
  await showWhatLiesAt(inspection, bytes, view);
}

async function revealEntry(inspection: Inspection, entry: EntryPlace, view: ViewId): Promise<void> {
  const { volume, directoryPath } = entry;
  const chosen = chosenOf(entry);
  const trail = await inspection.tryTo(() => inspection.host.resolve(volume, directoryPath));
  if (trail) inspection.go({ view, place: placeAt(volume, trail, chosen), bytes: null });
}

function chosenOf({ node, path, type = 'unknown', deleted }: EntryPlace): Chosen | null {
  if (node === undefined || path === undefined) return null;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { node, name, type, offset: null, ...(deleted && { deleted }) };
}

/** Shows a finding in the list of them, once the image and what is wrong with it are known. */
export async function revealFinding(
  inspection: Inspection,
  volume: number,
  index: number,
): Promise<void> {
  await inspection.opened;
  if (inspection.place?.volume !== volume) await inspection.openVolume(volume);
  await inspection.checks.ended(volume);
  if (inspection.state.view !== 'checks') inspection.showView('checks');
  chooseFinding(inspection, index);
}

/** Shows what a finding is about: its bytes, its file, its directory, or its block. */
export async function showFinding(
  inspection: Inspection,
  { offset, length, node, cluster }: CheckFinding,
  view: ViewId,
): Promise<void> {
  if (view === 'structures') return inspection.showBytes(offset, Math.max(1, length));
  if (view === 'files' && node !== undefined) return inspection.showNode(node);
  if (view === 'space' && cluster !== undefined) return inspection.showUnit(cluster);
  await showWhatLiesAt(inspection, { offset, length }, view);
}

/** Shows the unit, the record or the file at a place of the image. */
async function showWhatLiesAt(
  inspection: Inspection,
  bytes: ByteRange,
  view: ViewId,
): Promise<void> {
  const at = await inspection.tryTo(() => inspection.host.placeAt(bytes.offset));
  if (!at) return;
  if (view !== 'space') return showOwner(inspection, at, bytes, view);
  if (at.volume === null || at.unit === null) return tellNothing(inspection);
  await inspection.showUnit(at.unit, view, at.volume);
}

async function showOwner(
  inspection: Inspection,
  { volume, unit }: ImagePlace,
  bytes: ByteRange,
  view: ViewId,
): Promise<void> {
  if (volume === null) return tellNothing(inspection);
  const named = await nodeNamedAt(inspection, bytes.offset);
  if (named !== undefined && (view === 'files' || unit === null)) {
    return inspection.showNode(named, view, volume);
  }
  if (unit === null) return tellNothing(inspection);
  const owner = await inspection.tryTo(() => inspection.ownerOf(volume, unit));
  if (!owner) return;
  if (view === 'records' && owner.role === 'directory' && owner.node !== undefined) {
    return inspection.showRecords(owner.node, bytes.offset, volume);
  }
  const node = named ?? owner.node;
  if (node === undefined) return inspection.tell(`No entry owns it: ${owner.name}.`);
  await inspection.showNode(node, view, volume);
}

/** The node of the inode, record or slot that lies at a place. */
async function nodeNamedAt(inspection: Inspection, offset: number): Promise<NodeId | undefined> {
  const structures = await inspection.host.structuresAt(offset, 1).catch(() => []);
  return [...structures].reverse().find(({ node }) => node !== undefined)?.node;
}

function tellNothing(inspection: Inspection): void {
  inspection.tell('No file and no directory lies there.');
}
