import { beforeEach, describe, expect, it } from 'vitest';
import type { DirectoryRecord, NodeId } from '../../../src/protocol/requests';
import { DirectoryRecords } from '../../../webview/records/directory-records';
import type { Inspection } from '../../../webview/inspection/inspection';
import type { RecordFilter } from '../../../webview/records/record-list';
import { FakeTree, rootNode, row, settle } from '../fake-host';
import { blocks, columns, record, slot } from '../records';

const all: RecordFilter = { state: 'all', name: '' };
const other = 77;

describe('the records of the directory that is shown', () => {
  let tree: FakeTree;
  let inspection: Inspection;
  let records: DirectoryRecords;
  /** The records of each directory; what is not in it is none. */
  let onDisk: Map<NodeId, DirectoryRecord[][]>;
  let asked: string[];
  let changes: number;

  beforeEach(async () => {
    tree = new FakeTree();
    onDisk = new Map([[rootNode, [[record(0, 500, { name: 'a' }), record(500, 524)]]]]);
    asked = [];
    changes = 0;
    Object.assign(tree.host, {
      rawDirectory: async (_volume: number, directory: NodeId) => {
        asked.push(`directory ${directory}`);
        const found = onDisk.get(directory);
        if (!found) throw new Error(`${directory} is not a directory.`);
        return { columns, blocks: blocks(found.length), index: [], problems: [] };
      },
      records: async (_volume: number, directory: NodeId, first: number, count: number) => {
        asked.push(`records ${first}`);
        return onDisk.get(directory)?.slice(first, first + count);
      },
    });
    inspection = tree.open();
    await inspection.load();
    records = new DirectoryRecords(inspection, () => changes++);
  });

  const follow = async (filter = all) => {
    records.follow(filter);
    await settle();
    await settle();
  };

  it('are asked for once', async () => {
    await follow();
    await follow();
    expect(asked).toEqual([`directory ${rootNode}`, 'records 0']);
    expect(records.shown?.node).toBe(rootNode);
    expect(records.list?.found).toHaveLength(2);
    expect(changes).toBeGreaterThan(0);
  });

  it('are asked for anew when the image is another', async () => {
    await follow();
    await inspection.load();
    await follow();
    expect(asked.filter((one) => one.startsWith('directory'))).toHaveLength(2);
  });

  it('stay until those of the next directory have come', async () => {
    await follow();
    onDisk.set(other, [[]]);
    inspection.enter({ name: 'x', node: other });
    records.follow(all);
    expect(records.waiting).toBe(true);
    expect(records.shown?.node).toBe(rootNode);
    await follow();
    expect(records.waiting).toBe(false);
    expect(records.shown?.node).toBe(other);
  });

  it('say why there are none', async () => {
    inspection.enter({ name: 'x', node: other });
    await follow();
    expect(records.shown).toBeNull();
    expect(records.failure).toBe('77 is not a directory.');
    inspection.back();
    await follow();
    expect(records.failure).toBeNull();
    expect(records.shown?.node).toBe(rootNode);
  });

  it('are gathered anew for another filter', async () => {
    await follow();
    await follow({ state: 'all', name: 'a' });
    expect(records.list?.found.map((found) => found.record.name)).toEqual(['a', 'at-500']);
    await follow({ state: 'all', name: '500' });
    expect(records.list?.found.map((found) => found.record.name)).toEqual(['at-500']);
    expect(asked).toEqual([`directory ${rootNode}`, 'records 0']);
  });

  describe('and the selection', () => {
    const [{ offset }] = blocks(1);

    it('a record is the one that was chosen', async () => {
      await follow();
      inspection.chooseRecord({ offset: offset + 500, length: 524 }, null);
      expect(records.findChosen()).toBe(offset + 500);
    });

    it('bytes choose the record that holds them', async () => {
      await follow();
      inspection.chooseBytes(offset + 499, 4);
      expect(records.findChosen()).toBe(offset);
      inspection.chooseBytes(offset + 1024, 4);
      expect(records.findChosen()).toBeNull();
    });

    it('an entry chooses a record that leads to it, by the same name where there are several', async () => {
      onDisk.set(rootNode, [
        [
          record(0, 100, { name: '.', node: 1500 }),
          record(100, 100, { name: 'one', node: 1500 }),
          record(200, 824, { name: 'two', node: 1500 }),
        ],
      ]);
      await follow();
      inspection.choose({ node: 1500, name: 'two', type: 'file', offset: null });
      expect(records.findChosen()).toBe(offset + 200);
      inspection.choose({ node: 1500, name: 'three', type: 'file', offset: null });
      expect(records.findChosen()).toBe(offset + 100);
      inspection.choose({ node: 1501, name: 'one', type: 'file', offset: null });
      expect(records.findChosen()).toBeNull();
    });

    it('what survives in slack is found before what covers it', async () => {
      const survivor = { state: 'deleted', partOf: offset } as const;
      onDisk.set(rootNode, [[record(0, 1024), record(40, 24, survivor)]]);
      await follow();
      inspection.chooseBytes(offset + 45, 1);
      expect(records.findChosen()).toBe(offset + 40);
    });
  });

  describe('and entries', () => {
    it('lead to what they name, by the long name where there is one', async () => {
      const short = slot(2, 'short', { name: 'A~1', node: 9, values: { longName: 'a long one' } });
      const long = slot(1, 'long', { name: 'a long one', partOf: short.offset });
      const lone = slot(3, 'long', { name: 'lost', problem: 'No short name follows.' });
      onDisk.set(rootNode, [[slot(0, 'label'), long, short, lone]]);
      await follow();
      const entry = { node: 9, name: 'a long one', offset: short.offset };
      expect(records.entryOf(short)).toEqual(entry);
      expect(records.entryOf(long)).toEqual(entry);
      expect(records.entryOf(lone)).toBeNull();
    });

    it('are not made by what every directory starts with, nor by an index', async () => {
      const dots = record(12, 1012, { name: '..' });
      const index = record(24, 1000, {
        name: '',
        state: 'htree',
        node: undefined,
        partOf: dots.offset,
      });
      onDisk.set(rootNode, [[record(0, 12, { name: '.' }), dots, index]]);
      await follow();
      expect([dots, index].map((one) => records.entryOf(one))).toEqual([null, null]);
    });

    it('are of a type that is asked for once', async () => {
      tree.add(rootNode, row(5, { node: 1500, type: 'symlink' }));
      await follow();
      expect(records.knownType(1500)).toBe('unknown');
      expect(await records.typeOf(1500)).toBe('symlink');
      await records.typeOf(1500);
      expect(records.knownType(1500)).toBe('symlink');
      expect(tree.host.details).toHaveBeenCalledTimes(1);
      expect(await records.typeOf(1501)).toBe('unknown');
    });
  });
});
