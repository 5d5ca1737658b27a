import { platform } from 'node:process';

/** What a host cannot have in a name. Windows forbids more; the rest holds everywhere. */
export type HostNames = 'windows' | 'other';

export const thisHost: HostNames = platform === 'win32' ? 'windows' : 'other';

const nameLimit = 255; // bytes; NAME_MAX of Linux, and no host has less
// Separators and control characters, which terminals and shells take for commands.
// eslint-disable-next-line no-control-regex
const forbidden = /[/\\\u0000-\u001f\u007f-\u009f]/g;
const forbiddenOnWindows = /[<>:"|?*]/g;
/** Names of devices, whatever extension follows them ("Naming Files, Paths, and Namespaces"). */
const windowsDevice = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?=\s*(\.|$))/i;

/**
 * A name that is safe to create in a folder of the host: one component, never the folder itself or
 * its parent, no longer than a host allows. The name itself where it is safe already.
 */
export function safeName(name: string, host: HostNames): string {
  let safe = name.replace(forbidden, '_');
  if (host === 'windows') {
    safe = safe
      .replace(forbiddenOnWindows, '_')
      .replace(windowsDevice, '_$1')
      .replace(/[. ]+$/, (end) => '_'.repeat(end.length));
  }
  if (/^\.{0,2}$/.test(safe)) safe = '_'.repeat(Math.max(1, safe.length));
  return shorten(safe, nameLimit);
}

/** Another name for the `count`-th entry that wants the same one: `name~2.txt`. */
export function alternativeName(name: string, count: number): string {
  const { stem, extension } = splitExtension(name);
  const mark = `~${count}`;
  return shorten(stem, nameLimit - bytesOf(mark) - bytesOf(extension)) + mark + extension;
}

/** What names are compared by on hosts that take upper and lower case for the same. */
export const foldedName = (name: string) => name.normalize('NFC').toLowerCase();

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** Cuts the stem of a name until it fits; never within a character. */
function shorten(name: string, limit: number): string {
  if (bytesOf(name) <= limit) return name;
  const { stem, extension } = splitExtension(name);
  const characters = Array.from(stem);
  while (characters.length > 1 && bytesOf(characters.join('') + extension) > limit) {
    characters.pop();
  }
  return characters.join('') + extension;
}

const extensionLimit = 32; // bytes; a longer one is no extension, but part of the name

function splitExtension(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot) : '';
  if (bytesOf(extension) > extensionLimit) return { stem: name, extension: '' };
  return { stem: name.slice(0, name.length - extension.length), extension };
}

/**
 * Whether a symlink's target lies within the export whatever else is in it: relative, and each step
 * up leaves a real directory and not another symlink, which could have led anywhere.
 * @param depth how many directories of the export the symlink lies in, below its root
 * @param isFolder whether a path, relative to where the symlink lies, is a folder and no symlink
 */
export function staysInside(
  target: string,
  depth: number,
  host: HostNames,
  isFolder: (path: string) => boolean,
): boolean {
  if (target === '' || /^\/|[\\\0]/.test(target)) return false;
  if (host === 'windows' && target.includes(':')) return false; // a drive, or a stream of a file
  let ups = 0;
  const names: string[] = [];
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') {
      names.push(part);
    } else if (names.length === 0) {
      if (++ups > depth) return false;
    } else {
      if (!isFolder('../'.repeat(ups) + names.join('/'))) return false;
      names.pop();
    }
  }
  return true;
}
