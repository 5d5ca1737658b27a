/** The engine of one open image, on its own thread. */
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { MemoryBytes } from '../image/memory-bytes';
import { checkDocument } from '../session/check-document';
import { ImageSession } from '../session/image-session';
import { safeName, thisHost } from '../session/safe-names';
import { toSarif } from '../session/sarif';
import { Cancellation } from './cancellation';
import type { EngineStart, ImageSource } from './client';
import { editAnswers } from './edit-answers';
import { layoutAnswers } from './layout-answers';
import { serve, type Engine } from './serve';

/**
 * Opens the image at the first question. What cannot be opened is tried again at the next one,
 * and its error is the answer to each.
 */
function createEngine(source: ImageSource): Engine {
  let opened: ImageSession | undefined;
  const session = () => (opened ??= openImage(source));
  const volume = (index: number) => session().volume(index);
  return {
    summary: () => session().summary(),
    list: (query, progress) => volume(query.volume).list(query, progress),
    locatePrefix: (query, prefix, from) => volume(query.volume).locatePrefix(query, prefix, from),
    locateNode: (query, node) => volume(query.volume).locateNode(query, node),
    resolve: (index, path) => volume(index).resolve(path),
    details: (index, node, extentLimit) => volume(index).details(node, extentLimit),
    read: (index, node, offset, length) => volume(index).read(node, offset, length),
    freeSpace: (index, progress) => volume(index).freeSpace(progress),
    check: (index, progress) => volume(index).check(progress),
    problemTable: (index) => volume(index).problemTable,
    checkJson: (index, progress) =>
      JSON.stringify(checkDocument(session(), index, progress), null, 2),
    checkLog: (index, image, version, progress) =>
      JSON.stringify(
        toSarif(volume(index).check(progress), {
          image,
          version,
          table: volume(index).problemTable,
        }),
      ),
    exportTarget: (folder, name) => join(folder, safeName(name, thisHost)),
    exportNode: (index, node, target, progress) => volume(index).exportNode(node, target, progress),
    ...layoutAnswers(session),
    ...editAnswers(session),
  };
}

function openImage(source: ImageSource): ImageSession {
  const { codePage } = source;
  if ('path' in source) return ImageSession.open(source.path, source);
  return new ImageSession(new MemoryBytes(source.bytes), { codePage });
}

if (parentPort) {
  const { source, cancellation } = workerData as EngineStart;
  serve(parentPort, createEngine(source), new Cancellation(cancellation));
}
