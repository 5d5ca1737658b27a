import { describe, expect, it } from 'vitest';
import { initialState, panelWidths, readState, type ViewState } from '../../webview/state';

const saved: ViewState = {
  view: 'files',
  place: {
    volume: 1,
    trail: [
      { name: '', node: 2 },
      { name: 'boot', node: 11 },
    ],
    chosen: { name: 'vmlinuz', node: 12, type: 'symlink', offset: 4096 },
    scroll: 17.5,
  },
  history: {
    back: [{ volume: 0, trail: [{ name: '', node: 0 }], chosen: null, scroll: null }],
    forward: [],
  },
  sort: 'modified',
  descending: true,
  filter: 'vm',
  deleted: true,
  panelWidth: 420,
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

  it('drops a place that is none', () => {
    const broken = [
      { ...saved.place, volume: '1' },
      { ...saved.place, trail: [{ name: 'x' }] },
      { ...saved.place, trail: undefined },
      { ...saved.place, volume: Number.NaN },
    ];
    for (const place of broken) {
      expect(readState({ ...saved, place }).place).toBeNull();
      expect(readState({ ...saved, history: { back: [place], forward: 'x' } }).history).toEqual({
        back: [],
        forward: [],
      });
    }
  });

  it('drops a chosen entry whose type is unknown to it', () => {
    const chosen = { ...saved.place?.chosen, type: 'door' };
    expect(readState({ ...saved, place: { ...saved.place, chosen } }).place?.chosen).toBeNull();
  });
});
