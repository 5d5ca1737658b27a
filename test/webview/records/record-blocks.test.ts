import { describe, expect, it } from 'vitest';
import { RecordBlocks, type Records } from '../../../webview/records/record-blocks';
import { settle } from '../fake-host';
import { blocks, fullBlock } from '../records';

/** A directory of full blocks, whose records come when they are let. */
function slowBlocks(count: number, length = 1024) {
  const all = blocks(count, length);
  const asked: { first: number; count: number; come: () => void; fail: (e: Error) => void }[] = [];
  let changes = 0;
  const records = new RecordBlocks(
    all,
    (first, wanted) =>
      new Promise<readonly Records[]>((resolve, reject) => {
        const come = () => resolve(all.slice(first, first + wanted).map(fullBlock));
        asked.push({ first, count: wanted, come, fail: reject });
      }),
    () => changes++,
  );
  const come = async (index: number) => {
    asked[index].come();
    await settle();
  };
  return { all, records, asked, come, changes: () => changes };
}

describe('the records of blocks', () => {
  it('are asked for in windows of whole blocks', async () => {
    const { records, asked, come } = slowBlocks(300);
    records.show(130, 131);
    expect(asked.map(({ first, count }) => [first, count])).toEqual([[128, 128]]);
    await come(0);
    expect(records.get(130)?.[0].name).toBe('b130-0');
    expect(records.get(127)).toBeUndefined();
    records.show(256, 300);
    expect(asked.at(-1)).toMatchObject({ first: 256, count: 44 });
  });

  it('are one block at a time where blocks are large', () => {
    const { records, asked } = slowBlocks(5, 256 * 1024);
    records.show(2, 3);
    expect(asked.map(({ first, count }) => [first, count])).toEqual([[2, 1]]);
  });

  it('come one window after the other, as long as they are in sight', async () => {
    const { records, asked, come } = slowBlocks(600);
    records.show(0, 300);
    expect(asked).toHaveLength(1);
    await come(0);
    expect(asked.map(({ first }) => first)).toEqual([0, 128]);
    records.show(500, 510);
    await come(1);
    expect(asked.map(({ first }) => first)).toEqual([0, 128, 384]);
  });

  it('are asked for once, whoever wants them', async () => {
    const { records, asked, come } = slowBlocks(100);
    records.show(0, 10);
    const loaded = records.load(5);
    expect(asked).toHaveLength(1);
    await come(0);
    expect(await loaded).toMatchObject({ first: 0 });
    await records.load(50);
    expect(asked).toHaveLength(1);
  });

  it('are kept up to a bound, the nearest to what is in sight', async () => {
    const { records, come } = slowBlocks(128 * 30);
    records.show(0, 10);
    await come(0);
    for (let window = 1; window < 30; window++) {
      void records.load(128 * window);
      await come(window);
    }
    expect(records.get(5)).toBeDefined();
    expect(records.get(130)).toBeDefined();
    expect(records.get(128 * 29)).toBeUndefined();
  });

  it('tell why there are no more, and are not asked for again and again', async () => {
    const { records, asked, changes } = slowBlocks(300);
    records.show(0, 10);
    asked[0].fail(new Error('Block 7 cannot be read.'));
    await settle();
    expect(records.failure).toBe('Block 7 cannot be read.');
    expect(changes()).toBe(1);
    records.show(0, 10);
    expect(asked).toHaveLength(1);
  });

  it('take nothing after they were closed', async () => {
    const { records, come, changes } = slowBlocks(300);
    records.show(0, 200);
    records.close();
    await come(0);
    expect(records.get(0)).toBeUndefined();
    expect(changes()).toBe(0);
  });

  it('are found by a byte of the image, in whatever order the blocks lie', () => {
    const all = [...blocks(9)].reverse();
    const records = new RecordBlocks(
      all,
      () => Promise.resolve([]),
      () => undefined,
    );
    all.forEach(({ offset }, index) => {
      expect(records.find(offset)).toBe(index);
      expect(records.find(offset + 1023)).toBe(index);
      expect(records.find(offset + 1024)).toBe(-1);
      expect(records.find(offset - 1)).toBe(-1);
    });
  });
});
