import { describe, expect, it } from 'vitest';
import type { CheckFinding } from '../../../src/protocol/requests';
import {
  CheckRowMaker,
  readSeverities,
  type CheckRow,
  type RowQuery,
} from '../../../webview/checks/check-rows';
import { keyOf } from '../../../webview/checks/finding-tree';
import { finding } from './findings';

const query: RowQuery = { filter: '', hidden: [], sort: 'found', descending: false, folded: [] };
const titleOf = (code: string) => (code === 'chain-crossed' ? 'Two files share clusters' : '');

const findings: readonly CheckFinding[] = [
  finding({ severity: 'warning', message: 'Dirty.', code: 'dirty', offset: 65 }),
  finding({ message: 'Crossed.', code: 'chain-crossed', cluster: 7, offset: 900, path: '/b' }),
  finding({ message: 'Lost.', code: 'lost', cluster: 9, cause: 1, severity: 'note', offset: 30 }),
  finding({ message: 'Long.', code: 'chain-long', cluster: 3, offset: 800, path: '/a' }),
  finding({ message: 'Deep.', code: 'deep', cause: 2, offset: 1 }),
];

const make = (change: Partial<RowQuery> = {}, list = findings) =>
  new CheckRowMaker().make(list, { ...query, ...change }, titleOf);

const drawn = (row: CheckRow) =>
  row.kind === 'group'
    ? `${row.severity} ${row.count}`
    : `${'  '.repeat(row.level - 1)}${row.finding.message}`;
const draw = (change: Partial<RowQuery> = {}) => make(change).rows.map(drawn);

describe('rows', () => {
  it('stand under the severity of what they follow from, the worst first', () => {
    expect(draw()).toEqual([
      'error 4',
      '  Crossed.',
      '    Lost.',
      '      Deep.',
      '  Long.',
      'warning 1',
      '  Dirty.',
    ]);
  });

  it('that are folded hide what is below them', () => {
    const rows = make({ folded: [keyOf(findings[1]), 'warning'] }).rows;
    expect(rows.map(drawn)).toEqual(['error 4', '  Crossed.', '  Long.', 'warning 1']);
    expect(rows.map(({ unfolded }) => unfolded)).toEqual([true, false, null, false]);
  });

  it.each([
    ['words of the message', 'LONG', ['error 1', '  Long.']],
    ['the code', 'chain-', ['error 2', '  Crossed.', '  Long.']],
    ['the title', 'share clusters', ['error 1', '  Crossed.']],
    ['the path', '/a', ['error 1', '  Long.']],
    ['the number', 'cluster 7', ['error 1', '  Crossed.']],
    ['the byte', '0x320', ['error 1', '  Long.']],
    ['nothing that is there', 'absent', []],
  ])('are filtered by %s', (_what, filter, expected) => {
    expect(draw({ filter })).toEqual(expected);
  });

  it('lead to what the filter leaves', () => {
    const { rows, matched } = make({ filter: 'deep' });
    expect(rows.map(drawn)).toEqual(['error 1', '  Crossed.', '    Lost.', '      Deep.']);
    expect(matched).toBe(1);
  });

  it('are hidden by their own severity', () => {
    expect(draw({ hidden: ['error'] })).toEqual([
      'error 1',
      '  Crossed.',
      '    Lost.',
      'warning 1',
      '  Dirty.',
    ]);
    expect(draw({ hidden: ['error', 'warning', 'note'] })).toEqual([]);
  });

  it.each([
    ['found', false, ['Crossed.', 'Long.']],
    ['found', true, ['Long.', 'Crossed.']],
    ['finding', false, ['Crossed.', 'Long.']],
    ['kind', false, ['Crossed.', 'Long.']],
    ['kind', true, ['Long.', 'Crossed.']],
    ['where', false, ['Long.', 'Crossed.']],
    ['spot', false, ['Long.', 'Crossed.']],
    ['spot', true, ['Crossed.', 'Long.']],
  ] as const)('are sorted by %s (descending: %s) on each level', (sort, descending, expected) => {
    const rows = make({ sort, descending }).rows;
    const errors = rows.filter((row) => row.kind === 'finding' && row.level === 2).slice(0, 2);
    expect(errors.map(drawn)).toEqual(expected.map((message) => `  ${message}`));
  });

  it('are no deeper than can be seen, however long a chain is', () => {
    const length = 10_000;
    const chain = Array.from({ length }, (_, i) =>
      finding({ offset: i, ...(i > 0 && { cause: i - 1 }) }),
    );
    const { rows } = make({}, chain);
    expect(rows).toHaveLength(length + 1);
    expect(Math.max(...rows.map(({ level }) => level))).toBe(8);
  });

  it('are made again only for another report or question', () => {
    const maker = new CheckRowMaker();
    const first = maker.make(findings, query, titleOf);
    expect(maker.make(findings, query, titleOf)).toBe(first);
    // As when another finding is chosen: then the state is another one, too.
    expect(maker.make(findings, { ...query }, titleOf)).toBe(first);
    expect(maker.make(findings, { ...query, filter: 'lost' }, titleOf)).not.toBe(first);
    expect(maker.make(findings.slice(0, 1), query, titleOf).rows.map(drawn)).toEqual([
      'warning 1',
      '  Dirty.',
    ]);
  });
});

it('reads the severities that were saved, and nothing else', () => {
  expect(readSeverities(['note', 'error', 'fatal', 3])).toEqual(['error', 'note']);
  expect(readSeverities('error')).toEqual([]);
});
