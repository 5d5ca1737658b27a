import { describe, expect, it, vi } from 'vitest';
import type { StructureBranch } from '../../../src/protocol/requests';
import { StructureTree, type AskBranches } from '../../../webview/structures/structure-tree';
import { settle } from '../fake-host';

const branch = (key: string, hasChildren = false): StructureBranch => ({
  key,
  name: key,
  offset: 0,
  length: 16,
  hasChildren,
});

function setup(unfolded: string[] = []) {
  const levels: Record<string, StructureBranch[]> = {
    'null null': [branch('mbr', true)],
    'null mbr': [branch('mbr/1'), branch('mbr/2')],
    '0 null': [branch('boot'), branch('root', true)],
    '0 root': [branch('a', true), branch('b')],
    '0 a': [branch('root', true)],
  };
  const ask = vi.fn<AskBranches>(async (volume, key) => levels[`${volume} ${key}`] ?? []);
  const tree = new StructureTree(ask, () => undefined, unfolded);
  const keys = () => tree.rows.map(({ branch: { key }, level }) => `${level} ${key}`);
  return { ask, keys, tree };
}

describe('StructureTree', () => {
  it('shows the structures of the image, then those of the volume', async () => {
    const { keys, tree } = setup();
    await tree.load(0);
    expect(keys()).toEqual(['1 mbr', '1 boot', '1 root']);
    await tree.load(null);
    expect(keys()).toEqual(['1 mbr']);
  });

  it('asks for a level when it is unfolded, once', async () => {
    const { ask, keys, tree } = setup();
    await tree.load(0);
    expect(ask).toHaveBeenCalledTimes(2);
    const root = tree.rows[2];
    tree.unfold(root);
    expect(tree.belowOf(root)).toEqual({ state: 'asked' });
    await settle();
    expect(keys()).toEqual(['1 mbr', '1 boot', '1 root', '2 a', '2 b']);
    expect(tree.rows[4]).toMatchObject({ position: 1, siblings: 2, parent: root });
    tree.fold(root);
    tree.unfold(root);
    await settle();
    expect(ask).toHaveBeenCalledTimes(3);
  });

  it('tells apart items of one key, of which one lies in the other', async () => {
    const { keys, tree } = setup();
    await tree.load(0);
    tree.unfold(tree.rows[2]);
    await settle();
    tree.unfold(tree.rows[3]);
    await settle();
    expect(keys()).toEqual(['1 mbr', '1 boot', '1 root', '2 a', '3 root', '2 b']);
    expect(tree.isUnfolded(tree.rows[4])).toBe(false);
  });

  it('is unfolded again as it was', async () => {
    const before = setup();
    await before.tree.load(0);
    before.tree.unfold(before.tree.rows[2]);
    await settle();
    before.tree.unfold(before.tree.rows[3]);
    const after = setup([...before.tree.unfoldedIds]);
    await after.tree.load(0);
    await settle();
    expect(after.keys()).toEqual(['1 mbr', '1 boot', '1 root', '2 a', '3 root', '2 b']);
  });

  it('says what cannot be read, and shows the rest', async () => {
    const { ask, keys, tree } = setup();
    ask.mockImplementationOnce(async () => {
      throw new Error('The table cannot be read.');
    });
    await tree.load(0);
    expect(tree.failure).toBe('The table cannot be read.');
    expect(keys()).toEqual(['1 boot', '1 root']);
    ask.mockImplementationOnce(async () => {
      throw new Error('The directory cannot be read.');
    });
    tree.unfold(tree.rows[1]);
    await settle();
    expect(tree.belowOf(tree.rows[1])).toEqual({
      state: 'failed',
      message: 'The directory cannot be read.',
    });
  });
});
