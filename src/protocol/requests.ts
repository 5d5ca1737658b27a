/**
 * What crosses the wire: webview ↔ extension host ↔ engine worker. A request that fails rejects
 * with a `RemoteError` (rpc.ts).
 */
import type { NodeId } from '../filesystem/node';
import type {
  ExportReport,
  FreeSpaceSummary,
  ImageSummary,
  ListPage,
  ListQuery,
  NodeDetails,
  PathStep,
} from '../session/answers';
import {
  editCommands,
  longEditRequests,
  type EditEvents,
  type HostEditRequests,
  type PlanRequests,
  type TrustedEditRequests,
} from './edit-requests';
import type { EntryPlace, PlacedEntry } from './entry-place';
import {
  checkCommands,
  longCheckRequests,
  type CheckEvents,
  type CheckRequests,
  type HostCheckRequests,
  type TrustedCheckRequests,
} from './check-requests';
import { longLayoutRequests, type LayoutRequests } from './layout-requests';
import type { TaskId } from './task';

/** The words of the answers, for the webview, which knows nothing of the engine but this page. */
export type { Extent } from '../filesystem/extents';
export type { Finding, Severity } from '../filesystem/finding';
export type { NodeId, NodeType } from '../filesystem/node';
export type * from '../session/answers';
export type * from './check-requests';
export type * from './edit-requests';
export type * from './entry-place';
export type * from './layout-requests';
export type { TaskId } from './task';

/** Questions to the engine. The worker answers them; the host passes the webview's on. */
export interface EngineRequests extends LayoutRequests, PlanRequests, CheckRequests {
  summary(): ImageSummary;
  list(query: ListQuery, task: TaskId): ListPage;
  /**
   * The row at which a name that starts with `prefix` stands (without regard to case), searched
   * from row `from` on and around the end; -1 where there is none.
   */
  locatePrefix(query: ListQuery, prefix: string, from: number): number;
  /** The row at which a node stands; -1 where the filter hides it. */
  locateNode(query: ListQuery, node: NodeId): number;
  /** The nodes from the root to the path's end. */
  resolve(volume: number, path: string): PathStep[];
  details(volume: number, node: NodeId, extentLimit: number): NodeDetails;
  /** Content of a file from byte `offset` on; shorter than `length` at its end. */
  read(volume: number, node: NodeId, offset: number, length: number): Uint8Array;
  freeSpace(volume: number, task: TaskId): FreeSpaceSummary;
}

/** Questions that only the extension host may put to the engine: they write to the host's files. */
export interface TrustedEngineRequests
  extends EngineRequests, TrustedEditRequests, TrustedCheckRequests {
  /** Where in a folder of the host an entry is written to: its name may not be safe there. */
  exportTarget(folder: string, name: string): string;
  /**
   * Writes the node, and what is below it, to the host as `target`; never outside of it. Files
   * that are there already are replaced.
   */
  exportNode(volume: number, node: NodeId, target: string, task: TaskId): ExportReport;
}

/** The requests that run long enough to be watched and cancelled; their last argument is a task. */
export const longRequests = [
  'list',
  'freeSpace',
  'exportNode',
  ...longLayoutRequests,
  ...longCheckRequests,
  ...longEditRequests,
] as const satisfies readonly (keyof TrustedEngineRequests)[];

/** A request's arguments but for its task. */
export type RequestArguments<Name extends keyof TrustedEngineRequests> =
  Name extends (typeof longRequests)[number]
    ? Parameters<TrustedEngineRequests[Name]> extends [...infer Rest, TaskId]
      ? Rest
      : never
    : Parameters<TrustedEngineRequests[Name]>;

/** What the engine tells of a request that runs. */
export interface EngineEvents {
  progress(task: TaskId, done: number, total: number): void;
}

/** The views of an image, in the order of their tabs. */
export const viewIds = ['files', 'records', 'space', 'structures', 'checks'] as const;
export type ViewId = (typeof viewIds)[number];

/** Bytes of the image. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** What is chosen; the same in all views. */
export interface Selection {
  /** The view that is shown. */
  readonly view: ViewId;
  /** The volume that is shown; null in an image that has none. */
  readonly volume: number | null;
  /** Absent where the volume cannot be opened. */
  readonly entry?: EntryPlace;
  /** The chosen directory record or slot: where it lies in the image, in bytes. */
  readonly record?: number;
  /** The chosen block or cluster. */
  readonly unit?: number;
  readonly bytes?: ByteRange;
}

/** What "Go to…" leads to. */
export type Destination =
  | { readonly kind: 'entry'; readonly entry: EntryPlace }
  | { readonly kind: 'node'; readonly volume: number; readonly node: NodeId }
  | { readonly kind: 'unit'; readonly volume: number; readonly unit: number }
  | { readonly kind: 'bytes'; readonly bytes: ByteRange };

/** The commands that work on what is chosen: menus of the webview and the palette share them. */
export const inspectorCommands = [
  'fsimg.openContent',
  'fsimg.goTo',
  'fsimg.showInFiles',
  'fsimg.showInRecords',
  'fsimg.showInSpace',
  'fsimg.showInStructures',
  'fsimg.export',
  'fsimg.copyPath',
  'fsimg.copyNumber',
  'fsimg.copyJson',
  'fsimg.toggleReplay',
  'fsimg.reload',
  ...checkCommands,
  ...editCommands,
] as const;
export type InspectorCommand = (typeof inspectorCommands)[number];

/**
 * What an element carries in `data-vscode-context`, as JSON: it chooses the context menu, and the
 * commands in that work on it. The body has the section `inspector`; a row adds an entry's.
 */
export interface EntryContext extends PlacedEntry {
  readonly webviewSection: 'entry';
  readonly preventDefaultContextMenuItems: true;
}

/** What the webview asks of the extension host, beside the engine's questions. */
export interface HostRequests extends EngineRequests, HostEditRequests, HostCheckRequests {
  cancel(task: TaskId): void;
  /** Opens a file's content in an ordinary editor. */
  openContent(volume: number, node: NodeId, path: string): void;
  /** Runs one of the extension's own commands on the current selection. */
  runCommand(command: InspectorCommand): void;
  /** Tells every change of what is chosen, and what is chosen at first. */
  selectionChanged(selection: Selection): void;
}

/** What the extension host tells the webview. */
export interface WebviewEvents extends EngineEvents, EditEvents, CheckEvents {
  /** Chooses what is asked for, and shows it in a view. */
  reveal(destination: Destination, view: ViewId): void;
  /** Shows an entry in a view, or with null what is chosen in the view that is shown. */
  showIn(view: ViewId, entry: PlacedEntry | null): void;
  /** Everything asked before may be out of date; ask again. */
  imageChanged(): void;
  /** The file of the image is no longer there; `imageChanged` follows when it is back. */
  imageGone(): void;
  /** The engine ended, and a new one runs (or, with a message, none can). */
  engineRestarted(failure: string | null): void;
}
