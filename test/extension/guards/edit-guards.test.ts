import { describe, expect, it } from 'vitest';
import { hostEditGuards, planGuards } from '../../../src/extension/guards/edit-guards';
import type { Operation } from '../../../src/protocol/requests';

const [isOperation] = hostEditGuards.edit;
const bytes = new Uint8Array(3);
const entry = { directory: 2, node: 12, name: 'a b' };
const request = { offset: 0, length: 2 ** 40, keepSize: true, zero: false };
const changes = { mode: 0o644, uid: 0, modified: '2024-03-01T12:00:00Z', set: ['hidden'] };

/** One of each kind. */
const operations: { readonly [Kind in Operation['kind']]: Extract<Operation, { kind: Kind }> } = {
  preallocate: { kind: 'preallocate', volume: 0, node: 12, request, policy: 'next-fit' },
  trim: { kind: 'trim', volume: 0, minimum: 4096 },
  create: { kind: 'create', volume: 0, type: 'directory', directory: 2, name: '日本語' },
  symlink: { kind: 'symlink', volume: 0, directory: 2, name: 'a', target: '../b' },
  link: { kind: 'link', volume: 0, directory: 2, name: 'a', node: 12 },
  remove: { kind: 'remove', volume: 0, entries: [entry] },
  move: { kind: 'move', volume: 0, entry, directory: 2, name: 'b', replace: false },
  truncate: { kind: 'truncate', volume: 0, node: 12, size: 2 ** 40 },
  content: { kind: 'content', volume: 0, node: 12, bytes },
  attributes: { kind: 'attributes', volume: 0, node: 12, changes },
  label: { kind: 'label', volume: 0, label: '' },
  bytes: { kind: 'bytes', offset: 2 ** 40, bytes },
  field: { kind: 'field', structure: 0, structureKind: 'inode', field: 'i_mode', value: '1' },
};
const kinds = Object.keys(operations) as Operation['kind'][];

describe('changes that the webview may ask for', () => {
  it.each(kinds)('are %s with all of its parts', (kind) => {
    expect(isOperation(operations[kind])).toBe(true);
  });

  it.each(kinds)('are no %s without one of its parts', (kind) => {
    for (const part of Object.keys(operations[kind])) {
      const rest = Object.entries(operations[kind]).filter(([name]) => name !== part);
      expect(isOperation(Object.fromEntries(rest)), part).toBe(false);
    }
  });

  it.each(kinds)('are no %s with a part of another kind', (kind) => {
    for (const part of Object.keys(operations[kind])) {
      for (const value of [null, -1, 1.5, NaN, 2 ** 53, { mode: '' }, [null]]) {
        expect(isOperation({ ...operations[kind], [part]: value }), part).toBe(false);
      }
    }
  });

  it.each([
    [{ kind: 'import', volume: 0, directory: 2, sources: [{ path: '/etc' }], replace: true }],
    [{ kind: 'writeFrom', volume: 0, node: 12, offset: 0, path: '/etc/passwd' }],
    [{ kind: 'toString' }],
    [{ kind: '__proto__' }],
    [{ kind: ['trim'], volume: 0, minimum: 0 }],
    [undefined],
    ['trim'],
  ])('are not %j', (value) => {
    expect(isOperation(value)).toBe(false);
  });

  it('have bounds', () => {
    const large = new Uint8Array(16 * 2 ** 20 + 1);
    expect(isOperation({ ...operations.content, bytes: large.subarray(1) })).toBe(true);
    expect(isOperation({ ...operations.content, bytes: large })).toBe(false);
    expect(isOperation({ ...operations.bytes, bytes: large })).toBe(false);
    expect(isOperation({ ...operations.bytes, bytes: [1, 2] })).toBe(false);
    const many = new Array(10_001).fill(entry);
    expect(isOperation({ ...operations.remove, entries: many.slice(1) })).toBe(true);
    expect(isOperation({ ...operations.remove, entries: many })).toBe(false);
    expect(isOperation({ ...operations.create, name: 'a'.repeat(20_000) })).toBe(false);
    expect(isOperation({ ...operations.create, name: '\ud800' })).toBe(false);
    expect(isOperation({ ...operations.create, type: 'symlink' })).toBe(false);
    expect(isOperation({ ...operations.preallocate, policy: 'best-fit' })).toBe(false);
  });

  it.each([
    { mode: 0o10000 },
    { uid: 2 ** 32 },
    { gid: -1 },
    { modified: 'yesterday' },
    { accessed: '1 March 2024' },
    { created: '2024-13-01T12:00:00Z' },
    { set: 'hidden' },
    { clear: [1] },
  ])('have no attributes like %j', (wrong) => {
    expect(isOperation({ ...operations.attributes, changes: wrong })).toBe(false);
  });
});

it('guards plans as it does changes', () => {
  const [isPlanned, isTask] = planGuards.plan;
  expect(isPlanned(operations.trim)).toBe(true);
  expect(isPlanned({ kind: 'writeFrom', volume: 0, node: 1, offset: 0, path: '/a' })).toBe(false);
  expect(isTask('1')).toBe(false);
});

it('takes a bounded number of dropped files, and bounded bytes of one', () => {
  const [, , areDropped] = hostEditGuards.importDropped;
  expect(areDropped(['file:///a'])).toBe(true);
  expect(areDropped(new Array(4097).fill('file:///a'))).toBe(false);
  expect(areDropped([7])).toBe(false);
  const [, , isName, areBytes] = hostEditGuards.importBytes;
  expect(isName('a')).toBe(true);
  expect(areBytes(bytes)).toBe(true);
  expect(areBytes(new Uint8Array(64 * 2 ** 20 + 1))).toBe(false);
});
