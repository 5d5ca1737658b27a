import { GroupTable } from '../../../src/ext/groups';
import { readSuperblock } from '../../../src/ext/superblock';
import { VolumeWriter } from '../../../src/ext/volume-writer';
import type { HandMade } from './hand-made';

/** Writes into the image itself. */
export function writerOf(image: HandMade): VolumeWriter {
  const reading = readSuperblock(image.volume, 1024);
  if (!('geometry' in reading)) throw new Error(reading.broken);
  const { geometry } = reading;
  const bytes = image.volume;
  const groups = new GroupTable(bytes, geometry);
  const edit = (block: number) =>
    new DataView(image.bytes.buffer, block * image.blockSize, image.blockSize);
  return new VolumeWriter({ bytes, geometry, groups }, { edit });
}
