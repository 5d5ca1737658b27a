import { describe, expect, it } from 'vitest';
import { undoesOrRedoes, type PressedKey } from '../../webview/undo-keys';

function press(key: string, held: Partial<PressedKey>): boolean {
  const nothing = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  return undoesOrRedoes({ key, ...nothing, ...held });
}

describe('keys of undo and redo', () => {
  it('are those of each system', () => {
    expect(press('z', { ctrlKey: true })).toBe(true);
    expect(press('y', { ctrlKey: true })).toBe(true);
    expect(press('Z', { ctrlKey: true, shiftKey: true })).toBe(true);
    expect(press('z', { metaKey: true })).toBe(true);
    expect(press('Z', { metaKey: true, shiftKey: true })).toBe(true);
  });

  it('are no other keys', () => {
    expect(press('z', {})).toBe(false);
    expect(press('s', { ctrlKey: true })).toBe(false);
    expect(press('z', { ctrlKey: true, altKey: true })).toBe(false);
    expect(press('Y', { ctrlKey: true, shiftKey: true })).toBe(false);
  });
});
