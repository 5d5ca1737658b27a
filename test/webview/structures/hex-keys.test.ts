import { describe, expect, it } from 'vitest';
import { keyTarget } from '../../../webview/structures/hex-keys';

const cursor = { anchor: 100, head: 103, perRow: 16, page: 160, size: 1000 };

describe('keyTarget', () => {
  it('leaves a range by the end that the key points to', () => {
    expect(keyTarget('ArrowLeft', false, false, cursor)).toBe(99);
    expect(keyTarget('ArrowRight', false, false, cursor)).toBe(104);
    expect(keyTarget('ArrowUp', false, false, cursor)).toBe(84);
    expect(keyTarget('PageDown', false, false, cursor)).toBe(263);
  });

  it('goes on from its head where it is extended', () => {
    expect(keyTarget('ArrowLeft', false, true, cursor)).toBe(102);
    expect(keyTarget('PageUp', false, true, cursor)).toBe(-57);
  });

  it('leads to the ends of the row, and with Ctrl to those of the image', () => {
    expect(keyTarget('Home', false, false, cursor)).toBe(96);
    expect(keyTarget('End', false, false, cursor)).toBe(111);
    expect(keyTarget('Home', true, false, cursor)).toBe(0);
    expect(keyTarget('End', true, false, cursor)).toBe(999);
  });

  it('knows no other keys', () => {
    expect(keyTarget('a', false, false, cursor)).toBeNull();
    expect(keyTarget('ArrowDown', true, false, cursor)).toBeNull();
  });
});
