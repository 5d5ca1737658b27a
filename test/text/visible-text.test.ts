import { describe, expect, it } from 'vitest';
import { visibleText } from '../../src/text/visible-text';

describe('visibleText', () => {
  it('leaves names that can be seen as they are', () => {
    for (const name of [
      '<img src=x onerror=alert(1)>',
      'مرحبا.txt',
      '日本語',
      '  two  spaces ',
      '👩‍🚀',
    ]) {
      expect(visibleText(name)).toBe(name);
    }
  });

  it('shows controls as their pictures', () => {
    expect(visibleText('a\0b\n\x1b[2J\x7f')).toBe('a␀b␊␛[2J␡');
  });

  it('shows what reorders or hides text by its number', () => {
    expect(visibleText('photo\u202egpj.exe')).toBe('photo‹U+202E›gpj.exe');
    expect(visibleText('\u2066a\u2069\u200b\ufeff\u00ad\u0085')).toBe(
      '‹U+2066›a‹U+2069›‹U+200B›‹U+FEFF›‹U+00AD›‹U+0085›',
    );
    expect(visibleText('a\u{e0041}\u2028')).toBe('a‹U+E0041›‹U+2028›');
  });

  it('shows half a surrogate pair by its number', () => {
    expect(visibleText('\ud83d!')).toBe('‹U+D83D›!');
  });
});
