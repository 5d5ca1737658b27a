/**
 * What the webview may ask of the extension host. It shows names and bytes of hostile images, so
 * it is not trusted: only the functions named here can be called, with arguments of the right kind.
 */
import {
  inspectorCommands,
  viewIds,
  type ByteRange,
  type EngineRequests,
  type EntryContext,
  type EntryPlace,
  type HostRequests,
  type InspectorCommand,
  type ListQuery,
  type NodeType,
  type Selection,
  type SortColumn,
  type ViewId,
} from '../../protocol/requests';
import { RemoteError, type Local } from '../../protocol/rpc';
import { hostEditGuards, planGuards } from './edit-guards';
import {
  atMost,
  isCount,
  isFlag,
  isKeyOf,
  isRecord,
  isText,
  mostBytes,
  mostRows,
  nullable,
  optional,
  type Guard,
  type Guards,
} from './guard';
import { layoutGuards } from './layout-guards';

/** More extents than a view can use at a time. */
const mostExtents = 100_000;

const isNodeType = isKeyOf<NodeType>({
  file: true,
  directory: true,
  symlink: true,
  chardev: true,
  blockdev: true,
  fifo: true,
  socket: true,
  unknown: true,
});
const isSortColumn = isKeyOf<SortColumn>({
  disk: true,
  name: true,
  size: true,
  modified: true,
  mode: true,
  number: true,
  fragments: true,
});

const isCommand: Guard<InspectorCommand> = (value): value is InspectorCommand =>
  inspectorCommands.some((command) => command === value);

const isQuery = isRecord<ListQuery>({
  volume: isCount,
  directory: isCount,
  deleted: isFlag,
  filter: isText,
  sort: isSortColumn,
  descending: isFlag,
  start: isCount,
  count: atMost(mostRows),
});

const isView: Guard<ViewId> = (value): value is ViewId => viewIds.some((view) => view === value);

const isEntryPlace = isRecord<EntryPlace>({
  volume: isCount,
  directory: isCount,
  directoryPath: isText,
  node: optional(isCount),
  path: optional(isText),
  type: optional(isNodeType),
  deleted: optional(isFlag),
});

const isSelection = isRecord<Selection>({
  view: isView,
  volume: nullable(isCount),
  entry: optional(isEntryPlace),
  record: optional(isCount),
  unit: optional(isCount),
  bytes: optional(isRecord<ByteRange>({ offset: isCount, length: isCount })),
});

/** Whether a command got its argument from the context menu of an entry. */
export const isEntryContext: Guard<EntryContext> = (value): value is EntryContext =>
  isEntryPlace(value) &&
  value.node !== undefined &&
  value.path !== undefined &&
  value.type !== undefined;

const engineGuards: Guards<EngineRequests> = {
  summary: [],
  list: [isQuery, isCount],
  locatePrefix: [isQuery, isText, isCount],
  locateNode: [isQuery, isCount],
  resolve: [isCount, isText],
  details: [isCount, isCount, atMost(mostExtents)],
  read: [isCount, isCount, isCount, atMost(mostBytes)],
  freeSpace: [isCount, isCount],
  problemTable: [isCount],
  ...planGuards,
  ...layoutGuards,
};

type OwnRequests = Omit<HostRequests, keyof EngineRequests>;
const ownGuards: Guards<OwnRequests> = {
  cancel: [isCount],
  openContent: [isCount, isCount, isText],
  runCommand: [isCommand],
  selectionChanged: [isSelection],
  runCheck: [isCount, isCount],
  lastCheck: [isCount, isCount],
  ...hostEditGuards,
};

/** The names of the requests that are passed on to the engine. */
export const engineRequestNames = Object.keys(engineGuards) as (keyof EngineRequests)[];

/**
 * The functions as the webview may call them.
 * @returns an object that holds nothing else; each rejects bad arguments with the code `refused`
 */
export function guardedRequests(functions: Local<HostRequests>): Local<HostRequests> {
  const guards: Record<string, readonly Guard<unknown>[]> = { ...engineGuards, ...ownGuards };
  const unguarded = functions as unknown as Record<string, (...args: unknown[]) => unknown>;
  const guarded = Object.entries(guards).map(([name, expected]) => [
    name,
    (...args: unknown[]) => {
      const fits = args.length === expected.length && expected.every((guard, i) => guard(args[i]));
      if (!fits) throw new RemoteError('refused', `"${name}" does not take such arguments.`);
      return unguarded[name](...args);
    },
  ]);
  return Object.fromEntries(guarded) as Local<HostRequests>;
}
