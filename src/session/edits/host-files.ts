/** Content of files of the host on its way into a volume. */
import { join } from 'node:path';
import type { VolumeEditor } from '../../filesystem/editing';
import type { NodeId } from '../../filesystem/node';
import type { Progress } from '../../filesystem/progress';
import { readBytes } from '../../image/bytes';
import { isZero } from '../../image/memory';
import { readHostEntry, readHostFolder, type SourceFile } from '../../image/host-source';
import { attempt } from '../entry-facts';

const pieceSize = 1024 * 1024;
const progressStep = 256;

/** Told how many bytes have been copied since it was last told. */
export type Report = (bytes: number) => void;

/**
 * Gives an empty file the content of one of the host, whose holes stay holes where the format has
 * any. Room is taken for all of it at once, so that it lies contiguous.
 */
export function fillFile(
  editor: VolumeEditor,
  node: NodeId,
  source: SourceFile,
  report: Report,
): void {
  const { size } = source;
  if (size === 0) return;
  const ranges = source.dataRanges();
  const data = ranges.reduce((sum, [start, end]) => sum + end - start, 0);
  if (data < size) editor.setSize(node, size);
  else editor.preallocate(node, { offset: 0, length: size, keepSize: false, zero: false });
  for (const [start, end] of ranges) {
    for (const [offset, bytes] of piecesOf(source, start, end)) {
      if (!isZero(bytes)) editor.write(node, offset, bytes); // else it reads as zeros already
      report(bytes.length);
    }
  }
}

/** Writes a file of the host into one of the volume, from byte `offset` on. */
export function writeInto(
  editor: VolumeEditor,
  node: NodeId,
  offset: number,
  source: SourceFile,
  report: Report,
): void {
  for (const [at, bytes] of piecesOf(source, 0, source.size)) {
    editor.write(node, offset + at, bytes);
    report(bytes.length);
  }
}

function* piecesOf(
  source: SourceFile,
  start: number,
  end: number,
): Generator<[number, Uint8Array]> {
  for (let offset = start; offset < end; offset += pieceSize) {
    yield [offset, readBytes(source, offset, Math.min(pieceSize, end - offset))];
  }
}

/** Bytes of all files at some paths of the host and below; what cannot be read counts for none. */
export function measureSources(paths: readonly string[], progress: Progress): number {
  let total = 0;
  let seen = 0;
  const pending = [...paths];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (seen++ % progressStep === 0) progress.report(0, total);
    const place = path;
    const entry = attempt(() => readHostEntry(place, seen <= paths.length));
    if (typeof entry === 'string') continue;
    if (entry.kind === 'file') total += entry.size;
    if (entry.kind !== 'folder') continue;
    const names = attempt(() => readHostFolder(place));
    if (typeof names !== 'string') pending.push(...names.map((name) => join(place, name)));
  }
  return total;
}
