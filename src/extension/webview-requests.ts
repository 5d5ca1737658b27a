/**
 * What the webview may ask of the extension host. It shows names and bytes of hostile images, so
 * it is not trusted: only the functions named here can be called, with arguments of the right kind.
 */
import {
  inspectorCommands,
  type EngineRequests,
  type EntryContext,
  type HostRequests,
  type InspectorCommand,
  type ListQuery,
  type NodeType,
  type Selection,
  type SortColumn,
} from '../protocol/requests';
import { RemoteError, type Local } from '../protocol/rpc';

type Guard<Value> = (value: unknown) => value is Value;
type GuardsOf<Args extends unknown[]> = { readonly [Index in keyof Args]: Guard<Args[Index]> };
type Guards<Functions> = {
  readonly [Name in keyof Functions]: Functions[Name] extends (...args: infer Args) => unknown
    ? GuardsOf<Args>
    : never;
};

/** 4096 bytes is the longest path that hosts take, 255 the longest name; both grow as UTF-8. */
const longestText = 16 * 1024;
/** More rows, extents or bytes than a view can use at a time. */
const mostRows = 10_000;
const mostExtents = 100_000;
const mostBytes = 16 * 1024 * 1024;

// Records, so that the compiler sees to it that none is missing.
const nodeTypes: Record<NodeType, true> = {
  file: true,
  directory: true,
  symlink: true,
  chardev: true,
  blockdev: true,
  fifo: true,
  socket: true,
  unknown: true,
};
const sortColumns: Record<SortColumn, true> = {
  disk: true,
  name: true,
  size: true,
  modified: true,
  mode: true,
  number: true,
  fragments: true,
};

const isCount: Guard<number> = (value): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

const atMost =
  (limit: number): Guard<number> =>
  (value): value is number =>
    isCount(value) && value <= limit;

const isFlag: Guard<boolean> = (value): value is boolean => typeof value === 'boolean';

/** Of bounded length, and able to stand in a URI: without half a surrogate pair. */
const isText: Guard<string> = (value): value is string =>
  typeof value === 'string' && value.length <= longestText && !/\p{Surrogate}/u.test(value);

const isNodeType: Guard<NodeType> = (value): value is NodeType =>
  typeof value === 'string' && Object.hasOwn(nodeTypes, value);

const isSortColumn: Guard<SortColumn> = (value): value is SortColumn =>
  typeof value === 'string' && Object.hasOwn(sortColumns, value);

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

const isSelection: Guard<Selection> = isRecord<Selection>({
  volume: isCount,
  directory: isCount,
  directoryPath: isText,
  node: optional(isCount),
  path: optional(isText),
  type: optional(isNodeType),
});

/** Whether a command got its argument from the context menu of an entry. */
export const isEntryContext: Guard<EntryContext> = (value): value is EntryContext =>
  isSelection(value) &&
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
};

type OwnRequests = Omit<HostRequests, keyof EngineRequests>;
const ownGuards: Guards<OwnRequests> = {
  cancel: [isCount],
  openContent: [isCount, isCount, isText],
  runCommand: [isCommand],
  selectionChanged: [isSelection],
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

function isRecord<Value>(guards: {
  readonly [Key in keyof Value]-?: Guard<Value[Key]>;
}): Guard<Value> {
  const entries = Object.entries<Guard<unknown>>(guards);
  return (value): value is Value => {
    if (typeof value !== 'object' || value === null) return false;
    const record = value as Record<string, unknown>;
    return entries.every(([key, guard]) => guard(record[key]));
  };
}

function optional<Value>(guard: Guard<Value>): Guard<Value | undefined> {
  return (value): value is Value | undefined => value === undefined || guard(value);
}
