import { describe, expect, it, vi } from 'vitest';
import type { DescribedStructure } from '../../../src/protocol/requests';
import { Covering, type AskStructures } from '../../../webview/structures/covering';
import { settle } from '../fake-host';

const everywhere: DescribedStructure = {
  kind: 'all',
  name: 'all',
  offset: 0,
  length: 2 ** 45,
  fields: [],
};

function setup() {
  const changed = vi.fn();
  const ask = vi.fn<AskStructures>(async () => [everywhere]);
  return { ask, changed, covering: new Covering(ask, changed) };
}

describe('Covering', () => {
  it('asks for what is in sight with a margin, and again only beyond it', async () => {
    const { ask, changed, covering } = setup();
    covering.show(10_000, 10_600);
    await settle();
    const [[offset, length]] = ask.mock.calls;
    expect(offset).toBeLessThanOrEqual(8000);
    expect(offset + length).toBeGreaterThanOrEqual(12_600);
    expect(covering.annotations.at(10_000)?.structure.name).toBe('all');
    covering.show(10_100, 10_700);
    await settle();
    expect(ask).toHaveBeenCalledOnce();
    expect(changed).toHaveBeenCalledOnce();
    covering.show(0, 600);
    await settle();
    expect(ask).toHaveBeenLastCalledWith(0, expect.any(Number));
  });

  it('asks for one stretch at a time, and leaves out what was scrolled past', async () => {
    const { ask, covering } = setup();
    for (let at = 0; at < 100; at++) covering.show(at * 100_000, at * 100_000 + 600);
    await settle();
    expect(ask).toHaveBeenCalledTimes(2);
    expect(covering.annotations.at(9_900_000)).not.toBeNull();
  });

  it('marks nothing where it gets no answer', async () => {
    const { ask, covering } = setup();
    ask.mockRejectedValueOnce(new Error('It cannot be opened.'));
    covering.show(0, 600);
    await settle();
    expect(covering.annotations.at(0)).toBeNull();
    expect(ask).toHaveBeenCalledOnce();
  });

  it('asks anew when the image is another', async () => {
    const { ask, covering } = setup();
    covering.show(0, 600);
    await settle();
    ask.mockResolvedValueOnce([]);
    covering.clear();
    expect(covering.annotations.at(0)).not.toBeNull();
    await settle();
    expect(ask).toHaveBeenCalledTimes(2);
    expect(covering.annotations.at(0)).toBeNull();
  });
});
