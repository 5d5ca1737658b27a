import { describe, expect, it } from 'vitest';
import { EditedImage } from '../../src/image/edited-image';
import { noProgress } from '../../src/image/progress';
import { ForgetfulHost, PowerCut } from './forgetful-host';
import { Random } from './random';

const size = 40_000;
const path = '/images/disk.img';
const folders = { stateFolder: '/state', undoFolder: undefined };
const options = { overwrite: false, undoLimit: Infinity, dropUndo: false };

interface Scene {
  readonly host: ForgetfulHost;
  readonly image: EditedImage;
  readonly old: Uint8Array;
  readonly new: Uint8Array;
}

const shownBy = (image: EditedImage) => {
  const bytes = new Uint8Array(size);
  image.read(0, bytes);
  return bytes;
};

/** An image with changes that are not saved; the same for the same seed. */
function scene(seed: number): Scene {
  const random = new Random(seed);
  const host = new ForgetfulHost(random, random.of([512, 4096]));
  host.canPunch = random.below(4) > 0;
  host.canReserve = random.below(2) > 0;
  const old = random.bytes(size);
  old.fill(0, 8000, 22_000); // with a hole in it
  host.put(path, old);
  const image = EditedImage.open(path, folders, host);
  for (let edits = 1 + random.below(3); edits > 0; edits--) {
    const transaction = image.begin();
    for (let writes = 1 + random.below(3); writes > 0; writes--) {
      const offset = random.below(size);
      const length = Math.min(size - offset, 1 + random.below(random.of([20, 2000, 15_000])));
      const kind = random.of(['write', 'write', 'zero', 'punch'] as const);
      if (kind === 'write') transaction.write(offset, random.bytes(length));
      else transaction[kind](offset, length);
    }
    image.commit(transaction);
  }
  return { host, image, old, new: shownBy(image) };
}

const isSame = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

/** Which of two states an image is in, as a word that a failed test can show. */
function stateOf({ old, new: changed }: Scene, bytes: Uint8Array): 'old' | 'new' | 'between' {
  if (isSame(bytes, changed)) return 'new';
  return isSame(bytes, old) ? 'old' : 'between';
}

/** Does what the power cut ends. */
function untilPowerCut(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof PowerCut)) throw error;
  }
}

const seeds = Array.from({ length: 60 }, (_, index) => index + 1);

describe('a save that the power is cut of', () => {
  it('leaves the old image or the new one, at whatever call it is', () => {
    const seen = { old: 0, new: 0 };
    for (const seed of seeds) {
      const whole = scene(seed);
      const before = whole.host.calls;
      whole.image.save(options, noProgress);
      expect(stateOf(whole, whole.host.content(path))).toBe('new');
      const calls = whole.host.calls - before;
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
