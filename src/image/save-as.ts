import * as fs from 'node:fs';
import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { diskHost } from './disk-host';
import { ImageError } from './errors';
import type { HostRoom } from './change-set';
import { kindOnHost } from './host-folder';
import { visitShownData } from './image-file';
import type { Overlay } from './overlay';
import type { Progress } from './progress';
import { contentAfter } from './range-map';
import { RangeApplier } from './range-applier';
import { contentOf, visitPieces } from './range-records';
import { SparseFile } from './sparse-file';

const chunkSize = 1024 * 1024;

/**
 * Writes an image as it is shown to a file of the host, with its holes. What has that name gives
 * way when the copy is whole; until then, and when it fails, it is as it was. A symlink is
 * replaced, not followed.
 * @param original the image's file, if nothing but `shown` differs from it: shared with the copy
 *   where the host can do that
 * @returns the bytes that were written
 * @throws ImageError `unwritable`, `no-room`, `cancelled`
 */
export function copyImage(
  shown: Overlay,
  room: HostRoom,
  original: string | null,
  target: string,
  progress: Progress,
): number {
  const kind = kindOnHost(target);
  if (kind === 'folder' || kind === 'other') {
    throw new ImageError('unwritable', `${target} is no file; it is not replaced.`);
  }
  const part = join(dirname(target), `.${basename(target)}.${randomUUID().slice(0, 8)}.part`);
  try {
    const written =
      original !== null && isShared(original, part)
        ? replaceParts(shown, part, progress)
        : copyData(shown, room, part, progress);
    diskHost.rename(part, target);
    diskHost.syncFolder(dirname(target));
    return written;
  } catch (error) {
    diskHost.remove(part);
    throw error;
  }
}

/** Makes a copy that shares its room with the original. @returns false where the host cannot */
function isShared(original: string, part: string): boolean {
  const { COPYFILE_EXCL, COPYFILE_FICLONE_FORCE } = fs.constants;
  try {
    fs.copyFileSync(original, part, COPYFILE_EXCL | COPYFILE_FICLONE_FORCE);
    fs.chmodSync(part, fs.statSync(part).mode | 0o200);
    return true;
  } catch {
    fs.rmSync(part, { force: true });
    return false;
  }
}

function replaceParts({ replaced, store }: Overlay, part: string, progress: Progress): number {
  const file = diskHost.open(part, 'write');
  const applier = new RangeApplier(file);
  try {
    replaced.visitAll((start, end, content) => {
      visitPieces(start, end, (offset, length) => {
        const place = contentAfter(content, offset - start);
        applier.apply({ offset, length, content: contentOf(store, place, length) });
        progress.report(offset + length, file.size);
      });
    });
    file.sync();
  } finally {
    file.close();
  }
  return applier.written;
}

function copyData(shown: Overlay, room: HostRoom, part: string, progress: Progress): number {
  const file = SparseFile.create(part);
  let written = 0;
  try {
    const chunk = new Uint8Array(chunkSize);
    visitShownData(shown, room, 0, shown.size, (start, end) => {
      for (let at = start; at < end; at += chunkSize) {
        const bytes = chunk.subarray(0, Math.min(chunkSize, end - at));
        shown.read(at, bytes);
        file.write(at, bytes);
        written += bytes.length;
        progress.report(at + bytes.length, shown.size);
      }
    });
    file.finishForGood(shown.size);
    return written;
  } catch (error) {
    file.abandon();
    throw error;
  }
}
