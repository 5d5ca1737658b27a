import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { ImageEdits } from '../../../src/extension/image/image-edits';
import { RemoteError } from '../../../src/protocol/rpc';
import { FakeEditor } from './fake-editor';
import { FakeEngine, labelled } from './fake-engine';

let engine: FakeEngine;
let editor: FakeEditor;
let edits: ImageEdits;

beforeEach(start);

function start(): void {
  engine = new FakeEngine();
  editor = new FakeEditor();
  edits = new ImageEdits(engine.client, editor);
  editor.edits = edits;
}

const options = { overwrite: false, undoLimit: 0, dropUndo: false };
const write = () => engine.client.request('save', [options]);
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('changes', () => {
  it('are steps of the undo stack, in their order', async () => {
    await Promise.all(['a', 'b', 'c'].map((label) => edits.edit(labelled(label))));
    expect(editor.labels).toEqual(['a', 'b', 'c']);
    await editor.undo();
    await editor.undo();
    expect(engine.shown).toEqual(['a']);
    await editor.redo();
    expect(engine.shown).toEqual(['a', 'b']);
    expect(editor.isDirty).toBe(true);
    expect(editor.changes).toBe(6);
  });

  it('that are refused leave no step', async () => {
    engine.failures.set('edit', new RemoteError('full', 'There is no room.'));
    await expect(edits.edit(labelled('a'))).rejects.toMatchObject({ code: 'full' });
    await edits.edit(labelled('b'));
    expect(editor.labels).toEqual(['b']);
    expect(editor.changes).toBe(1);
  });

  it('that are undone while another one is on its way keep the stack and the image in step', async () => {
    await edits.edit(labelled('a'));
    const second = edits.edit(labelled('b'));
    await Promise.all([editor.undo(), second]);
    expect(engine.shown).toEqual(['a']);
    expect(editor.errors).toEqual([]);
    await editor.undo();
    expect(engine.shown).toEqual([]);
    expect(editor.isDirty).toBe(false);
  });
});

describe('a save', () => {
  it('keeps undo, which makes the document dirty again', async () => {
    await edits.edit(labelled('a'));
    await editor.save(write);
    expect([editor.isDirty, edits.isDirty]).toEqual([false, false]);
    await editor.undo();
    expect(engine).toMatchObject({ shown: [], file: ['a'] });
    expect([editor.isDirty, edits.isDirty]).toEqual([true, true]);
  });

  it('writes nothing where nothing has changed', async () => {
    await edits.edit(labelled('a'));
    await editor.undo();
    await edits.save(write);
    expect(engine.asked).not.toContain('save');
  });

  it('that fails leaves the document dirty', async () => {
    await edits.edit(labelled('a'));
    engine.failures.set('save', new RemoteError('no-room', 'The disk is full.'));
    await expect(editor.save(write)).rejects.toMatchObject({ message: 'The disk is full.' });
    expect([editor.isDirty, edits.isDirty]).toEqual([true, true]);
  });

  it('does not take in what is changed while it runs', async () => {
    await edits.edit(labelled('a'));
    const saved = editor.save(write);
    const changed = edits.edit(labelled('b'));
    await Promise.all([saved, changed]);
    expect(engine.file).toEqual(['a']);
    expect([editor.isDirty, edits.isDirty]).toEqual([true, true]);
  });

  it('is not mistaken for one of what is undone while it runs', async () => {
    await edits.edit(labelled('a'));
    const saved = editor.save(write);
    await Promise.all([saved, editor.undo()]);
    expect(engine).toMatchObject({ shown: [], file: ['a'] });
    expect([editor.isDirty, edits.isDirty]).toEqual([true, true]);
  });

  it('that gave undo up leaves a document that says so, and is saved', async () => {
    await edits.edit(labelled('a'));
    await editor.save(write);
    engine.failures.set('undo', new RemoteError('conflict', 'It is not the last change.'));
    await editor.undo();
    await settled();
    expect(editor.errors).toMatchObject([
      { message: expect.stringMatching('saved without what undo needs') },
    ]);
    expect(engine).toMatchObject({ shown: ['a'], file: ['a'] });
    expect([editor.isDirty, edits.isDirty]).toEqual([false, false]);
  });

  it('is not taken for the state that a new change stands in the place of', async () => {
    for (const label of ['a', 'b']) await edits.edit(labelled(label));
    await editor.save(write);
    await editor.undo();
    // As many steps as were saved, but other ones.
    await edits.edit(labelled('c'));
    expect(engine).toMatchObject({ shown: ['a', 'c'], file: ['a', 'b'] });
    expect([editor.isDirty, edits.isDirty]).toEqual([true, true]);
  });
});

describe('what is read anew', () => {
  it('has no steps to undo, and says so once', async () => {
    for (const label of ['a', 'b']) await edits.edit(labelled(label));
    await edits.reload(async () => engine.restart());
    await editor.save();
    await editor.undo();
    await settled();
    expect(editor.errors).toMatchObject([{ code: 'conflict' }]);
    expect(editor.labels).toEqual([]);
    expect([editor.isDirty, edits.isDirty]).toEqual([false, false]);
  });

  it('refuses what was asked for before', async () => {
    const reloaded = edits.reload(async () => engine.restart());
    await expect(edits.edit(labelled('a'))).rejects.toMatchObject({ code: 'conflict' });
    await reloaded;
    await edits.edit(labelled('b'));
    expect(engine.shown).toEqual(['b']);
  });
});

describe('an engine that ends', () => {
  it('takes with it what came after the last backup', async () => {
    await edits.edit(labelled('a'));
    await edits.backUp('/backup');
    await edits.edit(labelled('b'));
    engine.restart();
    expect(await edits.recover()).toEqual(['b']);
    expect(engine.shown).toEqual(['a']);
    expect([editor.isDirty, edits.isDirty]).toEqual([true, true]);
    await editor.undo();
    expect(engine.shown).toEqual([]);
  });

  it('takes with it all that is not saved where there is no backup', async () => {
    await edits.edit(labelled('a'));
    await editor.save(write);
    await edits.edit(labelled('b'));
    await edits.backUp('/backup');
    edits.forgetBackup('/backup');
    engine.restart();
    expect(await edits.recover()).toEqual(['b']);
    await settled();
    expect(engine.shown).toEqual(['a']);
    expect([editor.isDirty, edits.isDirty]).toEqual([false, false]);
  });

  it('loses nothing where nothing is unsaved', async () => {
    await edits.edit(labelled('a'));
    await editor.save(write);
    engine.restart();
    expect(await edits.recover()).toEqual([]);
    expect([editor.isDirty, edits.isDirty]).toEqual([false, false]);
  });

  it('does not let a change or a save through that expects what it had', async () => {
    await edits.edit(labelled('a'));
    const waiting = [edits.edit(labelled('b')), edits.save(write)];
    engine.restart();
    const recovered = edits.recover();
    const outcomes = await Promise.allSettled(waiting);
    await recovered;
    expect(outcomes[1].status).toBe('rejected');
    expect(engine.file).toEqual([]);
  });
});

describe('a backup', () => {
  it('is taken over as one step, which can be undone', async () => {
    for (const label of ['a', 'b']) await edits.edit(labelled(label));
    await edits.backUp('/backup');
    const { backups } = engine;
    start();
    engine.backups.set('/backup', backups.get('/backup') ?? []);
    await edits.restore('/backup');
    expect(engine.shown).toEqual(['a', 'b']);
    expect([editor.isDirty, edits.isDirty]).toEqual([true, true]);
    await editor.undo();
    expect(engine.shown).toEqual([]);
    expect([editor.isDirty, edits.isDirty]).toEqual([false, false]);
  });

  it('is made while a save waits for the person', async () => {
    await edits.edit(labelled('a'));
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    const saved = edits.save(() => asked);
    await edits.backUp('/backup');
    expect(engine.backups.get('/backup')).toEqual(['a']);
    answer();
    await saved;
  });
});

it('agrees with VS Code on what is saved, whatever is done', async () => {
  const action = fc.constantFrom('edit', 'edit', 'undo', 'undo', 'redo', 'save', 'revert');
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
      start();
      let count = 0;
      for (const name of actions) {
        if (name === 'edit') await edits.edit(labelled(String(++count)));
        else if (name === 'save') await editor.save(write);
        else await editor[name]();
        const isDirty = engine.shown.join() !== engine.file.join();
        // What is equal by chance counts as changed; what differs never counts as saved.
        if (isDirty) expect([editor.isDirty, edits.isDirty]).toEqual([true, true]);
        if (!edits.isDirty) expect(isDirty).toBe(false);
      }
      await editor.save(write);
      expect(engine.file).toEqual(engine.shown);
      expect([editor.isDirty, edits.isDirty]).toEqual([false, false]);
    }),
    { numRuns: 60 },
  );
});
