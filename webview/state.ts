/** What the webview remembers while it is hidden and across a reload of the window. */
import type { NodeType, SortColumn } from '../src/protocol/requests';
import type { Chosen, History, Place, Step } from './selection';

export interface ViewState {
  /** The tab that is shown. */
  readonly view: string;
  readonly place: Place | null;
  readonly history: History;
  readonly sort: SortColumn;
  readonly descending: boolean;
  readonly filter: string;
  /** Whether deleted entries are listed. */
  readonly deleted: boolean;
  /** Width of the panel beside the table, in pixels. */
  readonly panelWidth: number;
}

export const panelWidths = { least: 180, most: 800 };

export const initialState: ViewState = {
  view: 'files',
  place: null,
  history: { back: [], forward: [] },
  sort: 'name',
  descending: false,
  filter: '',
  deleted: false,
  panelWidth: 280,
};

const sortColumns: readonly SortColumn[] = [
  'disk',
  'name',
  'size',
  'modified',
  'mode',
  'number',
  'fragments',
];

const nodeTypes: readonly NodeType[] = [
  'file',
  'directory',
  'symlink',
  'chardev',
  'blockdev',
  'fifo',
  'socket',
  'unknown',
];

/**
 * The state as it was saved. An older version of the extension may have saved it: what does not
 * fit is replaced by its initial value.
 */
export function readState(saved: unknown): ViewState {
  if (!isRecord(saved)) return initialState;
  const history = isRecord(saved.history) ? saved.history : {};
  return {
    view: typeof saved.view === 'string' ? saved.view : initialState.view,
    place: readPlace(saved.place),
    history: { back: readPlaces(history.back), forward: readPlaces(history.forward) },
    sort: sortColumns.find((column) => column === saved.sort) ?? initialState.sort,
    descending: saved.descending === true,
    filter: typeof saved.filter === 'string' ? saved.filter : '',
    deleted: saved.deleted === true,
    panelWidth: isNumber(saved.panelWidth)
      ? Math.min(Math.max(saved.panelWidth, panelWidths.least), panelWidths.most)
      : initialState.panelWidth,
  };
}

function readPlaces(saved: unknown): Place[] {
  if (!Array.isArray(saved)) return [];
  return saved.map(readPlace).filter((place) => place !== null);
}

function readPlace(saved: unknown): Place | null {
  if (!isRecord(saved) || !isNumber(saved.volume) || !Array.isArray(saved.trail)) return null;
  const trail = saved.trail.map(readStep);
  if (!trail.every((step) => step !== null)) return null;
  return {
    volume: saved.volume,
    trail,
    chosen: readChosen(saved.chosen),
    scroll: isNumber(saved.scroll) ? saved.scroll : null,
  };
}

function readStep(saved: unknown): Step | null {
  if (!isRecord(saved) || typeof saved.name !== 'string' || !isNumber(saved.node)) return null;
  return { name: saved.name, node: saved.node };
}

function readChosen(saved: unknown): Chosen | null {
  const step = readStep(saved);
  if (!step || !isRecord(saved)) return null;
  const type = nodeTypes.find((known) => known === saved.type);
  if (!type) return null;
  return { ...step, type, offset: isNumber(saved.offset) ? saved.offset : null };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
