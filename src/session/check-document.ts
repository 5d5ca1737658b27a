import type { CheckReport } from '../filesystem/check';
import type { Progress } from '../filesystem/progress';
import type { ImageSession } from './image-session';

interface CheckDocument extends CheckReport {
  readonly type: string;
  readonly state: string;
  readonly volume: number | null;
  /** How many volumes of the image can be checked. */
  readonly volumes: number;
}

/**
 * What is wrong with a volume, and which one that is: plain data, ready for JSON.
 * @throws ImageError as `ImageSession.volume`
 */
export function checkDocument(
  session: ImageSession,
  index: number | null = session.first,
  progress?: Progress,
): CheckDocument {
  const volume = session.volume(index);
  const { type, state } = volume.fileSystem.facts;
  const place = { volume: index, volumes: session.readableVolumes };
  return { type, state, ...place, ...volume.check(progress) };
}
