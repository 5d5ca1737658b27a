import { describe, expect, it, vi } from 'vitest';
import {
  engineRequestNames,
  guardedRequests,
  isEntryContext,
} from '../../src/extension/webview-requests';
import type { HostRequests } from '../../src/protocol/requests';
import type { Local } from '../../src/protocol/rpc';

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
const selection = { volume: 0, directory: 2, directoryPath: '/' };

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
    requests.selectionChanged({ ...selection, node: 12, path: '/a', type: 'file' });
    requests.selectionChanged({ ...selection, node: undefined });
    expect(called).toHaveBeenCalledTimes(2);
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
  ['runCommand', ['workbench.action.terminal.sendSequence']],
  ['runCommand', ['fsimg.openWithInspector']],
  ['runCommand', ['__proto__']],
  ['runCommand', [['fsimg.reload']]],
  ['selectionChanged', [{ ...selection, type: 'constructor' }]],
  ['selectionChanged', [{ ...selection, directoryPath: 7 }]],
  ['selectionChanged', [{ ...selection, node: -1 }]],
  ['selectionChanged', [[]]],
];

it.each(bad)('%s is refused with %j', (name, args) => {
  const { called, requests } = guarded();
  expect(() => requests[name](...args)).toThrow(expect.objectContaining({ code: 'refused' }));
  expect(called).not.toHaveBeenCalled();
});

it('takes for the menu of an entry only what names one', () => {
  const entry = { ...selection, node: 12, path: '/a', type: 'file', webviewSection: 'entry' };
  expect(isEntryContext({ ...entry, webview: 'fsimg.inspector' })).toBe(true);
  expect(isEntryContext(undefined)).toBe(false);
  expect(isEntryContext({ webviewSection: 'inspector', webview: 'fsimg.inspector' })).toBe(false);
  expect(isEntryContext({ ...entry, type: undefined })).toBe(false);
  expect(isEntryContext({ ...entry, node: '12' })).toBe(false);
});
