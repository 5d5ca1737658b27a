import type { ImageBytes } from './bytes';
import type { HostRoom } from './change-set';
import { DataCursor } from './data-cursor';
import { ImageError } from './errors';
import { isSameStamp, type FileStamp, type Host, type HostFile } from './host';
import type { Overlay } from './overlay';
import { PageCache } from './page-cache';
import { hole, inFile } from './range-map';

/** The file of an image, as it was when it was opened or last saved. */
export class ImageFile implements ImageBytes, HostRoom {
  readonly blockSize: number;
  /** The sentence that says why it cannot be written; null when it can. */
  readonly whyReadOnly: string | null;
  private cache: PageCache;
  private data: DataCursor;
  private known: FileStamp;

  private constructor(
    readonly host: Host,
    readonly path: string,
    private file: HostFile,
  ) {
    this.blockSize = file.blockSize;
    this.whyReadOnly = host.whyReadOnly(path);
    this.cache = new PageCache(file);
    this.data = new DataCursor(file);
    this.known = file.stamp;
  }

  /** @throws ImageError `unreadable` when the path is no readable regular file; `usage` if empty */
  static open(host: Host, path: string): ImageFile {
    const file = host.open(path, 'read');
    try {
      return new ImageFile(host, path, file);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  get size(): number {
    return this.file.size;
  }

  get allocated(): number {
    return this.file.allocated;
  }

  /** What the file was when it was last read or written here. */
  get stamp(): FileStamp {
    return this.known;
  }

  read(offset: number, target: Uint8Array): number {
    return this.cache.read(offset, target);
  }

  visitData(start: number, end: number, visitor: (start: number, end: number) => void): void {
    this.data.visit(start, end, visitor);
  }

  /** Whether the host tells data from holes. */
  get tellsHoles(): boolean {
    return this.file.dataAfter(0) !== undefined;
  }

  /**
   * Opens it to be written.
   * @param overwrite also when another program changed it
   * @throws ImageError `conflict` when another program changed it
   */
  openToWrite(overwrite: boolean): HostFile {
    const target = this.host.open(this.path, 'write');
    try {
      this.follow(target, overwrite);
      return target;
    } catch (error) {
      target.close();
      throw error;
    }
  }

  /** Whether its path still leads to what was read. */
  isStillThere(): boolean {
    try {
      const file = this.host.open(this.path, 'read');
      const isSame = isSameStamp(this.known, file.stamp);
      file.close();
      return isSame;
    } catch {
      return false;
    }
  }

  /** To be called when it was written here: nothing that was read of it holds any more. */
  refresh(): void {
    this.cache = new PageCache(this.file);
    this.data = new DataCursor(this.file);
    this.known = this.file.stamp;
  }

  close(): void {
    this.file.close();
  }

  /** Goes on with the file that is there now, if it may. */
  private follow(target: HostFile, overwrite: boolean): void {
    if (isSameStamp(this.known, target.stamp)) return;
    const changed = `Another program has changed ${this.path} since it was read`;
    if (!overwrite) throw new ImageError('conflict', `${changed}.`);
    if (target.size !== this.size) {
      throw new ImageError('conflict', `${changed}: it has another size, and is not written.`);
    }
    const file = this.host.open(this.path, 'read');
    this.file.close();
    this.file = file;
    this.refresh();
  }
}

/** The parts of a range of an image that are no holes, with what replaces its file. */
export function visitShownData(
  shown: Overlay,
  room: HostRoom,
  start: number,
  end: number,
  visitor: (start: number, end: number) => void,
): void {
  shown.replaced.cover(start, end, (from, to, content) => {
    if (content === inFile) room.visitData(from, to, visitor);
    else if (content !== hole) visitor(from, to);
  });
}
