const onesOfByte = Uint8Array.from(
  { length: 256 },
  (_, byte) => [...byte.toString(2)].filter((digit) => digit === '1').length,
);

/** How many bits are set among those from `from` to before `to`. */
export function countOnes(bitmap: Uint8Array, from: number, to: number): number {
  let ones = 0;
  const lastByte = (to - 1) >>> 3;
  for (let byte = from >>> 3; byte <= lastByte; byte++) {
    ones += onesOfByte[bitmap[byte] & maskOf(byte, from, to)];
  }
  return ones;
}

/** Which bits of a byte of a bitmap lie in the range from `from` to before `to`. */
export function maskOf(byte: number, from: number, to: number): number {
  let mask = 0xff;
  if (byte === from >>> 3) mask &= 0xff << (from & 7);
  if (byte === (to - 1) >>> 3) mask &= 0xff >>> (7 - ((to - 1) & 7));
  return mask;
}
