import { describe, expect, it } from 'vitest';
import { EditedImage } from '../../src/image/edited-image';
import { ImageError } from '../../src/image/errors';
import { noProgress } from '../../src/image/progress';
import { ForgetfulHost, PowerCut } from './forgetful-host';
import { Random } from '../support/random';
import { folders, options, path, scene, shownBy, size, stateOf } from './save-scene';

/** What the host's file holds of an image with one block of data between two holes. */
function sparseScene() {
  const host = new ForgetfulHost(new Random(1), 4096);
  const content = new Uint8Array(size);
  content.fill(7, 12_288, 16_384);
  host.put(path, content);
  return { host, content, image: EditedImage.open(path, folders, host) };
}

function write(image: EditedImage, offset: number, bytes: Uint8Array) {
  const transaction = image.begin();
  transaction.write(offset, bytes);
  return image.commit(transaction);
}

function errorOf(work: () => unknown): ImageError {
  try {
    work();
  } catch (error) {
    if (error instanceof ImageError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}

const seeds = [1, 2, 3, 4, 5, 6, 7, 8];

describe('a save that fails', () => {
  it('leaves the file as it was, or is finished by the next one', () => {
    const seen = new Set<string>();
    for (const seed of seeds) {
      const whole = scene(seed);
      const before = whole.host.calls;
      whole.image.save(options, noProgress);
      const calls = whole.host.calls - before;
      for (let call = 1; call <= calls; call++) {
        const failed = scene(seed);
        failed.host.failAt = failed.host.calls + call;
        let outcome = 'saved';
        try {
          failed.image.save(options, noProgress);
        } catch (error) {
          outcome = /in part/.test(String(error)) ? 'in part' : 'as it was';
        }
        seen.add(outcome);
        const content = failed.host.content(path);
        if (outcome === 'as it was') {
          expect(stateOf(failed, content)).toBe('old');
          expect(failed.host.list(folders.stateFolder)).toEqual([]);
        }
        if (outcome === 'saved') expect(stateOf(failed, content)).toBe('new');
        expect(stateOf(failed, shownBy(failed.image))).toBe('new');
        expect(failed.image.isDirty).toBe(outcome !== 'saved');

        failed.image.save(options, noProgress);
        expect(stateOf(failed, failed.host.content(path))).toBe('new');
        expect(failed.image.isDirty).toBe(false);
      }
    }
    expect([...seen].sort()).toEqual(['as it was', 'in part', 'saved']);
  });

  it('has changed nothing when the host is full, and gives back what it took', () => {
    for (const canReserve of [true, false]) {
      const { host, content, image } = sparseScene();
      Object.assign(host, { canReserve, room: 2 * 4096 });
      write(image, 20_000, new Uint8Array(9000).fill(1));
      const allocated = host.allocated(path);
      const error = errorOf(() => image.save(options, noProgress));
      expect(error.code).toBe('no-room');
      expect(Buffer.compare(host.content(path), content)).toBe(0);
      expect(host.allocated(path)).toBe(allocated);
      expect(host.list(folders.stateFolder)).toEqual([]);

      host.room = Infinity;
      image.save(options, noProgress);
      expect(Buffer.compare(host.content(path), shownBy(image))).toBe(0);
    }
  });

  it('is as if it had not begun when it is cancelled, until the file is written', () => {
    const { host, content, image } = sparseScene();
    write(image, 0, new Uint8Array(3000).fill(1));
    const cancelled = new ImageError('cancelled', 'Cancelled.');
    const cancelAt = (least: number) => ({
      report(done: number, total: number) {
        if (done / total >= least) throw cancelled;
      },
    });
    expect(errorOf(() => image.save(options, cancelAt(0)))).toBe(cancelled);
    expect(Buffer.compare(host.content(path), content)).toBe(0);
    image.save(options, cancelAt(0.75));
    expect(Buffer.compare(host.content(path), shownBy(image))).toBe(0);
  });
});

describe('an image that another program changed', () => {
  it('is not saved, unless that is asked for', () => {
    const { host, image } = sparseScene();
    write(image, 100, Uint8Array.of(1, 2, 3));
    host.disturb(path, 13_000);
    const disturbed = host.content(path);
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(errorOf(() => image.save(options, noProgress)).code).toBe('conflict');
      expect(Buffer.compare(host.content(path), disturbed)).toBe(0);
    }
    image.save({ ...options, overwrite: true }, noProgress);
    disturbed.set([1, 2, 3], 100);
    expect(Buffer.compare(host.content(path), disturbed)).toBe(0);
    expect(Buffer.compare(shownBy(image), disturbed)).toBe(0);
  });

  it('is not saved at all when it has another size', () => {
    const { host, image } = sparseScene();
    write(image, 100, Uint8Array.of(1, 2, 3));
    host.put(path, new Uint8Array(50));
    const error = errorOf(() => image.save({ ...options, overwrite: true }, noProgress));
    expect(error.code).toBe('conflict');
    expect(host.content(path)).toEqual(new Uint8Array(50));
  });

  it('is overwritten where its name leads to another file', () => {
    const { host, image } = sparseScene();
    write(image, 100, Uint8Array.of(1, 2, 3));
    const other = new Uint8Array(size).fill(9);
    host.put(path, other);
    image.save({ ...options, overwrite: true }, noProgress);
    other.set([1, 2, 3], 100);
    expect(Buffer.compare(host.content(path), other)).toBe(0);
    expect(Buffer.compare(shownBy(image), other)).toBe(0);
  });

  it('is not saved while another program is saving it', () => {
    const { host, image } = sparseScene();
    write(image, 100, Uint8Array.of(1, 2, 3));
    const other = EditedImage.open(path, folders, host);
    write(other, 200, Uint8Array.of(4));
    host.cutAt = host.calls + 6; // its journal is there
    expect(() => other.save(options, noProgress)).toThrow(PowerCut);
    host.cutAt = Infinity;
    const error = errorOf(() => image.save({ ...options, overwrite: true }, noProgress));
    expect(error).toMatchObject({ code: 'conflict', message: expect.stringMatching(/is saving/) });
  });
});

/** A host on which a save was cut short in the middle, and the file is neither old nor new. */
function cutScene() {
  for (let seed = 1; ; seed++) {
    const cut = scene(seed);
    cut.host.cutAt = cut.host.calls + 7;
    try {
      cut.image.save(options, noProgress);
    } catch {
      cut.host.restart();
      if (stateOf(cut, cut.host.content(path)) === 'between') return cut;
    }
  }
}

describe('a save that was cut short', () => {
  it('is told of when it is finished', () => {
    const cut = cutScene();
    const image = EditedImage.open(path, folders, cut.host);
    expect(image.notes).toEqual([expect.stringMatching(/is finished now/)]);
    expect(stateOf(cut, cut.host.content(path))).toBe('new');
  });

  it('is not finished over what another program has written since', () => {
    const cut = cutScene();
    const differing = cut.old.findIndex((byte, i) => byte !== cut.new[i]);
    const other = cut.host.content(path);
    cut.host.disturb(path, differing);
    other[differing] ^= 0xff;
    const image = EditedImage.open(path, folders, cut.host);
    expect(Buffer.compare(cut.host.content(path), other)).toBe(0);
    expect(Buffer.compare(shownBy(image), other)).toBe(0);
    expect(image.notes).toEqual([expect.stringMatching(/another program has written/)]);
    expect(cut.host.list(folders.stateFolder)).toEqual([expect.stringMatching(/\.aside$/)]);
    expect(EditedImage.open(path, folders, cut.host).notes).toEqual([]);
  });

  it('is shown as finished where the image cannot be written', () => {
    const cut = cutScene();
    const between = cut.host.content(path);
    cut.host.isReadOnly = true;
    const image = EditedImage.open(path, folders, cut.host);
    expect(stateOf(cut, shownBy(image))).toBe('new');
    expect(Buffer.compare(cut.host.content(path), between)).toBe(0);
    expect(image.notes).toEqual([expect.stringMatching(/what is shown is how it will be/)]);
    expect(image.whyReadOnly).toMatch(/cannot be written/);
    expect(image.isDirty).toBe(false);
    cut.host.isReadOnly = false;
    EditedImage.open(path, folders, cut.host);
    expect(stateOf(cut, cut.host.content(path))).toBe('new');
  });

  it('is shown, and nothing written over it, where it fails again', () => {
    const cut = cutScene();
    cut.host.failAt = cut.host.calls + 1;
    const image = EditedImage.open(path, folders, cut.host);
    expect(stateOf(cut, shownBy(image))).toBe('new');
    expect(image.whyReadOnly).toMatch(/cannot be finished.*The host failed/);
    write(image, 0, Uint8Array.of(1));
    expect(errorOf(() => image.save(options, noProgress)).code).toBe('read-only');
    EditedImage.open(path, folders, cut.host);
    expect(stateOf(cut, cut.host.content(path))).toBe('new');
  });
});

describe('undo', () => {
  const keeping = { ...folders, undoFolder: '/undo' };

  it('goes behind a save, and needs what holds data', () => {
    const { host, content } = sparseScene();
    const image = EditedImage.open(path, keeping, host);
    const transaction = image.begin();
    transaction.punch(8192, 12_288); // a block of data, and two of a hole
    transaction.write(0, Uint8Array.of(5));
    const id = image.commit(transaction);
    expect(image.keptForUndo()).toBe(4096);
    image.save(options, noProgress);
    expect(host.allocated(path)).toBe(4096); // of the byte that was written
    expect(image.keptForUndo()).toBe(0);
    image.undo(Number(id));
    expect(image.isDirty).toBe(true);
    image.save(options, noProgress);
    expect(Buffer.compare(host.content(path), content)).toBe(0);
    expect(host.allocated(path)).toBe(2 * 4096);
  });

  it('is refused beyond its limit, or given up', () => {
    const { host, content } = sparseScene();
    const image = EditedImage.open(path, keeping, host);
    const transaction = image.begin();
    transaction.punch(12_288, 4096);
    const id = Number(image.commit(transaction));
    const limited = { ...options, undoLimit: 4095 };
    expect(errorOf(() => image.save(limited, noProgress)).code).toBe('no-room');
    expect(Buffer.compare(host.content(path), content)).toBe(0);
    const { notes, bytesPunched, reclaimed } = image.save(
      { ...limited, dropUndo: true },
      noProgress,
    );
    expect([bytesPunched, reclaimed]).toEqual([4096, 4096]);
    expect(notes).toEqual([]); // it was asked for
    expect(image.isDirty).toBe(false);
    expect(errorOf(() => image.undo(id)).code).toBe('conflict');
  });

  it('ends at a save where nothing can be kept', () => {
    const { image } = sparseScene();
    const id = Number(write(image, 13_000, Uint8Array.of(1)));
    expect(image.save(options, noProgress).notes).toHaveLength(1);
    expect(errorOf(() => image.undo(id)).code).toBe('conflict');
    image.revert();
    expect(image.isDirty).toBe(false);
  });
});

it('is told that zeros were written where the host makes no holes', () => {
  const { host, image } = sparseScene();
  host.canPunch = false;
  const transaction = image.begin();
  transaction.punch(12_288, 4096);
  image.commit(transaction);
  const { notes, bytesWritten, bytesPunched } = image.save(options, noProgress);
  expect([bytesWritten, bytesPunched]).toEqual([4096, 0]);
  expect(notes.join()).toMatch(/zeros were written/);
  expect(Buffer.compare(host.content(path), new Uint8Array(size))).toBe(0);
});
