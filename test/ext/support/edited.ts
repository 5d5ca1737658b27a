import type { VolumeEditor } from '../../../src/filesystem/editing';
import { noProgress } from '../../../src/filesystem/progress';
import type { Timestamp } from '../../../src/filesystem/timestamp';
import { WritableVolume, type WritableBytes } from '../../../src/image/bytes';
import { MemoryBytes } from '../../../src/image/memory-bytes';
import type { HandMade } from './hand-made';

/** Bytes in memory that are changed in place. */
class WritableMemory extends MemoryBytes implements WritableBytes {
  constructor(private readonly target: Uint8Array) {
    super(target);
  }

  write(offset: number, bytes: Uint8Array): void {
    this.target.set(bytes, offset);
  }

  zero(offset: number, length: number): void {
    this.target.fill(0, offset, offset + length);
  }

  punch(offset: number, length: number): void {
    this.zero(offset, length);
  }
}

export const editTime: Timestamp = { seconds: 1_800_000_000, nanoseconds: 5 };

/** Makes one edit of an image. @returns what the editor notes */
export function edit(image: HandMade, change: (editor: VolumeEditor) => void): readonly string[] {
  const { editing } = image.open();
  if (editing?.whyNot !== null) throw new Error(editing?.whyNot ?? 'it cannot be edited');
  const volume = new WritableVolume(new WritableMemory(image.bytes), 0, image.bytes.length);
  const options = { now: editTime, policy: 'contiguous', progress: noProgress } as const;
  const editor = editing.open(volume, options);
  change(editor);
  editor.finish();
  return editor.notes;
}
