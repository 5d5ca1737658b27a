/** What the arguments of requests for changes have to be. */
import type {
  AttributeChanges,
  EntryRef,
  HostEditRequests,
  Operation,
  PlanRequests,
} from '../../protocol/requests';
import {
  atMost,
  isCount,
  isFlag,
  isKeyOf,
  isRecord,
  isText,
  mostBytes,
  optional,
  type Guard,
  type Guards,
} from './guard';

/** What a person can choose at a time, and drop at a time. */
const mostEntries = 10_000;
const mostDropped = 4096;
const mostAttributes = 64;
/** A file that only the browser has, which sends it in one piece. */
const mostImported = 64 * 1024 * 1024;

type OperationOf<Kind extends Operation['kind']> = Extract<Operation, { kind: Kind }>;
type Request = OperationOf<'preallocate'>['request'];

const listOf =
  <Value>(guard: Guard<Value>, limit: number): Guard<readonly Value[]> =>
  (value): value is readonly Value[] =>
    Array.isArray(value) && value.length <= limit && value.every(guard);

const bytesUpTo =
  (limit: number): Guard<Uint8Array> =>
  (value): value is Uint8Array =>
    value instanceof Uint8Array && value.length <= limit;

/** As ISO 8601 has it, so that it means the same wherever it is read. */
const isTime: Guard<string> = (value): value is string =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/.test(value) &&
  !Number.isNaN(Date.parse(value));

const isEntryRef = isRecord<EntryRef>({ directory: isCount, node: isCount, name: isText });

const attributeNames = listOf(isText, mostAttributes);
const isAttributeChanges = isRecord<AttributeChanges>({
  mode: optional(atMost(0o7777)),
  uid: optional(atMost(0xffff_ffff)),
  gid: optional(atMost(0xffff_ffff)),
  modified: optional(isTime),
  accessed: optional(isTime),
  created: optional(isTime),
  set: optional(attributeNames),
  clear: optional(attributeNames),
});

const isRequest = isRecord<Request>({
  offset: isCount,
  length: isCount,
  keepSize: isFlag,
  zero: isFlag,
});

/** The kind has been looked at when one of these is asked for the rest. */
type Rest<Kind extends Operation['kind']> = Omit<OperationOf<Kind>, 'kind'>;
const operations: { readonly [Kind in Operation['kind']]: Guard<Rest<Kind>> } = {
  preallocate: isRecord<Rest<'preallocate'>>({
    volume: isCount,
    node: isCount,
    request: isRequest,
    policy: isKeyOf({ contiguous: true, 'first-fit': true, 'next-fit': true }),
  }),
  trim: isRecord<Rest<'trim'>>({ volume: isCount, minimum: isCount }),
  create: isRecord<Rest<'create'>>({
    volume: isCount,
    type: isKeyOf({ file: true, directory: true }),
    directory: isCount,
    name: isText,
  }),
  symlink: isRecord<Rest<'symlink'>>({
    volume: isCount,
    directory: isCount,
    name: isText,
    target: isText,
  }),
  link: isRecord<Rest<'link'>>({
    volume: isCount,
    directory: isCount,
    name: isText,
    node: isCount,
  }),
  remove: isRecord<Rest<'remove'>>({ volume: isCount, entries: listOf(isEntryRef, mostEntries) }),
  move: isRecord<Rest<'move'>>({
    volume: isCount,
    entry: isEntryRef,
    directory: isCount,
    name: isText,
    replace: isFlag,
  }),
  truncate: isRecord<Rest<'truncate'>>({ volume: isCount, node: isCount, size: isCount }),
  content: isRecord<Rest<'content'>>({
    volume: isCount,
    node: isCount,
    bytes: bytesUpTo(mostBytes),
  }),
  attributes: isRecord<Rest<'attributes'>>({
    volume: isCount,
    node: isCount,
    changes: isAttributeChanges,
  }),
  label: isRecord<Rest<'label'>>({ volume: isCount, label: isText }),
  bytes: isRecord<Rest<'bytes'>>({ offset: isCount, bytes: bytesUpTo(mostBytes) }),
  field: isRecord<Rest<'field'>>({
    structure: isCount,
    structureKind: isText,
    field: isText,
    value: isText,
  }),
};

/** A change that names nothing of the host, with all of its parts. */
const isOperation: Guard<Operation> = (value): value is Operation => {
  if (typeof value !== 'object' || value === null) return false;
  const { kind } = value as { kind?: unknown };
  if (typeof kind !== 'string' || !Object.hasOwn(operations, kind)) return false;
  return operations[kind as Operation['kind']](value);
};

export const planGuards: Guards<PlanRequests> = {
  plan: [isOperation, isCount],
  editState: [],
};

export const hostEditGuards: Guards<HostEditRequests> = {
  edit: [isOperation],
  importDropped: [isCount, isCount, listOf(isText, mostDropped)],
  importBytes: [isCount, isCount, isText, bytesUpTo(mostImported)],
};
