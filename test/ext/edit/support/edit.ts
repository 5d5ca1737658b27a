import { openContext, type EditContext } from '../../../../src/ext/edit/context';
import type { AllocationPolicy } from '../../../../src/filesystem/allocation';
import { noProgress } from '../../../../src/filesystem/progress';
import { WritableVolume } from '../../../../src/image/bytes';
import { UndoableImage } from '../../../support/undoable-image';
import type { HandMade } from '../../support/hand-made';

export const now = { seconds: 1_700_000_000, nanoseconds: 5 };

export function contextOf(image: HandMade, policy: AllocationPolicy = 'contiguous'): EditContext {
  const bytes = new UndoableImage(image.bytes);
  const volume = new WritableVolume(bytes, 0, bytes.size);
  return openContext(volume, { now, policy, progress: noProgress });
}

/** Makes a change to the image itself. */
export function edit<T>(image: HandMade, change: (context: EditContext) => T): T {
  const context = contextOf(image);
  const result = change(context);
  context.store.flush();
  return result;
}
