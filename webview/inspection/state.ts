/** What the webview remembers while it is hidden and across a reload of the window. */
import {
  viewIds,
  type AllocationPolicy,
  type ByteRange,
  type NodeId,
  type NodeType,
  type Severity,
  type SortColumn,
} from '../../src/protocol/requests';
import { patternKinds, type PatternKind } from '../structures/byte-pattern';
import { policies } from '../words/policy-words';
import { checkOrders, readSeverities, type RowQuery } from '../checks/check-rows';
import { stateFilters, type RecordFilter, type RecordOrder } from '../records/record-list';
import type { Chosen, History, Place, Step, Stop } from './selection';

/** What is looked for in the bytes of the image. */
export interface SearchState {
  readonly typed: string;
  readonly kind: PatternKind;
  readonly matchCase: boolean;
}

/** The first line in sight of the strips of a directory: its first byte, or null for a head. */
export interface StripSight {
  readonly directory: NodeId;
  readonly block: number;
  readonly byte: number | null;
  /** Where the record lies in the image that was chosen then. */
  readonly chosen: number | null;
}

/** How the records of a directory are shown. */
export interface RecordsState extends RecordOrder {
  readonly states: RecordFilter['state'];
  /** Bytes in a line of a strip; null lets its width decide. */
  readonly line: number | null;
  readonly sight: StripSight | null;
  /** Height of the strips, in pixels; null lets what they show decide. */
  readonly height: number | null;
}

/** The finding that is chosen: known again, where a later check still finds it, by what it is. */
export interface ChosenFinding {
  readonly index: number;
  readonly key: string;
}

/** How findings are shown. */
export interface ChecksState extends RowQuery {
  /** A finding, or the head of a severity. */
  readonly chosen: ChosenFinding | Severity | null;
}

/** What of a volume the map shows, in units. */
export interface MapState {
  readonly volume: number;
  readonly first: number;
  readonly units: number;
}

/** What the planner of the space view is open for. */
const planners = ['preallocate', 'trim'] as const;
export type PlannerKind = (typeof planners)[number];

/** What is planned; sizes and places as they were typed. */
export interface PlannerState {
  /** Null where the planner is closed. */
  readonly open: PlannerKind | null;
  readonly length: string;
  readonly offset: string;
  readonly keepSize: boolean;
  readonly zero: boolean;
  readonly policy: AllocationPolicy;
  /** Of a trim: shorter free extents are left alone. */
  readonly minimum: string;
}

export interface ViewState extends Stop {
  readonly history: History;
  readonly sort: SortColumn;
  readonly descending: boolean;
  readonly filter: string;
  /** Whether deleted entries are listed. */
  readonly deleted: boolean;
  /** Width of the panel beside the table, in pixels. */
  readonly panelWidth: number;
  readonly records: RecordsState;
  /** Width of the tree of structures, in pixels. */
  readonly treeWidth: number;
  /** The items of the tree of structures that are unfolded, by their ids. */
  readonly unfolded: readonly string[];
  readonly search: SearchState;
  /** Null where the map shows the whole volume. */
  readonly map: MapState | null;
  readonly planner: PlannerState;
  readonly checks: ChecksState;
}

export const panelWidths = { least: 180, most: 800 };
export const stripHeights = { least: 82, most: 4000 };
export const treeWidths = { least: 140, most: 600 };
/** Unfolded items that are remembered. */
const mostUnfolded = 500;

export const initialState: ViewState = {
  view: 'files',
  place: null,
  bytes: null,
  history: { back: [], forward: [] },
  sort: 'name',
  descending: false,
  filter: '',
  deleted: false,
  panelWidth: 280,
  records: {
    sort: 'disk',
    descending: false,
    states: 'all',
    line: null,
    sight: null,
    height: null,
  },
  treeWidth: 240,
  unfolded: [],
  search: { typed: '', kind: 'text', matchCase: false },
  map: null,
  planner: {
    open: null,
    length: '16M',
    offset: '0',
    keepSize: false,
    zero: false,
    policy: 'contiguous',
    minimum: '4K',
  },
  checks: {
    filter: '',
    hidden: [],
    sort: 'found',
    descending: false,
    folded: [],
    chosen: null,
  },
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
    ...readStop(saved),
    history: { back: readStops(history.back), forward: readStops(history.forward) },
    sort: sortColumns.find((column) => column === saved.sort) ?? initialState.sort,
    descending: saved.descending === true,
    filter: typeof saved.filter === 'string' ? saved.filter : '',
    deleted: saved.deleted === true,
    panelWidth: readWidth(saved.panelWidth, panelWidths) ?? initialState.panelWidth,
    records: readRecords(saved.records),
    treeWidth: readWidth(saved.treeWidth, treeWidths) ?? initialState.treeWidth,
    unfolded: readUnfolded(saved.unfolded),
    search: readSearch(saved.search),
    map: readMap(saved.map),
    planner: readPlanner(saved.planner),
    checks: readChecks(saved.checks),
  };
}

function readWidth(saved: unknown, widths: { least: number; most: number }): number | null {
  return isNumber(saved) ? Math.min(Math.max(saved, widths.least), widths.most) : null;
}

function readChecks(saved: unknown): ChecksState {
  const { checks } = initialState;
  if (!isRecord(saved)) return checks;
  return {
    filter: typeof saved.filter === 'string' ? saved.filter : checks.filter,
    hidden: readSeverities(saved.hidden),
    sort: checkOrders.find((order) => order === saved.sort) ?? checks.sort,
    descending: saved.descending === true,
    folded: readUnfolded(saved.folded),
    chosen: readSeverities([saved.chosen]).at(0) ?? readFinding(saved.chosen),
  };
}

function readFinding(saved: unknown): ChosenFinding | null {
  if (!isRecord(saved) || !isCount(saved.index) || typeof saved.key !== 'string') return null;
  return { index: saved.index, key: saved.key };
}

function readUnfolded(saved: unknown): readonly string[] {
  if (!Array.isArray(saved)) return [];
  return saved.filter((id) => typeof id === 'string').slice(0, mostUnfolded);
}

function readSearch(saved: unknown): SearchState {
  const { search } = initialState;
  if (!isRecord(saved)) return search;
  return {
    typed: typeof saved.typed === 'string' ? saved.typed : search.typed,
    kind: patternKinds.find((kind) => kind === saved.kind) ?? search.kind,
    matchCase: saved.matchCase === true,
  };
}

function readMap(saved: unknown): MapState | null {
  if (!isRecord(saved) || !isCount(saved.volume)) return null;
  if (!isCount(saved.first) || !isCount(saved.units) || saved.units === 0) return null;
  return { volume: saved.volume, first: saved.first, units: saved.units };
}

function readPlanner(saved: unknown): PlannerState {
  const { planner } = initialState;
  if (!isRecord(saved)) return planner;
  const text = (value: unknown, otherwise: string) =>
    typeof value === 'string' ? value : otherwise;
  return {
    open: planners.find((kind) => kind === saved.open) ?? null,
    length: text(saved.length, planner.length),
    offset: text(saved.offset, planner.offset),
    keepSize: saved.keepSize === true,
    zero: saved.zero === true,
    policy: policies.find((policy) => policy === saved.policy) ?? planner.policy,
    minimum: text(saved.minimum, planner.minimum),
  };
}

function readRecords(saved: unknown): RecordsState {
  const { records } = initialState;
  if (!isRecord(saved)) return records;
  return {
    sort: typeof saved.sort === 'string' ? saved.sort : records.sort,
    descending: saved.descending === true,
    states: stateFilters.find((states) => states === saved.states) ?? records.states,
    line: isCount(saved.line) ? saved.line : null,
    sight: readSight(saved.sight),
    height: isCount(saved.height) ? saved.height : null,
  };
}

function readSight(saved: unknown): StripSight | null {
  if (!isRecord(saved) || !isNumber(saved.directory) || !isCount(saved.block)) return null;
  const { directory, block, byte, chosen } = saved;
  return {
    directory,
    block,
    byte: isCount(byte) ? byte : null,
    chosen: isCount(chosen) ? chosen : null,
  };
}

function readStops(saved: unknown): Stop[] {
  if (!Array.isArray(saved)) return [];
  return saved.filter(isRecord).map(readStop);
}

function readStop(saved: Record<string, unknown>): Stop {
  return {
    view: viewIds.find((view) => view === saved.view) ?? initialState.view,
    place: readPlace(saved.place),
    bytes: readBytes(saved.bytes),
  };
}

function readBytes(saved: unknown): ByteRange | null {
  if (!isRecord(saved) || !isCount(saved.offset) || !isCount(saved.length)) return null;
  return { offset: saved.offset, length: saved.length };
}

function readPlace(saved: unknown): Place | null {
  if (!isRecord(saved) || !isNumber(saved.volume) || !Array.isArray(saved.trail)) return null;
  const trail = saved.trail.map(readStep);
  if (!trail.every((step) => step !== null)) return null;
  return {
    volume: saved.volume,
    trail,
    chosen: readChosen(saved.chosen),
    record: isCount(saved.record) ? saved.record : null,
    unit: isCount(saved.unit) ? saved.unit : null,
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
  const offset = isNumber(saved.offset) ? saved.offset : null;
  return { ...step, type, offset, ...(saved.deleted === true && { deleted: true }) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
