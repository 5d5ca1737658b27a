/** What is dropped on a directory from outside of the inspector, and how it gets into the image. */
import type { NodeId, PathStep } from '../../src/protocol/requests';
import type { Inspection } from '../inspection/inspection';
import { pathIn, sameDirectory } from '../inspection/selection';
import { formatSize } from '../words/formats';

/** A file that only the browser knows is read as a whole: in bytes. */
const mostBytes = 64 * 1024 * 1024;
/** Files and folders that are taken at once. */
const mostDropped = 1000;

/** How VS Code passes on what is dragged within it, the most exact first. */
const codeTypes = ['application/vnd.code.uri-list', 'resourceurls'] as const;
const uriList = 'text/uri-list';
const fileType = 'Files';

/** What of the browser's `File` is looked at. */
export interface DroppedFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}

interface DroppedItem {
  readonly kind: string;
  getAsFile(): DroppedFile | null;
  webkitGetAsEntry(): { readonly isDirectory: boolean } | null;
}

/** What of the browser's `DataTransfer` is looked at. */
export interface Transfer {
  readonly types: readonly string[];
  readonly items: Iterable<DroppedItem>;
  getData(type: string): string;
}

/** What was dropped. */
export type Dropped =
  /** Files and folders that the extension host can read by itself. */
  | { readonly kind: 'uris'; readonly uris: readonly string[] }
  /** Files of the browser, and why others are left out. */
  | {
      readonly kind: 'files';
      readonly files: readonly DroppedFile[];
      readonly refusals: readonly string[];
    };

/** Whether something is dragged that could be taken; what it is shows only once it is dropped. */
export function canDrop({ types }: Pick<Transfer, 'types'>): boolean {
  return [...codeTypes, uriList, fileType].some((type) => types.includes(type));
}

/** What was dropped; null where it is nothing that a directory could take. */
export function readDrop(data: Pick<Transfer, 'getData' | 'items'>): Dropped | null {
  for (const type of codeTypes) {
    const uris = readUris(type, data.getData(type));
    if (uris.length > 0) return { kind: 'uris', uris };
  }
  const items = [...data.items].filter(({ kind }) => kind === 'file');
  if (items.length > 0) return readFiles(items);
  const uris = readUris(uriList, data.getData(uriList));
  return uris.length > 0 ? { kind: 'uris', uris } : null;
}

/** Addresses of the web are no files. */
function readUris(type: string, text: string): string[] {
  const lines = type === 'resourceurls' ? readJson(text) : text.split(/\r?\n/);
  return lines
    .filter((line) => /^[a-z][a-z\d+.-]*:/i.test(line) && !/^(https?|data|blob):/i.test(line))
    .slice(0, mostDropped);
}

function readJson(text: string): string[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** At once: once the drop is over, the browser gives nothing away any more. */
function readFiles(items: readonly DroppedItem[]): Dropped {
  const files: DroppedFile[] = [];
  const refusals: string[] = [];
  for (const item of items.slice(0, mostDropped)) {
    const file = item.getAsFile();
    if (item.webkitGetAsEntry()?.isDirectory) {
      refusals.push(`${file?.name ?? 'It'} is a folder: import it with “Import…” instead.`);
    } else if (file && file.size > mostBytes) {
      const most = formatSize(mostBytes);
      refusals.push(`${file.name} is larger than ${most}: import it with “Import…” instead.`);
    } else if (file) {
      files.push(file);
    }
  }
  return { kind: 'files', files, refusals };
}

/** Brings what was dropped into a directory; tells what could not be. */
export async function importDrop(
  inspection: Inspection,
  volume: number,
  directory: NodeId,
  dropped: Dropped,
): Promise<void> {
  const { host } = inspection;
  if (dropped.kind === 'uris') {
    const { uris } = dropped;
    const done = await inspection.tryTo(async () => {
      await host.importDropped(volume, directory, uris);
      return true;
    });
    if (done) await chooseNew(inspection, volume, directory, nameOf(uris[uris.length - 1]));
    return;
  }
  if (dropped.refusals.length > 0) inspection.tell(dropped.refusals.join(' '));
  for (const file of dropped.files) {
    const done = await inspection.tryTo(async () => {
      const bytes = new Uint8Array(await file.arrayBuffer());
      await host.importBytes(volume, directory, file.name, bytes);
      return true;
    });
    if (!done) return;
    await chooseNew(inspection, volume, directory, file.name);
  }
}

/** Chooses an entry that has come into a directory, if that is the one that is shown. */
async function chooseNew(
  inspection: Inspection,
  volume: number,
  directory: NodeId,
  name: string,
): Promise<void> {
  const { place } = inspection;
  if (place?.volume !== volume || place.trail.at(-1)?.node !== directory) return;
  // What the engine calls otherwise is found by the person.
  const steps = await inspection.host
    .resolve(volume, pathIn(place.trail, name))
    .catch((): PathStep[] => []);
  const entry = steps.at(-1);
  if (!entry || !inspection.place || !sameDirectory(inspection.place, place)) return;
  inspection.choose({ ...entry, offset: null });
}

function nameOf(uri: string): string {
  const path = uri.replace(/[?#].*$/, '').replace(/\/+$/, '');
  const name = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
