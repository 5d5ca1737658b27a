import { describe, expect, it } from 'vitest';
import { EditedBlocks } from '../../../src/ext/edit/block-store';
import { readBytes, VolumeBytes, WritableVolume } from '../../../src/image/bytes';
import { UndoableImage } from '../../support/undoable-image';

const blockSize = 16;

/** A volume of 8 blocks of ones behind 4 bytes of something else. */
function made() {
  const image = new UndoableImage(new Uint8Array(4 + 8 * blockSize).fill(1));
  const target = new WritableVolume(image, 4, 8 * blockSize);
  const store = new EditedBlocks(target, blockSize);
  const volume = new VolumeBytes(store, 4, 8 * blockSize);
  const at = (offset: number, length = 1) => [...readBytes(volume, offset, length)];
  return { image, store, at };
}

describe('edited blocks', () => {
  it('are seen at once, and written with flush where they differ', () => {
    const { image, store, at } = made();
    store.edit(2).setUint8(3, 7);
    store.edit(2).setUint8(5, 9);
    store.edit(4);
    expect(at(2 * blockSize + 2, 4)).toEqual([1, 7, 1, 9]);
    expect(image.written).toBe(0);
    store.flush();
    expect(image.written).toBe(3);
    expect(at(2 * blockSize + 2, 5)).toEqual([1, 7, 1, 9, 1]);
    expect(image.content[4 + 2 * blockSize + 5]).toBe(9);
  });

  it('begin with zeros where they are new', () => {
    const { store, at } = made();
    store.startBlock(7).setUint8(0, 5);
    expect(at(7 * blockSize - 1, 3)).toEqual([1, 5, 0]);
  });

  it.each([1, 5])('take over what is written across them, with %i of them', (count) => {
    const { store, at } = made();
    for (let block = 0; block < count; block++) store.edit(block).setUint8(0, 8);
    store.write(blockSize - 2, Uint8Array.of(2, 3, 4, 5));
    store.zero(2 * blockSize - 1, 2);
    expect(at(blockSize - 3, 6)).toEqual([1, 2, 3, 4, 5, 1]);
    expect(at(2 * blockSize - 2, 4)).toEqual([1, 0, 0, 1]);
    store.flush();
    expect(at(0)).toEqual([8]);
    expect(at(blockSize - 3, 6)).toEqual([1, 2, 3, 4, 5, 1]);
    expect(at(2 * blockSize - 2, 4)).toEqual([1, 0, 0, 1]);
  });

  it('are forgotten when nothing owns them any more', () => {
    const { image, store } = made();
    store.edit(1).setUint8(0, 5);
    store.edit(3).setUint8(0, 5);
    store.edit(6).setUint8(0, 5);
    store.forget(0, 2);
    store.forget(2, 4);
    store.flush();
    expect(image.written).toBe(1);
    expect(image.content[4 + 6 * blockSize]).toBe(5);
  });

  it('are counted', () => {
    const { store } = made();
    store.edit(0);
    const count = store.countEdited(() => {
      store.edit(1);
      store.edit(1);
      store.startBlock(2);
    });
    expect(count).toBe(2);
  });
});
