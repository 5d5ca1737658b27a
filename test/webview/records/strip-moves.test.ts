import { describe, expect, it } from 'vitest';
import { BlockFactsCache } from '../../../webview/records/block-facts';
import { RecordBlocks } from '../../../webview/records/record-blocks';
import { StripRows } from '../../../webview/records/record-scale';
import { StripMoves } from '../../../webview/records/strip-moves';
import { blocks, fullBlock, record } from '../records';

/** Three blocks of 64 records of 16 bytes; four of them in each line. */
async function moves() {
  const all = blocks(3);
  const records = new RecordBlocks(
    all,
    async (first, count) => all.slice(first, first + count).map(fullBlock),
    () => undefined,
  );
  await records.load(0);
  return new StripMoves(new StripRows(all, 64), new BlockFactsCache(records));
}

describe('the keys of strips', () => {
  it('go from record to record, over the ends of blocks', async () => {
    const keys = await moves();
    expect(keys.find('ArrowRight', { block: 0, piece: 5 }, 10)).toEqual({ block: 0, byte: 96 });
    expect(keys.find('ArrowLeft', { block: 0, piece: 5 }, 10)).toEqual({ block: 0, byte: 64 });
    expect(keys.find('ArrowRight', { block: 0, piece: 63 }, 10)).toEqual({ block: 1, byte: 0 });
    expect(keys.find('ArrowLeft', { block: 1, piece: 0 }, 10)).toEqual({ block: 0, byte: 1023 });
  });

  it('lead nowhere at the ends', async () => {
    const keys = await moves();
    expect(keys.find('ArrowLeft', { block: 0, piece: 0 }, 10)).toBeNull();
    expect(keys.find('ArrowRight', { block: 2, piece: 63 }, 10)).toBeNull();
    expect(keys.find('ArrowUp', { block: 0, piece: 2 }, 10)).toBeNull();
    expect(keys.find('ArrowDown', { block: 2, piece: 61 }, 10)).toBeNull();
  });

  it('go from line to line at the same place, over the heads of blocks', async () => {
    const keys = await moves();
    expect(keys.find('ArrowDown', { block: 0, piece: 5 }, 10)).toEqual({ block: 0, byte: 144 });
    expect(keys.find('ArrowUp', { block: 0, piece: 5 }, 10)).toEqual({ block: 0, byte: 16 });
    expect(keys.find('ArrowDown', { block: 0, piece: 62 }, 10)).toEqual({ block: 1, byte: 32 });
    expect(keys.find('ArrowUp', { block: 1, piece: 2 }, 10)).toEqual({ block: 0, byte: 992 });
  });

  it('go by screens, to the first and to the last record', async () => {
    const keys = await moves();
    expect(keys.find('PageDown', { block: 0, piece: 1 }, 3)).toEqual({ block: 0, byte: 208 });
    expect(keys.find('PageUp', { block: 0, piece: 13 }, 3)).toEqual({ block: 0, byte: 16 });
    expect(keys.find('Home', { block: 1, piece: 7 }, 3)).toEqual({ block: 0, byte: 0 });
    expect(keys.find('End', { block: 1, piece: 7 }, 3)).toEqual({ block: 2, byte: 1023 });
  });

  it('leave a record of several lines at once', async () => {
    const [block] = blocks(1);
    const records = new RecordBlocks(
      [block],
      async () => [[record(0, 16), record(16, 500), record(516, 508)]],
      () => undefined,
    );
    await records.load(0);
    const keys = new StripMoves(new StripRows([block], 64), new BlockFactsCache(records));
    expect(keys.find('ArrowDown', { block: 0, piece: 1 }, 3)).toEqual({ block: 0, byte: 592 });
  });

  it('mean nothing else', async () => {
    const keys = await moves();
    expect(keys.find('x', { block: 0, piece: 0 }, 3)).toBeUndefined();
  });
});
