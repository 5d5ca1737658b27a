import { describe, expect, it } from 'vitest';
import { checksumStart, crc16, crc32c } from '../../src/ext/checksums';

const digits = new TextEncoder().encode('123456789');

describe('crc32c', () => {
  it('gives the check value of the standard, once inverted at the end', () => {
    expect(~crc32c(checksumStart, digits) >>> 0).toBe(0xe3069283);
  });

  it('goes on from where it was', () => {
    const whole = crc32c(checksumStart, digits);
    const half = crc32c(checksumStart, digits.subarray(0, 4));
    expect(crc32c(half, digits.subarray(4))).toBe(whole);
    expect(crc32c(half, new Uint8Array(0))).toBe(half);
  });
});

describe('crc16', () => {
  it('gives the check values of CRC-16/ARC and CRC-16/MODBUS', () => {
    expect(crc16(0, digits)).toBe(0xbb3d);
    expect(crc16(0xffff, digits)).toBe(0x4b37);
  });
});
