import type { ImageBytes } from './bytes';
import type { ByteRange } from './edits';

/** What tells a file that nobody has changed: compared as a whole. */
export interface FileStamp {
  readonly device: bigint;
  readonly inode: bigint;
  readonly size: bigint;
  /** When its content last changed, in nanoseconds since 1970. */
  readonly modified: bigint;
}

export const isSameStamp = (a: FileStamp, b: FileStamp): boolean =>
  a.device === b.device && a.inode === b.inode && a.size === b.size && a.modified === b.modified;

/** An open file of the host. Offsets and lengths in bytes; each may throw `ImageError`. */
export interface HostFile extends ImageBytes {
  readonly path: string;
  /** What the host allocates at once; holes have this size at least. */
  readonly blockSize: number;
  /** What the host has allocated for the file now. */
  readonly allocated: number;
  readonly stamp: FileStamp;

  /** @throws ImageError `no-room` when the host is full */
  write(offset: number, bytes: Uint8Array): void;

  /** Makes whole blocks a hole. @returns false where the host cannot: nothing has changed then */
  punch(offset: number, length: number): boolean;

  /**
   * Takes the room of a hole, which still reads as zeros.
   * @returns false where the host cannot take room without writing
   * @throws ImageError `no-room` when the host is full
   */
  reserve(offset: number, length: number): boolean;

  /**
   * The first data at or after a place; null where there is only a hole up to the end.
   * @returns undefined where the host does not tell holes
   */
  dataAfter(offset: number): ByteRange | null | undefined;

  /** Returns when all that was written outlives a power cut. */
  sync(): void;
  close(): void;
}

/**
 * What a save asks of the host, all of it. Tests put a host in its place that forgets, at any
 * call, what was not synced.
 */
export interface Host {
  /** The path without any link in it. @throws ImageError `unreadable` */
  realPath(path: string): string;
  /** The sentence that says why a file cannot be written; null when it can. */
  whyReadOnly(path: string): string | null;
  open(path: string, access: 'read' | 'write'): HostFile;
  /** Creates a file that nobody else may read; one of that name gives way. */
  create(path: string): HostFile;
  /** Names of files in a folder; none when there is no such folder. */
  list(folder: string): string[];
  rename(from: string, to: string): void;
  /** Removes a file, if it is there. */
  remove(path: string): void;
  /** Creates a folder and those above it, where they are not there. */
  ensureFolder(path: string): void;
  /** Returns when the names in a folder outlive a power cut. */
  syncFolder(path: string): void;
}
