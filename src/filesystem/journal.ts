import type { VolumeBytes } from '../image/bytes';
import type { Finding } from './finding';
import type { Progress } from './progress';

/** The journal of a volume: changes that may not have reached their places yet. */
export interface Journal {
  /** What it holds and what of it still counts. Defensive and bounded as `FileSystem`. */
  summary(progress?: Progress): JournalSummary;

  /**
   * The volume as it will be once the journal is replayed. What the replay changes is held in
   * memory alone: the image stays as it is. Equal to the volume where nothing needs recovery.
   * @throws ImageError `corrupt` or `unsupported` (its device is not here) when it cannot be read
   */
  replayed(progress?: Progress): VolumeBytes;
}

export interface JournalSummary {
  readonly needsRecovery: boolean;
  /** Where it lies: `inode 8`, or the UUID of the device that holds it. */
  readonly place: string;
  readonly blocks: number;
  /** In bytes. */
  readonly blockSize: number;
  /** In the order of the log; long logs are cut, which `problems` then says. */
  readonly transactions: readonly JournalTransaction[];
  /** What is wrong with it, and what of it is not replayed. */
  readonly problems: readonly Finding[];
}

export interface JournalTransaction {
  readonly sequence: number;
  /** First block in the journal. */
  readonly start: number;
  /** Filesystem blocks that it rewrites, and those it revokes. */
  readonly blocks: readonly number[];
  readonly revoked: readonly number[];
  readonly committed: boolean;
  /** When, as ISO 8601; null where the commit block says nothing. */
  readonly time: string | null;
}
