import type { DescribedStructure } from '../filesystem/structure';
import { ImageError } from '../image/errors';
import { documentCommand, withImage, showReplayed, type Verb, type ImageOptions } from './context';
import { formatField } from './fields';
import type { Output } from './output';
import { printable, printJson } from './print';
import { parseSize } from './sizes';

const longest = 1024 * 1024; // as many structures as a person, or a script, can look through
const bytesPerLine = 16;

export const hex: Verb = (program, { output }) => {
  documentCommand(program, 'hex', 'show bytes of an image, with the structures that own them')
    .argument('<offset>', 'first byte in the image', parseSize)
    .argument('<length>', 'number of bytes', parseSize)
    .action((image: string, offset: number, length: number, options: ImageOptions) =>
      withImage(image, options, async (session) => {
        showReplayed(session, options);
        if (length > longest) {
          throw new ImageError('usage', `At most ${longest} bytes can be shown at a time.`);
        }
        const bytes = session.layout.bytes(offset, length);
        if (bytes.length === 0 && length > 0) {
          throw new ImageError('usage', `The image ends before byte ${offset}.`);
        }
        const structures = session.layout
          .structuresAt(offset, bytes.length)
          .map((structure) => withFieldsIn(structure, offset, offset + bytes.length));
        if (options.json) {
          const digits = Buffer.from(bytes).toString('hex');
          await printJson(output, { offset, length: bytes.length, bytes: digits, structures });
          return;
        }
        await printDump(output, offset, bytes);
        for (const structure of structures) await printStructure(output, structure);
      }),
    );
};

/** The structure with only those of its fields that lie in a range of the image. */
function withFieldsIn(structure: DescribedStructure, start: number, end: number) {
  const fields = structure.fields.filter(
    (field) => field.offset < end && field.offset + field.length > start,
  );
  return { ...structure, fields };
}

async function printDump(output: Output, offset: number, bytes: Uint8Array): Promise<void> {
  const width = Math.max(8, (offset + bytes.length).toString(16).length);
  for (let at = 0; at < bytes.length; at += bytesPerLine) {
    const line = bytes.subarray(at, at + bytesPerLine);
    const place = (offset + at).toString(16).padStart(width, '0');
    const digits = Array.from(line, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = Array.from(line, (byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.',
    ).join('');
    await output.line(`${place}  ${digits.padEnd(3 * bytesPerLine - 1)}  ${text}`);
  }
}

async function printStructure(output: Output, structure: DescribedStructure): Promise<void> {
  const { name, offset, length, fields } = structure;
  await output.line(`${printable(name)} at byte ${offset}, ${length} bytes`);
  for (const field of fields) {
    const place = field.offset.toString(16).padStart(8, '0');
    await output.line(`  ${place}  ${formatField(field)}  (${printable(field.meaning)})`);
  }
}
