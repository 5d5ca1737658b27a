import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ByteTyping, type WriteBytes } from '../../../webview/structures/byte-typing';

const write = vi.fn<WriteBytes>(async () => undefined);
let typing: ByteTyping;

beforeEach(() => {
  vi.useFakeTimers();
  write.mockClear();
  typing = new ByteTyping(write, () => undefined);
});

afterEach(() => vi.useRealTimers());

/** Types keys one after the other, from a byte on; where that leads. */
function type(keys: string, from: number): number {
  return [...keys].reduce((at, key) => typing.type(key, at) ?? at, from);
}

const written = () => write.mock.calls.map(([offset, bytes]) => [offset, ...bytes]);

describe('hexadecimal digits', () => {
  it('make a byte in pairs, and one change as long as one types on', () => {
    expect(typing.type('5', 100)).toBe(100);
    expect(typing.digit(100)).toBe('5');
    expect(typing.byte(100)).toBeUndefined();
    expect(typing.type('3', 100)).toBe(101);
    expect(type('eF', 101)).toBe(102);
    expect([typing.byte(99), typing.byte(100), typing.byte(101)]).toEqual([undefined, 0x53, 0xef]);
    expect(typing.pending).toBe(2);
    expect(write).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1000);
    expect(written()).toEqual([[100, 0x53, 0xef]]);
    expect(typing.isActive).toBe(false);
  });

  it('go on after a pause: the digit that is typed then stays', () => {
    type('12' + '3', 100);
    vi.advanceTimersByTime(1000);
    expect(typing.digit(101)).toBe('3');
    type('4', 101);
    typing.leave();
    expect(written()).toEqual([
      [100, 0x12],
      [101, 0x34],
    ]);
  });

  it('are all that is taken', () => {
    for (const key of ['g', ' ', 'ä', '/', '-']) expect(typing.type(key, 0)).toBeNull();
    expect(typing.isActive).toBe(false);
  });

  it('elsewhere begin another change', () => {
    type('11', 100);
    type('22', 200);
    expect(written()).toEqual([[100, 0x11]]);
    typing.leave();
    expect(written().at(-1)).toEqual([200, 0x22]);
  });

  it('of half a byte are nothing when it is left', () => {
    type('7', 100);
    typing.leave();
    expect(write).not.toHaveBeenCalled();
    expect(typing.digit(100)).toBeNull();
  });
});

describe('characters', () => {
  beforeEach(() => (typing.column = 'text'));

  it('are bytes each', () => {
    expect(type('a/ ~', 10)).toBe(14);
    typing.leave();
    expect(written()).toEqual([[10, 0x61, 0x2f, 0x20, 0x7e]]);
  });

  it('that no single byte stands for are not taken', () => {
    for (const key of ['ä', '€', '\u007f', '\t']) expect(typing.type(key, 0)).toBeNull();
  });

  it('without end are many changes', () => {
    type('x'.repeat(5000), 0);
    expect(write.mock.calls.map(([offset, bytes]) => [offset, bytes.length])).toEqual([[0, 4096]]);
  });
});

describe('what is typed', () => {
  it('can be taken back, digit by digit and byte by byte', () => {
    type('1234' + '5', 100);
    expect(typing.back()).toBe(102);
    expect(typing.back()).toBe(101);
    expect(typing.back()).toBe(100);
    expect(typing.back()).toBeNull();
    vi.advanceTimersByTime(1000);
    expect(write).not.toHaveBeenCalled();
  });

  it('can be typed anew where it was taken back', () => {
    type('1234', 100);
    type('56', typing.back() ?? 0);
    typing.leave();
    expect(written()).toEqual([[100, 0x12, 0x56]]);
  });

  it('can be given up before it is written', () => {
    type('12' + '3', 100);
    expect(typing.drop()).toBe(true);
    expect(typing.drop()).toBe(false);
    vi.advanceTimersByTime(1000);
    typing.leave();
    expect(write).not.toHaveBeenCalled();
  });
});
