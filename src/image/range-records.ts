import { DataCursor } from './data-cursor';
import type { HostFile } from './host';
import { readContent, type Overlay } from './overlay';
import type { Progress } from './progress';
import { recordLimit, sectorSums, type RangeFileWriter, type RangeRecord } from './range-file';
import { hole, type RangeMap } from './range-map';

/** Records what replaces parts of an image, each with what the image holds there. */
export function writeRecords(
  writer: RangeFileWriter,
  { replaced, store }: Overlay,
  image: HostFile,
  progress: Progress,
): void {
  const total = lengthOf(replaced) * 2; // written once more when it is applied
  const data = new DataCursor(image);
  const piece = new Uint8Array(recordLimit);
  const sumsOf = (at: number, length: number) => {
    const held = piece.subarray(0, length);
    image.read(at, held);
    return sectorSums(at, held);
  };
  let done = 0;
  replaced.visitAll((start, end, content) => {
    const add = (from: number, to: number, isData: boolean) => {
      visitPieces(from, to, (at, length) => {
        const place = content < 0 ? content : content + at - start;
        const old = isData ? sumsOf(at, length) : 'zeros';
        writer.add({ offset: at, length, content: contentOf(store, place, length), old });
        progress.report((done += length), total);
      });
    };
    let at = start;
    data.visit(start, end, (from, to) => {
      if (content >= 0) add(at, from, false); // zeros in a hole are there already
      add(from, to, true);
      at = to;
    });
    if (content >= 0) add(at, end, false);
  });
}

/** The bytes of all ranges. */
export function lengthOf(ranges: RangeMap): number {
  let length = 0;
  ranges.visitAll((start, end) => (length += end - start));
  return length;
}

/** Records what replaces parts of an image, and nothing of the image. */
export function writeReplaced(writer: RangeFileWriter, { replaced, store }: Overlay): void {
  replaced.visitAll((start, end, content) => {
    if (content < 0) {
      const kind = content === hole ? 'hole' : 'zeros';
      return writer.add({ offset: start, length: end - start, content: kind, old: null });
    }
    visitPieces(start, end, (at, length) => {
      const bytes = contentOf(store, content + at - start, length);
      writer.add({ offset: at, length, content: bytes, old: null });
    });
  });
}

/** What a range is to hold, with its bytes in a new array. */
export function contentOf(
  store: Overlay['store'],
  content: number,
  length: number,
): RangeRecord['content'] {
  if (content < 0) return content === hole ? 'hole' : 'zeros';
  const bytes = new Uint8Array(length);
  readContent(store, content, bytes);
  return bytes;
}

/** Cuts a range where records end: whole sectors each, but for its start and its end. */
export function visitPieces(
  start: number,
  end: number,
  visitor: (offset: number, length: number) => void,
): void {
  for (let at = start; at < end;) {
    const next = Math.min(end, at - (at % recordLimit) + recordLimit);
    visitor(at, next - at);
    at = next;
  }
}
