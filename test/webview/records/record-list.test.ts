import { describe, expect, it } from 'vitest';
import type { DirectoryRecord } from '../../../src/protocol/requests';
import { RecordBlocks } from '../../../webview/records/record-blocks';
import { matches, RecordList, type RecordFilter } from '../../../webview/records/record-list';
import { settle } from '../fake-host';
import { blocks, fullBlock, record, slot } from '../records';

const all: RecordFilter = { state: 'all', name: '' };

function listOf(records: readonly DirectoryRecord[][], filter = all) {
  const source = new RecordBlocks(
    blocks(records.length),
    async (first, count) => records.slice(first, first + count),
    () => undefined,
  );
  return new RecordList(source, filter, () => undefined);
}

const names = (list: RecordList, sort: string, descending = false) =>
  list.rows({ sort, descending }).map(({ record: { name } }) => name);

describe('a filter of records', () => {
  const live = record(0, 16, { name: 'Letter' });
  const deleted = record(16, 16, { name: 'letter', state: 'deleted' });
  const broken = record(32, 16, { state: 'broken', problem: 'rec_len 6 is below 12' });
  const wrongSum = record(1012, 12, { state: 'tail', problem: 'its checksum does not match' });
  const passing = (filter: RecordFilter) =>
    [live, deleted, broken, wrongSum].filter((one) => matches(one, filter));

  it('tells live, deleted and broken ones apart', () => {
    expect(passing(all)).toHaveLength(4);
    expect(passing({ ...all, state: 'live' })).toEqual([live]);
    expect(passing({ ...all, state: 'deleted' })).toEqual([deleted]);
    expect(passing({ ...all, state: 'broken' })).toEqual([broken, wrongSum]);
  });

  it('counts what lies behind a break as broken, and each slot of a name as live', () => {
    expect(matches(record(0, 16, { state: 'unreachable' }), { ...all, state: 'broken' })).toBe(
      true,
    );
    for (const state of ['short', 'long', 'label'] as const) {
      expect(matches(slot(0, state), { ...all, state: 'live' })).toBe(true);
    }
    expect(matches(slot(0, 'end'), { ...all, state: 'live' })).toBe(false);
  });

  it('looks for names without regard to case, the long one too', () => {
    expect(passing({ ...all, name: 'LET' })).toEqual([live, deleted]);
    const short = slot(0, 'short', { name: 'LETTER~1.TXT', values: { longName: 'A long one' } });
    expect(matches(short, { ...all, name: 'long' })).toBe(true);
    expect(matches(short, { ...all, name: '~1' })).toBe(true);
    expect(matches(short, { ...all, name: 'archive' })).toBe(false);
  });
});

describe('the records of a whole directory', () => {
  it('are gathered from all blocks, in the order of the disk', async () => {
    const list = listOf(blocks(300).map(fullBlock));
    await list.gather();
    expect(list.done).toBe(true);
    expect(list.total).toBe(300 * 64);
    expect(list.found.at(0)).toMatchObject({ block: 0, record: { name: 'b0-0' } });
    expect(list.found.at(-1)).toMatchObject({ block: 299, record: { name: 'b299-63' } });
  });

  it('are counted by state, whether they pass or not', async () => {
    const list = listOf(
      [[record(0, 500), record(500, 524, { state: 'broken', problem: 'no' })], [record(0, 1024)]],
      { ...all, state: 'broken' },
    );
    await list.gather();
    expect([...list.counts]).toEqual([
      ['live', 2],
      ['broken', 1],
    ]);
    expect(list.hasProblems).toBe(true);
    expect(list.found).toHaveLength(1);
    expect(list.total).toBe(3);
  });

  it('are gathered up to a bound', async () => {
    const list = listOf(blocks(2000).map(fullBlock));
    await list.gather();
    expect(list.full).toBe(true);
    expect(list.done).toBe(false);
    expect(list.gathering).toBe(false);
    expect(list.found.length).toBeLessThan(2000 * 64);
  });

  it('are gathered no further when that is stopped, and to the end when it goes on', async () => {
    const list = listOf(blocks(300).map(fullBlock));
    const first = list.gather();
    await Promise.resolve();
    list.stop();
    await first;
    expect(list.gathering).toBe(false);
    expect(list.done).toBe(false);
    await list.gather();
    expect(list.done).toBe(true);
    expect(list.total).toBe(300 * 64);
    expect(new Set(list.found.map(({ record: { offset } }) => offset)).size).toBe(300 * 64);
  });

  it('are sorted by amounts and by words, what has none last', async () => {
    const list = listOf([
      [
        record(0, 100, { name: 'b10' }),
        record(100, 24, { name: 'b9' }),
        record(124, 300, { name: '' }),
        record(424, 600, { name: 'a' }),
      ],
    ]);
    await list.gather();
    expect(names(list, 'disk')).toEqual(['b10', 'b9', '', 'a']);
    expect(names(list, 'disk', true)).toEqual(['a', '', 'b9', 'b10']);
    expect(names(list, 'name')).toEqual(['a', 'b9', 'b10', '']);
    expect(names(list, 'recLen')).toEqual(['b9', 'b10', '', 'a']);
    expect(names(list, 'recLen', true)).toEqual(['a', '', 'b10', 'b9']);
    expect(names(list, 'nothing')).toEqual(['b10', 'b9', '', 'a']);
  });

  it('are given up when the list is closed', async () => {
    const list = listOf(blocks(300).map(fullBlock));
    void list.gather();
    list.close();
    await settle();
    expect(list.found).toEqual([]);
  });

  it('tell why they are not all there', async () => {
    const source = new RecordBlocks(
      blocks(200),
      async (first) => {
        if (first > 0) throw new Error('Block 128 cannot be read.');
        return blocks(128).map(fullBlock);
      },
      () => undefined,
    );
    const list = new RecordList(source, all, () => undefined);
    await list.gather();
    expect(list.failure).toBe('Block 128 cannot be read.');
    expect(list.looked).toBe(128);
    expect(list.done).toBe(false);
  });
});
