import type { FileContent } from '../filesystem/file-content';
import { readBytes } from '../image/bytes';
import type { SparseFile } from '../image/sparse-file';

const chunkSize = 1024 * 1024;
const inlineLimit = 64 * 1024; // content inside other structures is never larger than a block

/** Writes content to a file of the host, looking only at what is not a hole. */
export function copyContent(
  content: FileContent,
  unitSize: number,
  file: SparseFile,
  report: (bytes: number) => void,
): void {
  for (const [start, end] of dataRanges(content, unitSize)) {
    for (let offset = start; offset < end; offset += chunkSize) {
      const bytes = readBytes(content, offset, Math.min(chunkSize, end - offset));
      file.write(offset, bytes);
      report(bytes.length);
    }
  }
}

/** Where the content can be other than zero, as start and end in bytes. */
function* dataRanges(content: FileContent, unitSize: number): Generator<[number, number]> {
  if (content.extents.length === 0 && content.size <= inlineLimit) yield [0, content.size];
  for (const { logical, length, unwritten } of content.extents) {
    const start = logical * unitSize;
    const end = Math.min(content.size, start + length * unitSize);
    if (!unwritten && start < end) yield [start, end];
  }
}
