import { beforeEach, expect, it, vi } from 'vitest';
import {
  saveChanges,
  writeIfThere,
  writeToFile,
  writeWhole,
  type SaveQuestions,
} from '../../../src/extension/image/saving';
import { RemoteError } from '../../../src/protocol/rpc';
import { FakeEngine, labelled } from './fake-engine';

const undoLimit = 1000;
let engine: FakeEngine;
const onConflict = vi.fn<SaveQuestions['onConflict']>();
const onUndoLimit = vi.fn<SaveQuestions['onUndoLimit']>();

beforeEach(async () => {
  engine = new FakeEngine();
  onConflict.mockReset();
  onUndoLimit.mockReset();
  await engine.client.request('edit', [labelled('a')]);
});

const save = (write = writeToFile(engine.client)) =>
  saveChanges(engine.client, write, { onConflict, onUndoLimit }, undoLimit);

it('asks nothing where nothing stands against it', async () => {
  expect(await save()).toMatchObject({ bytesWritten: 1 });
  expect(engine.file).toEqual(['a']);
  expect(onConflict).not.toHaveBeenCalled();
  expect(onUndoLimit).not.toHaveBeenCalled();
});

it('writes over what another program wrote only when told to', async () => {
  engine.hasConflict = true;
  onConflict.mockResolvedValue(null);
  await expect(save()).rejects.toMatchObject({ code: 'cancelled' });
  expect(engine.file).toEqual([]);
  onConflict.mockResolvedValue('overwrite');
  await save();
  expect(engine.file).toEqual(['a']);
});

it('writes nothing when what is in the file is wanted', async () => {
  engine.hasConflict = true;
  onConflict.mockResolvedValue('reload');
  expect(await save()).toBeNull();
  expect(engine.file).toEqual([]);
});

it('keeps no more for undo than is allowed unless told to', async () => {
  engine.keptForUndo = undoLimit + 1;
  onUndoLimit.mockResolvedValue(false);
  await expect(save()).rejects.toMatchObject({ code: 'cancelled' });
  expect(onUndoLimit).toHaveBeenCalledExactlyOnceWith(undoLimit + 1);
  expect(engine.file).toEqual([]);
  onUndoLimit.mockResolvedValue(true);
  await save();
  expect(engine.file).toEqual(['a']);
});

it('asks one thing after the other', async () => {
  engine.hasConflict = true;
  engine.keptForUndo = undoLimit + 1;
  onConflict.mockResolvedValue('overwrite');
  onUndoLimit.mockResolvedValue(true);
  await save();
  expect(engine.file).toEqual(['a']);
  expect(onConflict).toHaveBeenCalledOnce();
  expect(onUndoLimit).toHaveBeenCalledOnce();
});

it('does not ask about undo where the host is full', async () => {
  engine.failures.set('save', new RemoteError('no-room', 'The disk is full.'));
  await expect(save()).rejects.toMatchObject({ message: 'The disk is full.' });
  expect(onUndoLimit).not.toHaveBeenCalled();
});

it('writes an image that is no file as a whole, and sees that it has changed', async () => {
  const holder = { hasChanged: vi.fn(async () => true), write: vi.fn(async () => undefined) };
  onConflict.mockResolvedValue(null);
  await expect(save(writeWhole(engine.client, holder))).rejects.toMatchObject({
    code: 'cancelled',
  });
  expect(holder.write).not.toHaveBeenCalled();
  onConflict.mockResolvedValue('overwrite');
  await save(writeWhole(engine.client, holder));
  expect(holder.write).toHaveBeenCalledExactlyOnceWith(new TextEncoder().encode('a'));
});

it('writes nothing where the file is no longer there, and tells so', async () => {
  const tellGone = vi.fn();
  let isThere = false;
  const write = writeIfThere(writeToFile(engine.client), () => Promise.resolve(isThere), tellGone);
  const questions = { onConflict, onUndoLimit };
  const saved = saveChanges(engine.client, write, questions, undoLimit);
  await expect(saved).rejects.toMatchObject({ code: 'cancelled' });
  expect(tellGone).toHaveBeenCalledOnce();
  expect(onConflict).not.toHaveBeenCalled();
  isThere = true;
  await expect(saveChanges(engine.client, write, questions, undoLimit)).resolves.not.toBeNull();
  expect(tellGone).toHaveBeenCalledOnce();
});
