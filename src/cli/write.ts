import process from 'node:process';
import { ImageError } from '../image/errors';
import type { HostOperation } from '../session/operations';
import { editCommand, type ImageOptions, type Verb } from './context';
import { changeImage } from './edit';
import { parseSize } from './sizes';

const mostFromInput = 256 * 1024 * 1024; // it is held in memory

export const write: Verb = (program, streams) => {
  editCommand(program, 'write', 'write into a file, which grows where it has to')
    .argument('<path>', 'absolute path of a file inside the image; symlinks are followed')
    .argument('<offset>', 'where in the file, in bytes', parseSize)
    .argument('<host>', 'file of the host; - is the standard input')
    .action(
      async (image: string, path: string, offset: number, host: string, options: ImageOptions) => {
        const bytes = host === '-' ? await readInput() : undefined;
        await changeImage(streams, image, options, (volume, opened): HostOperation => {
          const place = { volume, node: opened.file(path), offset };
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
