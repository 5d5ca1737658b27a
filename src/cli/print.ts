import type { Output } from './output';

// Control characters, which terminals obey, and marks that reorder what is read (Unicode TR 36).
// eslint-disable-next-line no-control-regex
const unprintable = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const escaped = (character: string) => {
  const code = character.charCodeAt(0);
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
};

/** Text from an image or a path, safe to show on a terminal: one line, nothing it would obey. */
export const printable = (text: string) => text.replace(unprintable, escaped);

/** JSON that is safe to show on a terminal too. */
export const json = (value: unknown) =>
  JSON.stringify(value).replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

export async function printJson(output: Output, document: object): Promise<void> {
  await output.line(json(document));
}

/**
 * Prints one document whose last but one part is a list that may be long; it is never held whole.
 * @param tail what follows the list, known only when the list has been printed
 */
export async function printJsonList(
  output: Output,
  head: object,
  name: string,
  items: Iterable<unknown>,
  tail: () => object = () => ({}),
): Promise<void> {
  const inner = (part: object) => json(part).slice(1, -1);
  const before = inner(head);
  await output.text(`{${before}${before && ','}${json(name)}:[`);
  let separator = '\n';
  for (const item of items) {
    await output.text(separator + json(item));
    separator = ',\n';
  }
  const after = inner(tail());
  await output.line(`]${after && ','}${after}}`);
}

const typeLetters: Readonly<Record<string, string>> = {
  directory: 'd',
  symlink: 'l',
  chardev: 'c',
  blockdev: 'b',
  fifo: 'p',
  socket: 's',
  unknown: '?',
};

/** `drwxr-xr-x`, as `ls -l` prints it. */
export function formatMode(type: string, mode: number): string {
  const special = [
    { bit: 0o4000, at: 2, letters: 'sS' },
    { bit: 0o2000, at: 5, letters: 'sS' },
    { bit: 0o1000, at: 8, letters: 'tT' },
  ];
  const letters = Array.from('rwxrwxrwx', (letter, i) => (mode & (0o400 >> i) ? letter : '-'));
  for (const { bit, at, letters: marks } of special) {
    if (mode & bit) letters[at] = marks[letters[at] === '-' ? 1 : 0];
  }
  return (typeLetters[type] ?? '-') + letters.join('');
}

/** How many of what: `1 extent`, `3 extents`. */
export const count = (number: number, noun: string, plural = `${noun}s`) =>
  `${number} ${number === 1 ? noun : plural}`;
