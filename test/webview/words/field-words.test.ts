import { describe, expect, it } from 'vitest';
import type { DescribedField, DescribedStructure } from '../../../src/protocol/requests';
import {
  describeAnnotation,
  describeField,
  formatFieldValue,
  formatHexValue,
} from '../../../webview/words/field-words';

const field = (value: number | string): DescribedField => ({
  name: 's_magic',
  offset: 1080,
  length: 2,
  value,
  meaning: 'EF53',
});

describe('a field in words', () => {
  it('has its value with separators, and in hexadecimal where that says more', () => {
    expect(formatFieldValue(field(61_267))).toBe('61,267');
    expect(formatHexValue(field(61_267))).toBe('0xef53');
    expect(formatHexValue(field(9))).toBeNull();
    expect(formatHexValue(field('9'))).toBeNull();
  });

  it('shows text of an image as text, and no more of it than can be read', () => {
    expect(formatFieldValue(field('a\u202eb\n'))).toBe('a‹U+202E›b␊');
    expect(formatFieldValue(field('x'.repeat(5000)))).toHaveLength(201);
  });

  it('says what it means and where it is', () => {
    expect(describeField(field(61_267))).toBe('s_magic = 61,267 (0xef53)\nEF53\n0x438, 2 bytes');
  });
});

describe('a byte in words', () => {
  const structure: DescribedStructure = {
    kind: 'superblock',
    name: 'superblock',
    offset: 1024,
    length: 1024,
    fields: [],
  };

  it('is its structure, and its field where it has one', () => {
    expect(describeAnnotation(null)).toBe('');
    expect(describeAnnotation({ structure, field: null, parity: 0 })).toBe('superblock');
    expect(describeAnnotation({ structure, field: field(3), parity: 0 })).toBe(
      'superblock\ns_magic = 3\nEF53\n0x438, 2 bytes',
    );
  });
});
