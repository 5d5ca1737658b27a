import { describe, expect, it } from 'vitest';
import type { ListPage } from '../../../src/protocol/requests';
import { Listing } from '../../../webview/files/listing';
import { pageRows } from '../../../webview/inspection/row-pages';
import { row } from '../fake-host';

/** A directory of many rows, whose pages come when they are let. */
function slowDirectory(matched: number) {
  const asked: { start: number; come: () => void; fail: (error: Error) => void }[] = [];
  const cancelled: number[] = [];
  let changes = 0;
  const listing = new Listing(
    (start, count) => {
      const answer = new Promise<ListPage>((resolve, reject) => {
        const come = () => {
          const length = Math.max(0, Math.min(count, matched - start));
          const rows = Array.from({ length }, (_, i) => row(start + i));
          resolve({ total: matched, matched, start, rows, problems: [] });
        };
        asked.push({ start, come, fail: reject });
      });
      return { answer, cancel: () => cancelled.push(start) };
    },
    () => changes++,
  );
  const starts = () => asked.map(({ start }) => start);
  const settle = async (index: number) => {
    asked[index].come();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { listing, asked, cancelled, starts, settle, changes: () => changes };
}

describe('a listing', () => {
  it('asks for the page in sight and no other', async () => {
    const { listing, starts, settle } = slowDirectory(50_000);
    listing.show(0, 40);
    await settle(0);
    listing.show(5, 60);
    expect(starts()).toEqual([0]);
    expect(listing.matched).toBe(50_000);
    expect(listing.row(99)?.name).toBe('file-99');
    expect(listing.row(100)).toBeUndefined();
  });

  it('asks for both pages that are partly in sight', async () => {
    const { listing, starts, settle } = slowDirectory(1000);
    listing.show(380, 420);
    await settle(0);
    await settle(1);
    expect(starts()).toEqual([300, 400]);
    expect(listing.row(419)?.name).toBe('file-419');
  });

  it('never asks beyond the end once that is known', async () => {
    const { listing, starts, settle } = slowDirectory(130);
    listing.show(0, 40);
    await settle(0);
    listing.show(90, 900);
    expect(starts()).toEqual([0, 100]);
  });

  it('cancels what has left the sight before it came, and takes the rest when there is room', async () => {
    const { listing, starts, cancelled, settle } = slowDirectory(50_000);
    listing.show(0, 40);
    await settle(0);
    listing.show(1000, 1040);
    listing.show(20_000, 20_040);
    expect(cancelled).toEqual([1000]);
    expect(starts()).toEqual([0, 1000, 20_000]);
  });

  it('discards the answer to what was cancelled', async () => {
    const { listing, settle, changes } = slowDirectory(50_000);
    listing.show(0, 40);
    await settle(0);
    listing.show(1000, 1040);
    listing.show(20_000, 20_040);
    await settle(1);
    expect(listing.row(1000)).toBeUndefined();
    expect(changes()).toBe(1);
  });

  it('asks for two pages at a time', async () => {
    const { listing, starts, settle } = slowDirectory(50_000);
    listing.show(0, 400);
    expect(starts()).toEqual([0, 100]);
    await settle(0);
    expect(starts()).toEqual([0, 100, 200]);
  });

  it('keeps a bounded number of pages: the nearest to what is in sight', async () => {
    const { listing, asked, settle } = slowDirectory(50_000);
    for (let page = 0; page < 80; page++) {
      listing.show(page * pageRows, page * pageRows + 30);
      await settle(page);
    }
    expect(listing.row(0)).toBeUndefined();
    expect(listing.row(25 * pageRows)?.name).toBe('file-2500');
    listing.show(0, 30);
    expect(asked).toHaveLength(81);
  });

  it('takes no answer after it was closed', async () => {
    const { listing, cancelled, settle, changes } = slowDirectory(500);
    listing.show(0, 40);
    listing.close();
    await settle(0);
    expect(cancelled).toEqual([0]);
    expect(listing.ready).toBe(false);
    expect(changes()).toBe(0);
    await listing.opened;
  });

  it('says why there are no rows, and does not ask again', async () => {
    const { listing, asked, starts } = slowDirectory(500);
    listing.show(0, 40);
    asked[0].fail(new Error('Block 7 cannot be read.'));
    await listing.opened;
    listing.show(200, 240);
    expect(listing.failure).toBe('Block 7 cannot be read.');
    expect(starts()).toEqual([0]);
  });

  it('finds a loaded entry by the place of its record', async () => {
    const { listing, settle } = slowDirectory(500);
    listing.show(200, 240);
    await settle(0);
    expect(listing.find(row(234).offset)).toBe(234);
    expect(listing.find(1)).toBe(-1);
  });
});
