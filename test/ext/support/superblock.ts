import { superblockChecksum } from '../../../src/ext/checksums';
import { superblock, type SuperblockValues } from '../../../src/ext/superblock';

const start = 1024;
const metadataChecksums = 0x400;

/** Sets features of an image that is one volume, with the checksum that follows. */
export function addFeatures(
  image: Uint8Array,
  word: 's_feature_compat' | 's_feature_incompat' | 's_feature_ro_compat',
  bits: number,
): void {
  const raw = image.subarray(start, start + superblock.size);
  const view = new DataView(raw.buffer, raw.byteOffset, raw.length);
  const values: SuperblockValues = superblock.read(view, 0);
  superblock.set(view, word, (values[word] | bits) >>> 0);
  if ((values.s_feature_ro_compat & metadataChecksums) === 0) return;
  superblock.set(view, 's_checksum', superblockChecksum(raw));
}
