import { describe, expect, it, vi } from 'vitest';
import { BytePages } from '../../../webview/structures/byte-pages';
import { settle } from '../fake-host';

const page = 16 * 1024;

function setup(size = 2 ** 45) {
  const changed = vi.fn();
  const ask = vi.fn(async (offset: number, length: number) => {
    const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
    return bytes.fill(offset / page + 1);
  });
  return { ask, changed, pages: new BytePages(ask, changed) };
}

describe('BytePages', () => {
  it('ask for the pages in sight, once', async () => {
    const { ask, changed, pages } = setup();
    pages.show(page - 1, page + 1);
    expect(pages.byte(page)).toBeUndefined();
    pages.show(page - 2, page + 1);
    await settle();
    expect(ask.mock.calls).toEqual([
      [0, page],
      [page, page],
    ]);
    expect([pages.byte(page - 1), pages.byte(page)]).toEqual([1, 2]);
    expect(changed).toHaveBeenCalled();
    expect(pages.slice(page - 1, 2)).toEqual(Uint8Array.of(1, 2));
    expect(pages.slice(2 * page - 1, 2)).toEqual(Uint8Array.of(2));
  });

  it('end where the image does', async () => {
    const { pages } = setup(page + 3);
    pages.show(page, 2 * page);
    await settle();
    expect(pages.slice(page, 10)).toHaveLength(3);
  });

  it('skip what was scrolled past, and keep a bounded number of pages', async () => {
    const { ask, pages } = setup();
    for (let at = 0; at < 200; at++) pages.show(at * page, at * page + 1);
    await settle();
    expect(ask.mock.calls.length).toBeLessThan(5);
    for (let at = 0; at < 200; at++) {
      pages.show(at * page, at * page + 1);
      await settle();
    }
    expect(pages.byte(0)).toBeUndefined();
    expect(pages.byte(199 * page)).toBe(200);
  });

  it('say why bytes are missing, and ask no more for them', async () => {
    const { ask, pages } = setup();
    ask.mockRejectedValueOnce(new Error('The file is gone.'));
    pages.show(0, 1);
    await settle();
    expect(pages.failure).toBe('The file is gone.');
    pages.show(0, 1);
    await settle();
    expect(ask).toHaveBeenCalledOnce();
  });

  it('keep what is in sight of an image that has changed until the new bytes have come', async () => {
    const { ask, pages } = setup();
    pages.show(2 * page, 2 * page + 1);
    await settle();
    pages.show(0, 1);
    await settle();
    ask.mockResolvedValueOnce(Uint8Array.of(99));
    pages.clear();
    expect([pages.byte(0), pages.byte(2 * page)]).toEqual([1, undefined]);
    await settle();
    expect(pages.byte(0)).toBe(99);
    ask.mockRejectedValueOnce(new Error('It is gone.'));
    pages.clear();
    await settle();
    expect(pages.byte(0)).toBeUndefined();
  });

  it('show at once what is written, as far as they have come', async () => {
    const { changed, pages } = setup(page + 2);
    pages.show(0, page + 2);
    await settle();
    changed.mockClear();
    pages.patch(page - 1, Uint8Array.of(7, 8, 9, 10));
    expect(pages.slice(page - 2, 9)).toEqual(Uint8Array.of(1, 7, 8, 9));
    expect(changed).toHaveBeenCalledOnce();
  });

  it('forget an image that has changed, and what was asked of it', async () => {
    const { ask, pages } = setup();
    let answer: (bytes: Uint8Array<ArrayBuffer>) => void = () => undefined;
    ask.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    pages.show(0, 1);
    pages.clear();
    answer(Uint8Array.of(99));
    await settle();
    expect(pages.byte(0)).toBe(1);
  });
});
