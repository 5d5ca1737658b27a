import * as reference from 'crc-32';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32 } from '../../src/volume/crc32';

describe('crc32', () => {
  it('has the check value of its catalogue entry', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
  });

  it('agrees with another implementation on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        expect(crc32(bytes)).toBe(reference.buf(bytes) >>> 0);
      }),
    );
  });
});
