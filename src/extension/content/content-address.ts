import type { NodeId } from '../../protocol/requests';
import { visibleText } from '../../protocol/visible-text';

/** The scheme of files inside images. */
export const contentScheme = 'fsimg';

/**
 * A file or directory inside an image. Its path leads to it unless `node` is given: a deleted
 * file, or a name whose bytes are no text, has no path that leads to it, only one to show.
 */
export interface ContentAddress {
  /** The image's URI. */
  readonly image: string;
  readonly volume: number;
  /** Absolute. */
  readonly path: string;
  readonly node?: NodeId;
}

/** The parts of a URI that hold an address. */
interface ContentUriParts {
  readonly path: string;
  readonly query: string;
}

/**
 * The address as parts of a URI of the content scheme. The path stays a path, so that the editor
 * finds the file's name, its language and its siblings; the rest is the query.
 */
export function toUriParts({ image, volume, path, node }: ContentAddress): ContentUriParts {
  const query = new URLSearchParams({ image, volume: String(volume) });
  if (node === undefined) return { path: canonicalPath(path), query: query.toString() };
  query.set('node', String(node));
  return { path: canonicalPath(visibleText(path)), query: query.toString() };
}

/**
 * Whether a URI may lead to a file by this path alone: VS Code shows its last step as the title
 * of a tab, so it has to be what it looks like.
 */
export function canLead(path: string): boolean {
  return canonicalPath(path) === path && visibleText(path) === path;
}

/** The address in a URI of the content scheme; undefined where it holds none. */
export function fromUriParts({ path, query }: ContentUriParts): ContentAddress | undefined {
  const values = new URLSearchParams(query);
  const image = values.get('image');
  const volume = readNumber(values.get('volume'));
  const node = readNumber(values.get('node'));
  if (!image || volume === undefined) return undefined;
  const address = { image, volume, path: canonicalPath(path) };
  return node === undefined ? address : { ...address, node };
}

/** Without empty steps, and those that a URI would take for a way up. */
export function canonicalPath(path: string): string {
  const steps = path.split('/').filter((step) => step !== '' && step !== '.' && step !== '..');
  return `/${steps.join('/')}`;
}

function readNumber(text: string | null): number | undefined {
  if (text === null || !/^\d+$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}
