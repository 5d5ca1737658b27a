import { beforeEach, describe, expect, it } from 'vitest';
import { RemoteError } from '../../../src/protocol/rpc';
import {
  change,
  changeField,
  openPlanner,
  setPlanner,
  whyEntryFixed,
  whyFixed,
  whyNotPlanned,
  whyReadOnly,
} from '../../../webview/inspection/edits';
import type { Inspection } from '../../../webview/inspection/inspection';
import { selectionOf } from '../../../webview/inspection/selection';
import { fatVolume, FakeTree, row, rootNode, xfsVolume } from '../fake-host';

const locked = { ...xfsVolume, whyReadOnly: 'What cannot be read cannot be changed either.' };
const label = { kind: 'label', volume: 0, label: 'NEW' } as const;

let tree: FakeTree;
let inspection: Inspection;

beforeEach(async () => {
  tree = new FakeTree();
  tree.volumes = [fatVolume, locked];
  tree.add(rootNode, row(7));
  inspection = tree.open();
  await inspection.load();
});

describe('why something cannot be changed', () => {
  it('is said by the volume that is shown, and by the one that holds a byte', async () => {
    expect(whyReadOnly(inspection)).toBeNull();
    expect(whyFixed(inspection, 0)).toBeNull();
    expect(whyFixed(inspection, locked.offset - 1)).toBeNull();
    expect(whyFixed(inspection, locked.offset)).toBe(locked.whyReadOnly);
    expect(whyFixed(inspection, locked.offset + locked.length)).toBeNull();
    await inspection.openVolume(1);
    expect(whyReadOnly(inspection)).toBe(locked.whyReadOnly);
  });
});

describe('a change', () => {
  it('is asked for, and what comes of it is told', async () => {
    const edit = { ...(await tree.host.edit(label)), id: 1, notes: ['It was cut.', 'So it is.'] };
    tree.host.edit.mockResolvedValueOnce(edit);
    expect(await change(inspection, label)).toBe(edit);
    expect(tree.host.edit).toHaveBeenLastCalledWith(label);
    expect(inspection.notice).toBe('It was cut. So it is.');
  });

  it('tells why it was refused, and nothing where the person gave it up', async () => {
    tree.host.edit.mockRejectedValueOnce(new RemoteError('cancelled', 'It was given up.'));
    expect(await change(inspection, label)).toBeNull();
    expect(inspection.notice).toBeNull();
    tree.host.edit.mockRejectedValueOnce(new RemoteError('usage', 'A label has no "*".'));
    expect(await change(inspection, label)).toBeNull();
    expect(inspection.notice).toBe('A label has no "*".');
  });
});

describe('a field', () => {
  const field = { name: 'label', offset: 120, length: 8, value: 'OLD', meaning: 'Its label' };
  const structure = { kind: 'superblock', name: 'superblock', offset: 100, length: 60 };
  const ask = () => changeField(inspection, { ...structure, fields: [field] }, field, 'NEW');

  it('is changed by its name and that of its structure', async () => {
    expect(await ask()).toBeNull();
    expect(tree.host.edit).toHaveBeenCalledExactlyOnceWith({
      kind: 'field',
      structure: 100,
      structureKind: 'superblock',
      field: 'label',
      value: 'NEW',
    });
  });

  it('is left with the reason where it is refused, but for what was given up', async () => {
    tree.host.edit.mockRejectedValueOnce(new RemoteError('usage', 'That is too long.'));
    expect(await ask()).toBe('That is too long.');
    tree.host.edit.mockRejectedValueOnce(new RemoteError('cancelled', 'It was given up.'));
    expect(await ask()).toBeNull();
    expect(inspection.notice).toBeNull();
  });
});

describe('the planner', () => {
  it('opens in the space view, for the entry that is asked for', async () => {
    await openPlanner(inspection, 'preallocate', {
      volume: 0,
      directory: rootNode,
      directoryPath: '/',
      node: 1007,
      path: '/file-7',
      type: 'file',
    });
    expect(inspection.state).toMatchObject({ view: 'space', planner: { open: 'preallocate' } });
    expect(inspection.place?.chosen).toMatchObject({ node: 1007, name: 'file-7' });
  });

  it('begins with a length that there is room for', () => {
    const opensWith = (freeBlocks: number | null, length = '16M') => {
      inspection.image = { ...tree.summary(), volumes: [{ ...fatVolume, freeBlocks }] };
      const { planner } = inspection.state;
      inspection.update({ planner: { ...planner, length } });
      setPlanner(inspection, 'preallocate');
      return inspection.state.planner.length;
    };
    expect(opensWith(null)).toBe('16M');
    expect(opensWith(100_000)).toBe('16M');
    expect(opensWith(14_336)).toBe('4M');
    expect(opensWith(512)).toBe('128K');
    expect(opensWith(0)).toBe('1K');
    expect(opensWith(0, '3M')).toBe('3M');
  });

  it('keeps what is chosen where no entry is asked for', async () => {
    inspection.choose({ node: 1007, name: 'file-7', type: 'file', offset: null });
    await openPlanner(inspection, 'trim');
    expect(inspection.state).toMatchObject({ view: 'space', planner: { open: 'trim' } });
    expect(inspection.place?.chosen?.node).toBe(1007);
  });
});

describe('a deleted entry', () => {
  it('cannot be changed, which the extension is told too', () => {
    const gone = { node: 1009, name: 'gone', type: 'file', offset: 64 } as const;
    inspection.choose(gone);
    expect(whyEntryFixed(inspection)).toBeNull();
    expect(selectionOf(inspection.state).entry).not.toHaveProperty('deleted');
    inspection.choose({ ...gone, deleted: true });
    expect(whyEntryFixed(inspection)).toBe('gone is deleted.');
    expect(whyNotPlanned(inspection, 'preallocate')).toBe('gone is deleted.');
    expect(whyNotPlanned(inspection, 'trim')).toBeNull();
    expect(selectionOf(inspection.state).entry).toMatchObject({ node: 1009, deleted: true });
    inspection.choose(null);
    expect(whyEntryFixed(inspection)).toBeNull();
  });
});
