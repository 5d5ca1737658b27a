import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EditedImage } from '../../src/image/edited-image';
import type { Transaction } from '../../src/image/overlay';
import { noProgress } from '../../src/image/progress';
import { Random } from '../support/random';
import { temporaryFolder } from './support';

const size = 96 * 1024 + 700;

/** Makes one change to an image and to a plain array. */
function change(random: Random, transaction: Transaction, model: Uint8Array): void {
  for (let writes = 1 + random.below(4); writes > 0; writes--) {
    const offset = random.below(size);
    const longest = random.one([3, 600, 5000, 40_000]);
    const length = Math.min(size - offset, random.below(longest));
    const kind = random.one(['write', 'write', 'same', 'zero', 'punch'] as const);
    if (kind === 'write' || kind === 'same') {
      const bytes = model.slice(offset, offset + length);
      if (kind === 'write') bytes.set(random.bytes(random.below(length + 1)));
      else if (length > 0) bytes[random.below(length)] ^= random.below(2);
      transaction.write(offset, bytes);
      model.set(bytes, offset);
    } else {
      transaction[kind](offset, length);
      model.fill(0, offset, offset + length);
    }
  }
}

interface Step {
  readonly id: number;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

const options = { overwrite: false, undoLimit: Infinity, dropUndo: false };

it.each([1, 2, 3, 4])(
  'is as a plain array through edits, undo, redo, revert, save, backup and restore (seed %i)',
  (seed) => {
    const random = new Random(seed);
    const folder = temporaryFolder();
    const path = join(folder, 'image');
    const backup = join(folder, 'backup');
    let model: Uint8Array = random.bytes(size);
    model.fill(0, 20_000, 60_000);
    writeFileSync(path, model);
    const folders = { stateFolder: join(folder, 'state'), undoFolder: join(folder, 'undo') };
    let image = EditedImage.open(path, folders);
    let [done, undone]: [Step[], Step[]] = [[], []];
    const savedNow = () => ({ content: model.slice(), undoable: [...done] });
    let saved: { content: Uint8Array; undoable: readonly Step[] | null } = savedNow();

    const actions = {
      edit() {
        const before = model.slice();
        const transaction = image.begin();
        change(random, transaction, model);
        const own = new Uint8Array(size);
        transaction.read(0, own);
        expect(Buffer.compare(own, model)).toBe(0);
        if (random.below(5) === 0) {
          model = before;
          return image.rollback(transaction);
        }
        const id = image.commit(transaction);
        if (id === null) return expect(Buffer.compare(before, model)).toBe(0);
        const differing = image.changed(id);
        let at = 0;
        for (const { offset, length } of [...differing, { offset: size, length: 0 }]) {
          expect(Buffer.compare(before.subarray(at, offset), model.subarray(at, offset))).toBe(0);
          at = offset + length;
        }
        if (saved.undoable && !isStillAhead(saved.undoable, done)) saved.undoable = null;
        undone = [];
        done.push({ id, before, after: model.slice() });
      },
      undo() {
        const step = done.pop();
        if (!step) return;
        image.undo(step.id);
        model = step.before.slice();
        undone.push(step);
      },
      redo() {
        const step = undone.pop();
        if (!step) return;
        image.redo(step.id);
        model = step.after.slice();
        done.push(step);
      },
      wrongUndo() {
        const wrong = done.at(-2);
        if (wrong) expect(() => image.undo(wrong.id)).toThrow(/is not the one/);
      },
      save() {
        image.save(options, noProgress);
        expect(Buffer.compare(readFileSync(path), model)).toBe(0);
        saved = savedNow();
      },
      revert() {
        image.revert();
        model = saved.content.slice();
        done = [...(saved.undoable ?? [])];
        undone = [];
        saved = savedNow();
      },
      hotExit() {
        image.backUp(backup);
        image.close();
        image = EditedImage.open(path, folders);
        const before = saved.content.slice();
        const id = image.restore(backup);
        [done, undone] = [[], []];
        saved = { content: before, undoable: [] };
        if (id !== null) done.push({ id, before, after: model.slice() });
      },
    };
    /** Whether what was saved is what was made, or what can be made again. */
    function isStillAhead(undoable: readonly Step[], made: readonly Step[]): boolean {
      return undoable.length <= made.length && undoable.every((step, i) => step === made[i]);
    }

    const names = [
      ...(['edit', 'edit', 'edit', 'edit', 'undo', 'undo', 'undo', 'redo', 'redo'] as const),
      ...(['save', 'wrongUndo'] as const),
    ];
    for (let step = 0; step < 1500; step++) {
      const name =
        step % 97 === 96 ? random.one(['revert', 'hotExit'] as const) : random.one(names);
      actions[name]();
      const shown = new Uint8Array(size);
      expect(image.read(0, shown)).toBe(size);
      expect(Buffer.compare(shown, model), `step ${step}, ${name}`).toBe(0);
      if (!image.isDirty) expect(Buffer.compare(shown, saved.content)).toBe(0);
      const offset = random.below(size);
      const part = new Uint8Array(random.below(6000));
      image.read(offset, part);
      const expected = new Uint8Array(part.length);
      expected.set(model.subarray(offset, offset + part.length));
      expect(Buffer.compare(part, expected)).toBe(0);
    }
    image.close();
  },
);
