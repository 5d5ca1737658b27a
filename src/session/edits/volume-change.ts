import type { AllocationPlan, VolumeEditor } from '../../filesystem/editing';
import type { Progress } from '../../filesystem/progress';
import type { Notes } from '../notes';
import type { OpenVolume } from '../open-volume';
import type { TrimReport } from '../operations';

/** A volume while it is changed by one operation. */
export interface VolumeChange {
  /** The volume as it was before; what the editor changes is not seen in it. */
  readonly before: OpenVolume;
  readonly editor: VolumeEditor;
  readonly progress: Progress;
  /** The image on the host, which is never brought into itself. */
  readonly imagePath?: string;
  /** Whole sentences for the person who asked, beside the editor's own. */
  readonly notes: Notes;
}

/** What an operation did, beside the bytes it changed. */
export interface Outcome {
  /** A few words for menus: `Delete old.c`. */
  readonly label: string;
  readonly allocation?: AllocationPlan;
  readonly trim?: TrimReport;
  /** How many entries an import left out. */
  readonly leftOut?: number;
  /** Whole sentences. */
  readonly notes: readonly string[];
}
