import process from 'node:process';
import { ImageError } from '../image/errors';
import type { HostOperation } from '../session/operations';
import { editCommand, type ImageOptions, type Verb } from './context';
import { changeImage } from './edit';
import { parseSize } from './sizes';

interface WriteOptions extends ImageOptions {
  readonly chunk?: number;
}

const mostFromInput = 256 * 1024 * 1024; // it is held in memory

export const write: Verb = (program, streams) => {
  editCommand(program, 'write', 'write into a file, which grows where it has to')
    .argument('<path>', 'absolute path of a file inside the image; symlinks are followed')
    .argument('<offset>', 'where in the file: 4096, 64K, 1GiB', parseSize)
    .argument('<host>', 'file of the host; - is the standard input')
    .option(
      '--chunk <size>',
      'on ext4: write zeros around it in unwritten blocks, so that whole pieces of this size are ' +
        'written and many small writes do not make as many extents',
      parseSize,
    )
    .action(
      async (image: string, path: string, offset: number, host: string, options: WriteOptions) => {
        const bytes = host === '-' ? await readInput() : undefined;
        await changeImage(streams, image, options, (volume, opened): HostOperation => {
          const { chunk } = options;
          const place = { volume, node: opened.file(path), offset, ...(chunk && { chunk }) };
          return bytes
            ? { kind: 'writeAt', ...place, bytes }
            : { kind: 'writeFrom', ...place, path: host };
        });
      },
    );
};

async function readInput(): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of process.stdin as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > mostFromInput) {
      throw new ImageError('usage', `The standard input holds more than ${mostFromInput} bytes.`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
