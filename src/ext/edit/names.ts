import { ImageError } from '../../image/errors';

const longestName = 255;

/**
 * The bytes of a name that can be given to a file.
 * @throws ImageError `usage` where there can be no file of that name
 */
export function encodeName(name: string): Uint8Array {
  const bytes = new TextEncoder().encode(name);
  const refuse = (why: string) => {
    throw new ImageError('usage', `There can be no file called “${name}”: ${why}.`);
  };
  if (bytes.length === 0) throw new ImageError('usage', 'A file needs a name.');
  if (bytes.length > longestName) {
    throw new ImageError(
      'usage',
      `A name on ext has at most ${longestName} bytes, this one has ${bytes.length}.`,
    );
  }
  if (name === '.' || name === '..') refuse('that is how directories name themselves');
  if (bytes.includes(0x2f)) refuse('a slash parts names in a path');
  if (bytes.includes(0)) throw new ImageError('usage', 'No name can hold a NUL character.');
  return bytes;
}
