import type { DiskLayout } from '../../../src/filesystem/disk-layout';
import { WithoutEditing } from './without-editing';

/** A filesystem in whose tests nobody asks how it lies on disk. */
export abstract class WithoutLayout extends WithoutEditing implements DiskLayout {
  readonly rawDirectory = notAsked;
  readonly metadata = notAsked;
  readonly ownership = notAsked;
  readonly structureBranches = notAsked;
  readonly structure = notAsked;
  readonly structuresAt = notAsked;
}

function notAsked(): never {
  throw new Error('It is not known how this filesystem lies on disk.');
}
