import * as fs from 'node:fs';
import type { ImageBytes } from './bytes';
import { DataCursor } from './data-cursor';
import { diskHost } from './disk-host';
import { hostError, isMissing } from './host-error';
import { ImageError } from './errors';
import type { HostFile } from './host';
import { kindOf, type HostKind } from './host-folder';

/** A file, folder or link of the host, as an import takes it over. */
export interface HostEntry {
  readonly kind: Exclude<HostKind, 'nothing'>;
  /** Of a file's content, in bytes. */
  readonly size: number;
  /** Permission bits with set-user-ID, set-group-ID and sticky. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly modified: { readonly seconds: number; readonly nanoseconds: number };
  /** The same for all names of one file; undefined where it has one name only. */
  readonly linked?: string;
}

/**
 * @param follow whether a symlink is looked through
 * @throws ImageError `unreadable`, also when there is nothing of that name
 */
export function readHostEntry(path: string, follow: boolean): HostEntry {
  try {
    const stat = fs[follow ? 'statSync' : 'lstatSync'](path, { bigint: true });
    const kind = kindOf(stat);
    return {
      kind,
      size: Number(stat.size),
      mode: Number(stat.mode) & 0o7777,
      uid: Number(stat.uid),
      gid: Number(stat.gid),
      modified: timeOf(stat.mtimeNs),
      ...(kind === 'file' && stat.nlink > 1n && { linked: `${stat.dev} ${stat.ino}` }),
    };
  } catch (error) {
    const failure = `Cannot read ${path}`;
    // What is no text became this mark when the name was listed, so that nothing is found by it.
    if (isMissing(error) && path.includes('\ufffd')) {
      throw new ImageError('unreadable', `${failure}: its name is not in UTF-8.`);
    }
    throw hostError(error, 'unreadable', failure);
  }
}

/** The names in a folder of the host, in the same order on every host. */
export function readHostFolder(path: string): string[] {
  try {
    return fs.readdirSync(path).sort();
  } catch (error) {
    throw hostError(error, 'unreadable', `Cannot read ${path}`);
  }
}

/** Where a symlink of the host leads, as it is written in it. */
export function readHostLink(path: string): string {
  try {
    return fs.readlinkSync(path);
  } catch (error) {
    throw hostError(error, 'unreadable', `Cannot read ${path}`);
  }
}

/** The path of what a path leads to, without any link in it. */
export const realHostPath = (path: string) => diskHost.realPath(path);

/** A file of the host that is brought into an image. */
export class SourceFile implements ImageBytes {
  private constructor(private readonly file: HostFile) {}

  /** @throws ImageError `unreadable` when the path is no readable regular file; `usage` if empty */
  static open(path: string): SourceFile {
    return new SourceFile(diskHost.open(path, 'read'));
  }

  get size(): number {
    return this.file.size;
  }

  read(offset: number, target: Uint8Array): number {
    return this.file.read(offset, target);
  }

  /** The parts that are no holes, as start and end in bytes; all of it where the host cannot say. */
  dataRanges(): [start: number, end: number][] {
    // Most files have no holes, and the host tells so by their size far sooner than by their runs.
    if (this.file.allocated >= this.size) return [[0, this.size]];
    const ranges: [number, number][] = [];
    new DataCursor(this.file).visit(0, this.size, (start, end) => ranges.push([start, end]));
    return ranges;
  }

  close(): void {
    this.file.close();
  }
}

const second = 1_000_000_000n;

function timeOf(nanoseconds: bigint): HostEntry['modified'] {
  const rest = ((nanoseconds % second) + second) % second;
  return { seconds: Number((nanoseconds - rest) / second), nanoseconds: Number(rest) };
}
