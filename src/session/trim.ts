import type { FreeSpace } from '../filesystem/free-space';
import type { Ownership } from '../filesystem/ownership';
import type { Progress } from '../filesystem/progress';
import type { WritableVolume } from '../image/bytes';
import type { ByteRange } from '../image/edits';
import { ImageError } from '../image/errors';
import type { Outcome } from './edits/volume-change';
import type { OpenVolume } from './open-volume';
import { partOf } from './part-progress';

const progressStep = 4096;
/**
 * Where the host does not tell what is a hole, every free byte is taken for data and written: no
 * more than this many, or the trim of a sparse image of many TiB would fill the host.
 */
const mostUnknown = 16 * 2 ** 30;

/** What the host says of the file of an image. */
export interface HostHoles {
  readonly size: number;
  /** In bytes; holes start and end at a multiple of it. */
  readonly blockSize: number;
  /** The parts of a range that are no holes; undefined where the host does not tell. */
  dataRanges(offset: number, length: number): readonly ByteRange[] | undefined;
}

/**
 * Makes holes of the free extents of a volume. What is a hole already is left alone, and so is what
 * a bitmap says is free while a file or a structure says it is its own.
 * @param minimum free extents below this many bytes are left alone
 * @throws ImageError `read-only` where what is free cannot be told from what is on disk,
 *   `unsupported` where too much would be written because the host does not tell of holes
 */
export function trim(
  volume: OpenVolume,
  image: HostHoles,
  target: WritableVolume,
  minimum: number,
  progress: Progress,
): Outcome {
  const { fileSystem } = volume;
  if (fileSystem.facts.state.includes('needs recovery')) {
    throw new ImageError(
      'read-only',
      'The journal has to be replayed first: it holds changes to what is free.',
    );
  }
  const free = volume.freeExtents(partOf(progress, 0, 3));
  const owners = volume.layout.allOwners(partOf(progress, 1, 3));
  const data = image.dataRanges(target.offset, target.present);
  if (!data && free.total * fileSystem.unit.size > mostUnknown) {
    throw new ImageError(
      'unsupported',
      'The host does not tell which parts of the image are holes already, and there is too much ' +
        'free space to write all of it.',
    );
  }
  const all = { offset: target.offset, length: target.present };
  const run = new TrimRun(image, target, data ?? [all]);
  let owned = 0;
  const nextOwner = ownerFinder(owners);
  for (let i = 0; i < free.count; i++) {
    if (i % progressStep === 0) partOf(progress, 2, 3).report(i, free.count);
    const { start, end } = extentIn(volume, free, i);
    if (end - start < minimum) continue;
    if (nextOwner(free.starts[i], free.starts[i] + free.lengths[i])) owned += 1;
    else run.add(start, end);
  }
  const { extents, bytes, skippedHoles, reclaimed } = run;
  return {
    label: 'Trim free space',
    trim: { extents, bytes, skippedHoles, reclaimed },
    notes: owned > 0 ? [ownedNote(owned)] : [],
  };
}

const ownedNote = (count: number) =>
  `${count === 1 ? 'A free extent is' : `${count} free extents are`} left alone: what is marked ` +
  'free there is in use. The volume should be checked.';

/** Where a free extent lies in the image, in bytes. */
function extentIn({ fileSystem }: OpenVolume, { starts, lengths }: FreeSpace, index: number) {
  const start = fileSystem.offsetOf(starts[index]);
  return { start, end: start + lengths[index] * fileSystem.unit.size };
}

/** Tells of ranges of units in the order of their place whether anything owns a part of them. */
function ownerFinder(owners: Ownership): (start: number, end: number) => boolean {
  let row = 0;
  return (start, end) => {
    while (row < owners.count && owners.starts[row] + owners.lengths[row] <= start) row += 1;
    return row < owners.count && owners.starts[row] < end;
  };
}

/** Goes through free extents and data, both in the order of their place. */
class TrimRun {
  extents = 0;
  bytes = 0;
  skippedHoles = 0;
  reclaimed = 0;
  private next = 0;

  constructor(
    private readonly image: HostHoles,
    private readonly target: WritableVolume,
    private readonly data: readonly ByteRange[],
  ) {}

  /** @param end in the image, in bytes, as `start` */
  add(start: number, end: number): void {
    const { data, target } = this;
    while (this.next < data.length && endOf(data[this.next]) <= start) this.next += 1;
    let found = 0;
    let whole = 0;
    for (let i = this.next; i < data.length && data[i].offset < end; i++) {
      const from = Math.max(start, data[i].offset);
      const to = Math.min(end, endOf(data[i]));
      target.punch(from - target.offset, to - from);
      found += to - from;
      whole += this.wholeBlocks(from, to);
    }
    if (whole === 0) {
      // What is too small for a hole becomes zeros, and is not told of.
      if (found < end - start) this.skippedHoles += 1;
      return;
    }
    this.extents += 1;
    this.bytes += found;
    this.reclaimed += whole;
  }

  /** Bytes of a range that the host can give up. */
  private wholeBlocks(from: number, to: number): number {
    const { blockSize, size } = this.image;
    const last = to === size ? to : Math.floor(to / blockSize) * blockSize;
    return Math.max(0, last - Math.ceil(from / blockSize) * blockSize);
  }
}

const endOf = ({ offset, length }: ByteRange) => offset + length;
