import { printable } from './print';

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const longestCharacter = 4; // bytes, in UTF-8

/**
 * A name as plain output has it, so that no two names look the same: a backslash is doubled, since
 * it starts escapes, and bytes that are no text are escaped as `\xNN`.
 * @param nameHex the name's bytes, where `name` loses some of them
 */
export function printableName(name: string, nameHex?: string): string {
  const fromBytes = nameHex === undefined ? undefined : decodeBytes(name, nameHex);
  return printable(fromBytes ?? doubled(name));
}

/** As `printableName`, for the path that ends in the name. */
export function printablePath(path: string, name: string, nameHex?: string): string {
  if (!path.endsWith(name)) return printableName(path);
  const directory = path.slice(0, path.length - name.length);
  return printableName(directory) + printableName(name, nameHex);
}

const doubled = (text: string) => text.replaceAll('\\', '\\\\');

/** Undefined where the bytes are not in UTF-8, but in the code units or code page of FAT. */
function decodeBytes(name: string, nameHex: string): string | undefined {
  const bytes = Buffer.from(nameHex, 'hex');
  // A slash in a name is replaced as well: it would make a path that means something else.
  if (bytes.toString('utf8').replaceAll('/', '\ufffd') !== name) return undefined;
  let shown = '';
  for (let at = 0; at < bytes.length;) {
    const character = characterAt(bytes, at);
    if (character === undefined || character === '/') {
      shown += `\\x${bytes[at].toString(16).padStart(2, '0')}`;
      at += 1;
    } else {
      shown += doubled(character);
      at += Buffer.byteLength(character);
    }
  }
  return shown;
}

function characterAt(bytes: Uint8Array, at: number): string | undefined {
  for (let length = 1; length <= longestCharacter && at + length <= bytes.length; length++) {
    try {
      return strictDecoder.decode(bytes.subarray(at, at + length));
    } catch {
      continue; // it may be longer
    }
  }
  return undefined;
}
