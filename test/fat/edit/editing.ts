/** Edits an image made by hand, and tells what was written. */
import { openFatEditor } from '../../../src/fat/edit/editing';
import type { FatEditor } from '../../../src/fat/edit/fat-editor';
import { CodePage } from '../../../src/fat/code-pages';
import { openFat } from '../../../src/fat/fat-filesystem';
import type { AllocationPolicy } from '../../../src/filesystem/allocation';
import type { NodeId } from '../../../src/filesystem/node';
import { noProgress } from '../../../src/filesystem/progress';
import { VolumeBytes, WritableVolume, type WritableBytes } from '../../../src/image/bytes';
import { ImageError } from '../../../src/image/errors';
import { MemoryBytes } from '../../../src/image/memory-bytes';
import type { FatImage } from '../fat-image';

/** Changes an array at once, and keeps a list of what was written where. */
export class RecordedBytes extends MemoryBytes implements WritableBytes {
  readonly writes: { offset: number; length: number }[] = [];

  constructor(private readonly array: Uint8Array) {
    super(array);
  }

  write(offset: number, bytes: Uint8Array): void {
    this.writes.push({ offset, length: bytes.length });
    this.array.set(bytes, offset);
  }

  zero(offset: number, length: number): void {
    this.array.fill(0, offset, offset + length);
  }

  punch(offset: number, length: number): void {
    this.zero(offset, length);
  }
}

/** 2024-05-06 07:08:10 */
export const now = { seconds: Date.UTC(2024, 4, 6, 7, 8, 10) / 1000, nanoseconds: 0 };

export interface EditorOptions {
  policy?: AllocationPolicy;
  codePage?: number;
  oneAtATime?: boolean;
}

export interface EditedImage {
  readonly bytes: RecordedBytes;
  readonly editor: FatEditor;
}

export function edit(image: FatImage, options: EditorOptions = {}): EditedImage {
  const bytes = new RecordedBytes(image.bytes);
  const volume = new WritableVolume(bytes, image.before, image.size);
  const { policy = 'contiguous', codePage, oneAtATime } = options;
  const settings = { now, policy, progress: noProgress };
  return {
    bytes,
    editor: openFatEditor(volume, new CodePage(codePage), settings, oneAtATime),
  };
}

/** The image read afresh. */
export function reopen(image: FatImage, codePage?: number) {
  const memory = new MemoryBytes(image.bytes);
  return openFat(new VolumeBytes(memory, image.before, image.size), { codePage });
}

/** The names in a directory, as a listing gives them. */
export function namesIn(image: FatImage, directory: NodeId = 0, codePage?: number): string[] {
  const table = reopen(image, codePage).entries(directory);
  return Array.from({ length: table.length }, (_, i) => table.name(i));
}

/** First and last cluster of each piece of a file. */
export function piecesOf(image: FatImage, node: NodeId): number[][] {
  const { extents } = reopen(image).content(node);
  return extents.map(({ physical, length }) => [physical, physical + length - 1]);
}

export const keyOf = (directory: NodeId, node: NodeId, name: string) => ({
  directory,
  node,
  name: new Uint8Array(Buffer.from(name, 'utf16le')),
});

/** The code of the error that an action is refused with, whose message is one line. */
export function refusalOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof ImageError && !error.message.includes('\n')) return error.code;
    throw error;
  }
  return 'none';
}
