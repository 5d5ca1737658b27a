/**
 * Index of the first byte in which two arrays of one length differ; -1 where there is none. Whole
 * words first: a FAT may have hundreds of megabytes.
 */
export function firstDifference(a: Uint8Array, b: Uint8Array): number {
  const count = Math.floor(a.length / 4);
  const [words, others] = [a, b].map(({ buffer, byteOffset }) => {
    return new Uint32Array(buffer, byteOffset, count);
  });
  let same = 0;
  while (same < count && words[same] === others[same]) same += 1;
  for (let i = 4 * same; i < a.length; i++) if (a[i] !== b[i]) return i;
  return -1;
}
