import { describe, expect, it } from 'vitest';
import { EditedImage } from '../../src/image/edited-image';
import { noProgress } from '../../src/image/progress';
import { PowerCut } from './forgetful-host';
import { Random } from '../support/random';
import { folders, options, path, scene, shownBy, stateOf } from './save-scene';

/** Does what the power cut ends. */
function untilPowerCut(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof PowerCut)) throw error;
  }
}

const seeds = Array.from({ length: 40 }, (_, index) => index + 1);

describe('a save that the power is cut of', () => {
  it('leaves the old image or the new one, at whatever call it is', () => {
    const seen = { old: 0, new: 0 };
    for (const seed of seeds) {
      const whole = scene(seed);
      const before = whole.host.calls;
      whole.image.save(options, noProgress);
      expect(stateOf(whole, whole.host.content(path))).toBe('new');
      const calls = whole.host.calls - before;
      whole.host.restart();
      expect(whole.host.list(folders.stateFolder)).toEqual([]);
      for (let call = 1; call <= calls; call++) {
        const cut = scene(seed);
        cut.host.cutAt = cut.host.calls + call;
        untilPowerCut(() => cut.image.save(options, noProgress));
        cut.host.restart();

        const again = EditedImage.open(path, folders, cut.host);
        const state = stateOf(cut, shownBy(again));
        expect(state, `seed ${seed}, call ${call} of ${calls}`).not.toBe('between');
        if (state !== 'between') seen[state]++;
        expect(stateOf(cut, cut.host.content(path))).toBe(state);
        expect(again.isDirty).toBe(false);
        expect(cut.host.list(folders.stateFolder)).toEqual([]);
      }
    }
    expect(seen.old).toBeGreaterThan(seeds.length);
    expect(seen.new).toBeGreaterThan(seeds.length);
  });

  it('is finished also when the power is cut of that', () => {
    for (const seed of seeds) {
      const random = new Random(-seed);
      const cut = scene(seed);
      cut.host.cutAt = cut.host.calls + 4 + random.below(12);
      untilPowerCut(() => cut.image.save(options, noProgress));
      cut.host.restart();
      const first = stateOf(cut, cut.host.content(path));
      for (let cuts = 0; cuts < 4; cuts++) {
        cut.host.cutAt = cut.host.calls + 1 + random.below(4);
        untilPowerCut(() => EditedImage.open(path, folders, cut.host));
        cut.host.restart();
      }
      const state = stateOf(cut, shownBy(EditedImage.open(path, folders, cut.host)));
      expect(state, `seed ${seed}, ${first} after the first cut`).not.toBe('between');
      if (first !== 'old') expect(state).toBe('new');
    }
  });
});
