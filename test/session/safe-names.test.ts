import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alternativeName, safeName, staysInside } from '../../src/session/safe-names';

const bytesOf = (name: string) => Buffer.byteLength(name);

describe('a safe name', () => {
  it.each([
    ['plain.txt', 'plain.txt'],
    ['größe 名前', 'größe 名前'],
    ['con', 'con'],
    ['a:b', 'a:b'],
    ['..', '__'],
    ['.', '_'],
    ['', '_'],
    ['...', '...'],
    ['.hidden', '.hidden'],
    ['a/b', 'a_b'],
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['a\\b', 'a_b'],
    ['a\0b', 'a_b'],
    ['\x1b[2J', '_[2J'],
    ['a\u009bb', 'a_b'],
  ])('%j on hosts in general', (name, expected) => {
    expect(safeName(name, 'other')).toBe(expected);
  });

  it.each([
    ['con', '_con'],
    ['CON.txt', '_CON.txt'],
    ['aux .c', '_aux .c'],
    ['COM1', '_COM1'],
    ['lpt¹.x', '_lpt¹.x'],
    ['console', 'console'],
    ['com10', 'com10'],
    ['a:b', 'a_b'],
    ['a<b>c?d*e|f"g', 'a_b_c_d_e_f_g'],
    ['end.', 'end_'],
    ['end. .', 'end___'],
    ['...', '___'],
  ])('%j on Windows', (name, expected) => {
    expect(safeName(name, 'windows')).toBe(expected);
  });

  it('fits, and keeps its extension', () => {
    const long = `${'ä'.repeat(200)}.tar`;
    const safe = safeName(long, 'other');
    expect(bytesOf(safe)).toBeLessThanOrEqual(255);
    expect(safe).toMatch(/^ä{100,}\.tar$/);
    expect(safeName('𝄞'.repeat(100), 'other')).toBe('𝄞'.repeat(63));
    expect(bytesOf(safeName(`a.${'x'.repeat(300)}`, 'other'))).toBe(255);
  });

  it.each(['windows', 'other'] as const)('is one component, whatever it was (%s)', (host) => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        const safe = safeName(name, host);
        // eslint-disable-next-line no-control-regex
        expect(safe).not.toMatch(/[/\\\u0000-\u001f\u007f]/);
        expect(['', '.', '..']).not.toContain(safe);
        expect(bytesOf(safe)).toBeLessThanOrEqual(255);
        expect(safeName(safe, host)).toBe(safe);
      }),
    );
  });
});

describe('another name', () => {
  it('keeps its extension, and fits', () => {
    expect(alternativeName('a.txt', 2)).toBe('a~2.txt');
    expect(alternativeName('.hidden', 3)).toBe('.hidden~3');
    const long = `${'x'.repeat(251)}.txt`;
    expect(alternativeName(long, 12)).toBe(`${'x'.repeat(248)}~12.txt`);
  });
});

describe('the target of a symlink', () => {
  it.each<[target: string, depth: number, folders?: string[]]>([
    ['a', 0],
    ['a/b/c', 0],
    ['./a', 0],
    ['../a', 1],
    ['../../a/b', 2],
    ['..', 1],
    ['a:b', 0],
    ['folder/..', 0],
    ['folder/../a', 0],
    ['folder/../folder/.././a', 0],
    ['folder/link/..', 0, ['folder', 'folder/link']],
    ['../folder/../a', 1, ['../folder']],
  ])('%s stays inside from %i deep', (target, depth, folders = ['folder']) => {
    expect(staysInside(target, depth, 'other', (path) => folders.includes(path))).toBe(true);
  });

  it.each([
    ['', 0],
    ['/', 5],
    ['/etc/passwd', 5],
    ['..', 0],
    ['../../a', 1],
    ['a/../../b', 1], // a may be a symlink itself
    ['a/..', 5],
    ['folder/../..', 0],
    ['a/folder/../../b', 5],
    ['..\\..\\a', 5],
    ['a\0b', 0],
  ])('%j leaves from %i deep', (target, depth) => {
    const folders = ['folder', 'a/folder'];
    expect(staysInside(target, depth, 'other', (path) => folders.includes(path))).toBe(false);
  });

  it('names a drive on Windows only', () => {
    expect(staysInside('C:a', 0, 'windows', () => true)).toBe(false);
  });
});
