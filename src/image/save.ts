import { DataCursor } from './data-cursor';
import { ImageError } from './errors';
import type { HostFile } from './host';
import type { Overlay } from './overlay';
import type { Progress } from './progress';
import { fillWithZeros, type RangeApplier } from './range-applier';
import type { RangeFileOrigin } from './range-file';
import { lengthOf } from './range-records';
import { inFile, RangeMap } from './range-map';
import type { SaveJournal } from './save-journal';

/**
 * Writes what replaces parts of an image into its file, so that a power cut at any moment leaves
 * the old image or the new one once the file is opened again.
 * @param origin what the journal says of the image
 * @throws ImageError what fails before the journal is complete leaves the file as it was, and
 *   `journal` not needed
 */
export function saveInPlace(
  shown: Overlay,
  target: HostFile,
  journal: SaveJournal,
  origin: RangeFileOrigin,
  progress: Progress,
): RangeApplier {
  const reserved = reserve(shown.replaced, target);
  try {
    journal.write(shown, target, origin, progress);
  } catch (error) {
    release(reserved, target);
    throw error;
  }
  const length = lengthOf(shown.replaced);
  try {
    return journal.apply(target, (done) => tell(progress, length + done, length * 2));
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    const rest = 'The image is written in part; saving or opening it again finishes that.';
    throw new ImageError(error.code, `${error.message} ${rest}`);
  }
}

/** What is written in part is finished, whether somebody waits for it or not. */
function tell(progress: Progress, done: number, total: number): void {
  try {
    progress.report(done, total);
  } catch (error) {
    if (!(error instanceof ImageError) || error.code !== 'cancelled') throw error;
  }
}

/**
 * Takes the room of the holes that bytes are to be written to, which changes no content: a host
 * that is full says so before anything is changed.
 * @returns what was taken
 */
function reserve(replaced: RangeMap, target: HostFile): RangeMap {
  const reserved = new RangeMap();
  const data = new DataCursor(target);
  try {
    replaced.visitAll((start, end, content) => {
      if (content < 0) return;
      visitHoles(target, data, start, end, (from, to) => {
        reserved.set(from, to, inFile);
        if (!target.reserve(from, to - from)) fillWithZeros(target, from, to);
      });
    });
  } catch (error) {
    release(reserved, target);
    throw error;
  }
  return reserved;
}

function release(reserved: RangeMap, target: HostFile): void {
  reserved.visitAll((start, end) => target.punch(start, end - start));
}

/** The blocks of the host that a range lies in and that are holes. */
function visitHoles(
  target: HostFile,
  data: DataCursor,
  start: number,
  end: number,
  visitor: (start: number, end: number) => void,
): void {
  const { blockSize } = target;
  const last = Math.min(target.size, Math.ceil(end / blockSize) * blockSize);
  let at = Math.floor(start / blockSize) * blockSize;
  data.visit(at, last, (from, to) => {
    if (at < from) visitor(at, from);
    at = to;
  });
  if (at < last) visitor(at, last);
}
