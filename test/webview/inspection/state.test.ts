import { describe, expect, it } from 'vitest';
import {
  initialState,
  panelWidths,
  readState,
  type ViewState,
} from '../../../webview/inspection/state';

const saved: ViewState = {
  view: 'files',
  place: {
    volume: 1,
    trail: [
      { name: '', node: 2 },
      { name: 'boot', node: 11 },
    ],
    chosen: { name: 'vmlinuz', node: 12, type: 'symlink', offset: 4096 },
    record: 4096,
    unit: 17,
    scroll: 17.5,
  },
  bytes: { offset: 2 ** 41, length: 16 },
  history: {
    back: [
      {
        view: 'structures',
        place: {
          volume: 0,
          trail: [{ name: '', node: 0 }],
          chosen: null,
          record: null,
          unit: null,
          scroll: null,
        },
        bytes: { offset: 0, length: 0 },
      },
    ],
    forward: [],
  },
  sort: 'modified',
  descending: true,
  filter: 'vm',
  deleted: true,
  panelWidth: 420,
  records: {
    sort: 'slack',
    descending: true,
    states: 'broken',
    line: 512,
    sight: { directory: 11, block: 3, byte: 1024, chosen: 4096 },
    height: 300,
  },
  treeWidth: 300,
  unfolded: ['0\ngroups', '0\ngroups\ngroup/0'],
  search: { typed: '53 ef', kind: 'hex', matchCase: true },
  map: { volume: 1, first: 2, units: 2 ** 34 },
  planner: {
    open: 'trim',
    length: '1G',
    offset: '4096',
    keepSize: true,
    zero: true,
    policy: 'next-fit',
    minimum: '64K',
  },
  checks: {
    filter: 'inode',
    hidden: ['note'],
    sort: 'spot',
    descending: true,
    folded: ['warning', 'inode-size 1024 inode.i_size 12'],
    chosen: { index: 3, key: 'inode-size 1024 inode.i_size 12' },
  },
};

describe('readState', () => {
  it('gives back what was saved', () => {
    expect(readState(JSON.parse(JSON.stringify(saved)))).toEqual(saved);
  });

  it('starts anew without a state', () => {
    for (const nothing of [undefined, null, 'text', 7, {}]) {
      expect(readState(nothing)).toEqual(initialState);
    }
  });

  it('replaces what does not fit and keeps the rest', () => {
    const state = readState({ ...saved, sort: 'colour', panelWidth: 1e9, filter: 3, view: null });
    expect(state).toEqual({
      ...saved,
      sort: initialState.sort,
      panelWidth: panelWidths.most,
      filter: '',
      view: initialState.view,
    });
  });

  it('replaces what does not fit of how records are shown', () => {
    const sight = { directory: 11, block: -1, byte: 0 };
    const records = { sort: 1, descending: 'no', states: 'good', line: -4, sight, height: '1' };
    expect(readState({ ...saved, records }).records).toEqual(initialState.records);
  });

  it('shows the whole map where what was saved of it does not fit', () => {
    for (const map of [7, { volume: 1, first: -2, units: 10 }, { volume: 1, first: 2, units: 0 }]) {
      expect(readState({ ...saved, map }).map).toBeNull();
    }
  });

  it('replaces what does not fit of how structures are shown', () => {
    const state = readState({
      ...saved,
      treeWidth: 'wide',
      unfolded: [7, '0\ngroups'],
      search: { typed: 53, kind: 'octal' },
    });
    expect(state).toMatchObject({
      treeWidth: initialState.treeWidth,
      unfolded: ['0\ngroups'],
      search: initialState.search,
    });
    expect(readState({ ...saved, unfolded: 'all' }).unfolded).toEqual([]);
  });

  it('closes a planner that is none, and plans what is planned at first', () => {
    const planner = { open: 'defragment', length: 16, offset: null, policy: 'best', minimum: {} };
    expect(readState({ ...saved, planner }).planner).toEqual(initialState.planner);
  });

  it('drops a place that is none', () => {
    const broken = [
      { ...saved.place, volume: '1' },
      { ...saved.place, trail: [{ name: 'x' }] },
      { ...saved.place, trail: undefined },
      { ...saved.place, volume: Number.NaN },
    ];
    for (const place of broken) {
      expect(readState({ ...saved, place }).place).toBeNull();
      const stop = { view: 'files', place, bytes: { offset: 0.5, length: 1 } };
      expect(readState({ ...saved, history: { back: [stop, 7], forward: 'x' } }).history).toEqual({
        back: [{ view: 'files', place: null, bytes: null }],
        forward: [],
      });
    }
  });

  it('drops a chosen entry whose type is unknown to it', () => {
    const chosen = { ...saved.place?.chosen, type: 'door' };
    expect(readState({ ...saved, place: { ...saved.place, chosen } }).place?.chosen).toBeNull();
  });
});
