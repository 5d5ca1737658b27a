/** Unpacks the sample images. Imports nothing that npm installs. */
import { createReadStream } from 'node:fs';
import { access, mkdir, open, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createBrotliDecompress } from 'node:zlib';

const suffix = '.br';
const blockSize = 64 * 1024;
const zeros = Buffer.alloc(blockSize);

/**
 * Unpacks each sample that the target folder does not hold yet; one that a person has changed
 * there stays as it is.
 *
 * @param {string} samples The folder of the `*.img.br` files.
 * @param {string} target Is made if missing.
 * @returns {Promise<string[]>} The names of the unpacked images, sorted.
 * @throws {Error} in one line, when there is no sample.
 */
export async function unpackSamples(samples, target) {
  const packed = (await readdir(samples)).filter((name) => name.endsWith(`.img${suffix}`)).sort();
  if (packed.length === 0) throw new Error(`There is no sample image in ${samples}.`);
  await mkdir(target, { recursive: true });
  const names = packed.map((name) => name.slice(0, -suffix.length));
  for (const name of names) {
    if (await exists(join(target, name))) continue;
    await unpack(join(samples, name + suffix), join(target, name));
  }
  return names;
}

/**
 * Unpacks one file. Blocks of zeros are left out, so that they become holes.
 *
 * @param {string} source
 * @param {string} target
 */
async function unpack(source, target) {
  // Renamed when complete, so that an interrupted run leaves no half image behind.
  const temporary = `${target}.part`;
  const file = await open(temporary, 'w');
  try {
    let size = 0;
    for await (const block of blocks(createReadStream(source).pipe(createBrotliDecompress()))) {
      const empty = zeros.subarray(0, block.length).equals(block);
      if (!empty) await file.write(block, 0, block.length, size);
      size += block.length;
    }
    await file.truncate(size);
  } finally {
    await file.close();
  }
  await rename(temporary, target);
}

/**
 * Cuts a stream into blocks of one size; the last may be shorter.
 *
 * @param {AsyncIterable<Buffer>} stream
 */
async function* blocks(stream) {
  let rest = Buffer.alloc(0);
  for await (const chunk of stream) {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= blockSize) {
      yield rest.subarray(0, blockSize);
      rest = rest.subarray(blockSize);
    }
  }
  if (rest.length > 0) yield rest;
}

/** @param {string} path */
async function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}
