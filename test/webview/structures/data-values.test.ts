import { describe, expect, it } from 'vitest';
import { dataValues } from '../../../webview/structures/data-values';

function values(...bytes: number[]): Record<string, string> {
  const entries = dataValues(Uint8Array.from(bytes)).flatMap(({ kind, little, big }) => [
    [kind, little],
    ...(big === null ? [] : [[`${kind} big`, big]]),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

describe('dataValues', () => {
  it('reads integers in both byte orders, with and without a sign', () => {
    expect(values(0xfe, 0xff, 0xff, 0xff, 0, 0, 0, 0x80)).toMatchObject({
      'u8, i8': '254 (-2)',
      'u16, i16': '65,534 (-2)',
      'u16, i16 big': '65,279 (-257)',
      'u32, i32': '4,294,967,294 (-2)',
      'u64, i64': '9,223,372,041,149,743,102 (-9,223,372,032,559,808,514)',
    });
    expect(values(0x7f, 0x01)).toMatchObject({ 'u8, i8': '127', 'u16, i16': '383' });
  });

  it('reads real numbers', () => {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, -0.1, true);
    expect(values(...bytes).f64).toBe('-0.1');
    new DataView(bytes.buffer).setFloat32(0, 0.1, false);
    expect(values(...bytes)['f32 big']).toBe('0.1');
    expect(values(0, 0, 0x80, 0x7f).f32).toBe('Infinity');
  });

  it('reads times', () => {
    expect(values(0x40, 0xc3, 0xe1, 0x65)['Unix time']).toBe('2024-03-01 12:00:00 UTC');
    expect(values(0, 0, 0, 0x80)['Unix time']).toBe('1901-12-13 20:45:52 UTC');
    expect(values(0x00, 0x60, 0x61, 0x58)['FAT time']).toBe('2024-03-01 12:00:00');
    expect(values(0xff, 0xff, 0, 0)['FAT time']).toBe('no valid time');
  });

  it('reads text up to its end', () => {
    expect(values(0x41, 0xc3, 0xa4, 0, 0x42)['UTF-8']).toBe('Aä');
    expect(values(0x41, 0, 0x42, 0, 0, 0, 0x43, 0)['UTF-16']).toBe('AB');
    expect(values(0, 0x41)['UTF-16 big']).toBe('A');
  });

  it('has a dash where there are too few bytes', () => {
    const empty = { 'u8, i8': '–', 'u16, i16': '–', 'FAT time': '–', 'UTF-8': '' };
    expect(values()).toMatchObject(empty);
    expect(values(1, 2, 3)).toMatchObject({ 'u16, i16': '513', 'u32, i32': '–', f64: '–' });
  });
});
