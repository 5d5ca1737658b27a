import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { readBytes, type ImageBytes } from './bytes';
import { isZero } from './memory';
import { ImageError } from './errors';
import type { Host, HostFile } from './host';
import type { Overlay } from './overlay';
import type { Progress } from './progress';
import { hole, zeros } from './range-map';
import { RangeApplier } from './range-applier';
import {
  readRangeFile,
  RangeFileWriter,
  visitSectors,
  type RangeFileOrigin,
  type RangeRecord,
} from './range-file';
import { writeRecords } from './range-records';

/** What became of a save that was cut short. */
export type Recovery =
  /** There was none, or it had come to its end, or had not begun to write. */
  | { readonly state: 'nothing' }
  | { readonly state: 'finished' }
  /** It cannot be finished now, and why, where that is not that the image cannot be written. */
  | { readonly state: 'pending'; readonly why: string | null }
  /** Another program has written to the image since; the journal is set aside. */
  | { readonly state: 'foreign' };

/**
 * The journal of a save in place: what the image is to hold, on disk before the image is touched,
 * and dropped when the image holds it.
 */
export class SaveJournal {
  private readonly path: string;
  /** Where it is while it is written; nobody else is to take that for a journal. */
  private readonly partPath: string;
  private readonly name: string;
  private needed = false;

  constructor(
    private readonly host: Host,
    private readonly folder: string,
    imagePath: string,
  ) {
    const realPath = host.realPath(imagePath);
    this.name = createHash('sha256').update(realPath).digest('hex').slice(0, 32);
    this.path = join(folder, `${this.name}.journal`);
    this.partPath = join(folder, `${this.name}.${process.pid}.part`);
  }

  /** Where a journal goes that cannot be finished. */
  get asidePath(): string {
    return join(this.folder, `${this.name}.aside`);
  }

  /** Whether the image is between the old and the new state, and only this journal tells both. */
  get isNeeded(): boolean {
    return this.needed;
  }

  /**
   * Writes the journal. What fails leaves none behind.
   * @param image as it is; all that replaces parts of it is in `shown`
   * @throws ImageError `conflict` when another program is saving the image
   */
  write(shown: Overlay, image: HostFile, origin: RangeFileOrigin, progress: Progress): void {
    this.ensureFolder();
    if (!this.needed && this.host.list(this.folder).includes(basename(this.path))) {
      throw new ImageError('conflict', `Another program is saving ${origin.path}.`);
    }
    try {
      const file = this.host.create(this.partPath);
      try {
        const writer = new RangeFileWriter(file, origin);
        writeRecords(writer, shown, image, progress);
        writer.finish();
        file.sync();
      } finally {
        file.close();
      }
      this.host.rename(this.partPath, this.path);
    } catch (error) {
      this.host.remove(this.partPath);
      throw error;
    }
    try {
      this.host.syncFolder(this.folder);
    } catch (error) {
      if (!this.needed) this.host.remove(this.path);
      throw error;
    }
  }

  private ensureFolder(): void {
    try {
      this.host.ensureFolder(this.folder);
    } catch (error) {
      if (!(error instanceof ImageError)) throw error;
      const place = `${error.message} The journal of a save goes there; XDG_STATE_HOME names another place.`;
      throw new ImageError(error.code, place);
    }
  }

  /** Makes an image hold what the journal says. */
  apply(image: HostFile, tell: (done: number) => void): RangeApplier {
    const applier = new RangeApplier(image);
    let done = 0;
    this.needed = true;
    this.read((record) => {
      applier.apply(record);
      tell((done += record.length));
    });
    image.sync();
    return applier;
  }

  drop(): void {
    this.host.remove(this.path);
    this.host.syncFolder(this.folder);
    this.needed = false;
  }

  /**
   * Finishes or discards a save that was cut short.
   * @param image to be read
   * @param open the same file, to be written; null when it cannot be
   */
  recover(image: ImageBytes, open: (() => HostFile) | null): Recovery {
    const names = this.host.list(this.folder);
    for (const name of names) if (this.isStale(name)) this.host.remove(join(this.folder, name));
    if (!names.includes(basename(this.path))) return { state: 'nothing' };
    const state = this.stateOf(image);
    // Where nothing was written yet the image is as it was, or again: it may come from a backup.
    if (state === 'torn' || state === 'done' || state === 'untouched') {
      this.drop();
      return { state: 'nothing' };
    }
    if (state === 'foreign') {
      this.host.rename(this.path, this.asidePath);
      this.host.syncFolder(this.folder);
      return { state: 'foreign' };
    }
    if (!open) return { state: 'pending', why: null };
    try {
      const target = open();
      try {
        this.apply(target, () => undefined);
      } finally {
        target.close();
      }
    } catch (error) {
      if (error instanceof ImageError) return { state: 'pending', why: error.message };
      throw error;
    }
    this.drop();
    return { state: 'finished' };
  }

  /** Has what the journal says replace what an image holds, and leaves the image as it is. */
  show(overlay: Overlay): void {
    this.read(({ offset, length, content }) => {
      const place =
        content === 'hole' ? hole : content === 'zeros' ? zeros : overlay.store.append(content);
      overlay.replaced.set(offset, offset + length, place);
    });
  }

  private read(visitor: (record: RangeRecord) => void): void {
    const file = this.host.open(this.path, 'read');
    try {
      readRangeFile(file, () => undefined, visitor);
    } finally {
      file.close();
    }
  }

  /** Whether a file is a journal of this image whose writer ended before it was whole. */
  private isStale(name: string): boolean {
    if (!name.startsWith(`${this.name}.`) || !name.endsWith('.part')) return false;
    const writer = Number(name.split('.')[1]);
    return writer === process.pid || !isRunning(writer);
  }

  /** How far the save got that the journal is of. */
  private stateOf(image: ImageBytes): 'torn' | 'foreign' | 'untouched' | 'done' | 'unfinished' {
    const file = this.host.open(this.path, 'read');
    const found: SectorStates = { foreign: false, old: false, new: false };
    try {
      readRangeFile(
        file,
        ({ kind, size }) => (found.foreign = kind !== 'journal' || size !== image.size),
        (record) => {
          if (!found.foreign) addStates(found, record, image);
        },
      );
    } catch (error) {
      if (error instanceof ImageError && error.code === 'corrupt') return 'torn';
      throw error;
    } finally {
      file.close();
    }
    if (found.foreign) return 'foreign';
    if (!found.old) return 'done';
    return found.new ? 'unfinished' : 'untouched';
  }
}

/** Whether sectors were seen that are only as before the save, only as after it, or neither. */
interface SectorStates {
  foreign: boolean;
  old: boolean;
  new: boolean;
}

function addStates(
  found: SectorStates,
  { offset, length, content, old }: RangeRecord,
  image: ImageBytes,
): void {
  const bytes = readBytes(image, offset, length);
  visitSectors(offset, length, (index, from, to) => {
    const sector = bytes.subarray(from, to);
    const isNew =
      typeof content === 'string'
        ? isZero(sector)
        : Buffer.compare(sector, content.subarray(from, to)) === 0;
    const isOld = old instanceof Uint32Array ? crc32(sector) === old[index] : isZero(sector);
    if (isNew && !isOld) found.new = true;
    else if (isOld && !isNew) found.old = true;
    else if (!isNew) found.foreign = true;
  });
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // it runs, for somebody else
  }
}
