/** Checks on the wire: parts of requests.ts. */
import type { CheckReport, Problem } from '../filesystem/check';
import type { TaskId } from './task';

export type { CheckFinding, CheckReport, Problem } from '../filesystem/check';

export interface CheckRequests {
  /** Looks for everything that is wrong with a volume; asked again, it costs nothing more. */
  check(volume: number, task: TaskId): CheckReport;
  /** What a check can find, with explanations. */
  problemTable(volume: number): readonly Problem[];
  /** The findings as a SARIF 2.1.0 log, in JSON. @param image its URI, as the log shall name it */
  checkLog(volume: number, image: string, version: string, task: TaskId): string;
}

export const longCheckRequests = ['check', 'checkLog'] as const;
