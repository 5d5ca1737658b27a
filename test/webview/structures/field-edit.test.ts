import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FieldEdit, type WriteField } from '../../../webview/structures/field-edit';
import { settle } from '../fake-host';

const size = { name: 'size', offset: 108, length: 4, value: 512, meaning: 'Its size' };
const mode = { name: 'mode', offset: 100, length: 2, value: '0x81a4', meaning: 'Its mode' };
const inode = {
  kind: 'inode',
  name: 'inode 12',
  offset: 100,
  length: 128,
  fields: [mode, size],
};

const write = vi.fn<WriteField>();
let edit: FieldEdit;

beforeEach(() => {
  write.mockReset();
  write.mockResolvedValue(null);
  edit = new FieldEdit(write, () => undefined);
});

describe('a field', () => {
  it('is typed over from the value that it has, and written', async () => {
    edit.start(inode, size);
    expect([edit.typed, edit.isOf(size), edit.isOf(mode)]).toEqual(['512', true, false]);
    edit.type('0x400');
    expect(await edit.commit()).toBe(true);
    expect(write).toHaveBeenCalledExactlyOnceWith(inode, size, '0x400');
    expect(edit.field).toBeNull();
  });

  it('is not written where nothing else was typed, or it was left', async () => {
    edit.start(inode, mode);
    expect(await edit.commit()).toBe(true);
    edit.start(inode, mode);
    edit.type('7');
    edit.leave();
    expect(await edit.commit()).toBe(false);
    expect(write).not.toHaveBeenCalled();
  });

  it('that is refused says why, until something else is typed', async () => {
    edit.start(inode, size);
    edit.type('-1');
    write.mockResolvedValueOnce('It must not be below 0.');
    expect(await edit.commit()).toBe(false);
    expect([edit.refusal, edit.typed, edit.isOf(size)]).toEqual([
      'It must not be below 0.',
      '-1',
      true,
    ]);
    edit.type('1');
    expect(edit.refusal).toBeNull();
    expect(await edit.commit()).toBe(true);
  });

  it('stays while it is written, and is written once', async () => {
    let answer: (refusal: string | null) => void = () => undefined;
    write.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    edit.start(inode, size);
    edit.type('1');
    const first = edit.commit();
    expect(await edit.commit()).toBe(false);
    edit.leave();
    edit.start(inode, mode);
    expect(edit.isOf(size)).toBe(true);
    answer(null);
    expect(await first).toBe(true);
    await settle();
    expect(write).toHaveBeenCalledOnce();
  });
});
