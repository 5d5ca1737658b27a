import { describe, expect, it, vi } from 'vitest';
import {
  engineRequestNames,
  guardedRequests,
  isEntryContext,
} from '../../../src/extension/guards/webview-requests';
import type { HostRequests } from '../../../src/protocol/requests';
import type { Local } from '../../../src/protocol/rpc';

const query = {
  volume: 0,
  directory: 2,
  deleted: false,
  filter: '',
  sort: 'name',
  descending: false,
  start: 0,
  count: 100,
};
const mapQuery = { volume: 0, first: 2, units: 2 ** 34, cells: 2000, highlight: null };
const freeQuery = { volume: 0, minimum: 0, sort: 'length', descending: true, start: 0, count: 9 };
const pattern = Uint8Array.of(1);
const searchQuery = { pattern, from: 2 ** 40, backwards: false, ignoreCase: true, places: 1 };
const entry = { volume: 0, directory: 2, directoryPath: '/' };
const trim = { kind: 'trim', volume: 0, minimum: 4096 };
const selection = { view: 'files', volume: 0, entry };

/** Arguments that each function takes. */
const good: Record<keyof HostRequests, unknown[]> = {
  summary: [],
  list: [query, 1],
  locatePrefix: [query, 'a', 0],
  locateNode: [query, 12],
  resolve: [0, '/a b/日本語'],
  details: [0, 12, 100],
  read: [0, 12, 2 ** 40, 65536],
  freeSpace: [0, 0],
  rawDirectory: [0, 2],
  records: [0, 2, 0, 1024],
  spaceMap: [mapQuery, 1],
  freeExtents: [freeQuery, 1],
  findOwners: [0, 1],
  owner: [0, 2 ** 34, 1],
  pathsOf: [0, 12, 1],
  placeAt: [2 ** 40],
  structureBranches: [null, null],
  structure: [0, 'inode 12'],
  structuresAt: [2 ** 40, 65_536],
  bytes: [2 ** 40, 65_536],
  search: [searchQuery, 1],
  journal: [0, 1],
  showReplayed: [0, true, 1],
  problemTable: [0],
  runCheck: [0, 1],
  lastCheck: [0, 3],
  plan: [trim, 1],
  editState: [],
  edit: [trim],
  importDropped: [0, 2, ['file:///a']],
  importBytes: [0, 2, 'a.txt', pattern],
  cancel: [1],
  openContent: [0, 12, '/a'],
  runCommand: ['fsimg.reload'],
  selectionChanged: [selection],
};

type Call = (...args: unknown[]) => unknown;

function guarded() {
  const called = vi.fn();
  const functions = new Proxy(
    {},
    {
      get:
        (_, name) =>
        (...args: unknown[]) =>
          called(name, args),
    },
  );
  const requests = guardedRequests(functions as Local<HostRequests>);
  return { called, requests: requests as unknown as Record<string, Call> };
}

describe('what the webview may ask', () => {
  it.each(Object.entries(good))('%s with good arguments', (name, args) => {
    const { called, requests } = guarded();
    requests[name](...args);
    expect(called).toHaveBeenCalledExactlyOnceWith(name, args);
  });

  it('is nothing that writes to the host, and nothing that is not named', () => {
    const { requests } = guarded();
    expect(Object.keys(requests).sort()).toEqual(Object.keys(good).sort());
    expect(engineRequestNames).not.toContain('exportNode');
    expect(engineRequestNames).not.toContain('exportTarget');
  });

  it('takes selections with and without an entry', () => {
    const { called, requests } = guarded();
    requests.selectionChanged({
      ...selection,
      entry: { ...entry, node: 12, path: '/a', type: 'file' },
    });
    requests.selectionChanged({ ...selection, entry: { ...entry, node: undefined } });
    requests.selectionChanged({
      view: 'structures',
      volume: null,
      bytes: { offset: 0, length: 1 },
    });
    expect(called).toHaveBeenCalledTimes(3);
  });
});

/** What is no count of anything. */
const noCounts = [-1, 1.5, NaN, Infinity, 2 ** 53, '1', null, undefined, true, {}, [1]];
const noTexts = [7, null, undefined, {}, [], 'x'.repeat(20_000), 'half a pair \ud800'];

const bad: [name: keyof HostRequests, args: unknown[]][] = [
  ['summary', [1]],
  ['list', []],
  ['list', [query]],
  ['list', [query, 1, 2]],
  ['list', [null, 1]],
  ['list', ['query', 1]],
  ...noCounts.map((value): [keyof HostRequests, unknown[]] => ['list', [query, value]]),
  ...noCounts.map((value): [keyof HostRequests, unknown[]] => ['freeSpace', [value, 1]]),
  ...noCounts.map((value): [keyof HostRequests, unknown[]] => ['read', [0, 12, value, 1]]),
  ...noCounts.map((value): [keyof HostRequests, unknown[]] => ['cancel', [value]]),
  ...['volume', 'directory', 'start', 'count'].flatMap((key) =>
    noCounts.map((value): [keyof HostRequests, unknown[]] => [
      'list',
      [{ ...query, [key]: value }, 1],
    ]),
  ),
  ...noTexts.map((value): [keyof HostRequests, unknown[]] => ['resolve', [0, value]]),
  ...noTexts.map((value): [keyof HostRequests, unknown[]] => ['locatePrefix', [query, value, 0]]),
  ...noTexts.map((value): [keyof HostRequests, unknown[]] => ['openContent', [0, 12, value]]),
  ['list', [{ ...query, count: 10_001 }, 1]],
  ['list', [{ ...query, sort: 'toString' }, 1]],
  ['list', [{ ...query, deleted: 0 }, 1]],
  ['list', [{ ...query, filter: ['a'] }, 1]],
  ['details', [0, 12, 100_001]],
  ['read', [0, 12, 0, 2 ** 30]],
  ...noCounts.map((value): [keyof HostRequests, unknown[]] => ['placeAt', [value]]),
  ...['first', 'units', 'cells'].flatMap((key) =>
    noCounts.map((value): [keyof HostRequests, unknown[]] => [
      'spaceMap',
      [{ ...mapQuery, [key]: value }, 1],
    ]),
  ),
  ['spaceMap', [{ ...mapQuery, highlight: undefined }, 1]],
  ['records', [0, 2, 0, 1025]],
  ['freeExtents', [{ ...freeQuery, sort: 'size' }, 1]],
  ['freeExtents', [{ ...freeQuery, count: 10_001 }, 1]],
  ['structureBranches', [undefined, null]],
  ['structureBranches', [null, 7]],
  ['structure', [0, null]],
  ['structuresAt', [0, 65_537]],
  ['bytes', [0, 2 ** 30]],
  ['search', [{ ...searchQuery, pattern: [1] }, 1]],
  ['search', [{ ...searchQuery, pattern: new Uint8Array(65_537) }, 1]],
  ['search', [{ ...searchQuery, backwards: 1 }, 1]],
  ['search', [{ ...searchQuery, places: Infinity }, 1]],
  ['showReplayed', [0, 'yes', 1]],
  ['runCommand', ['workbench.action.terminal.sendSequence']],
  ['runCommand', ['fsimg.openWithInspector']],
  ['runCommand', ['__proto__']],
  ['runCommand', [['fsimg.reload']]],
  ['selectionChanged', [{ ...selection, entry: { ...entry, type: 'constructor' } }]],
  ['selectionChanged', [{ ...selection, entry: { ...entry, directoryPath: 7 } }]],
  ['selectionChanged', [{ ...selection, entry: { ...entry, node: -1 } }]],
  ['selectionChanged', [{ ...selection, view: 'toString' }]],
  ['selectionChanged', [{ ...selection, volume: undefined }]],
  ['selectionChanged', [{ ...selection, bytes: { offset: 0 } }]],
  ['selectionChanged', [[]]],
];

it.each(bad)('%s is refused with %j', (name, args) => {
  const { called, requests } = guarded();
  expect(() => requests[name](...args)).toThrow(expect.objectContaining({ code: 'refused' }));
  expect(called).not.toHaveBeenCalled();
});

it('takes for the menu of an entry only what names one', () => {
  const chosen = { ...entry, node: 12, path: '/a', type: 'file', webviewSection: 'entry' };
  expect(isEntryContext({ ...chosen, webview: 'fsimg.inspector' })).toBe(true);
  expect(isEntryContext(undefined)).toBe(false);
  expect(isEntryContext({ webviewSection: 'inspector', webview: 'fsimg.inspector' })).toBe(false);
  expect(isEntryContext({ ...chosen, type: undefined })).toBe(false);
  expect(isEntryContext({ ...chosen, node: '12' })).toBe(false);
});
