/** Checks on the wire: parts of requests.ts. */
import type { CheckReport, Problem } from '../filesystem/check';
import type { TaskId } from './task';

export type { CheckFinding, CheckReport, Problem } from '../filesystem/check';

/** What the webview may ask the engine, too. */
export interface CheckRequests {
  /** What a check can find, with explanations. */
  problemTable(volume: number): readonly Problem[];
}

/** What only the extension host asks of the engine: it keeps what was found. */
export interface TrustedCheckRequests {
  /** Looks for everything that is wrong with a volume; asked again, it costs nothing more. */
  check(volume: number, task: TaskId): CheckReport;
  /** The findings, and of which volume they are, in JSON. */
  checkJson(volume: number, task: TaskId): string;
  /** The findings as a SARIF 2.1.0 log, in JSON. @param image its URI, as the log shall name it */
  checkLog(volume: number, image: string, version: string, task: TaskId): string;
}

export const longCheckRequests = ['check', 'checkJson', 'checkLog'] as const;

/** The last check of a volume. */
export interface LastCheck {
  /** Another one for each check; above 0. */
  readonly id: number;
  /** Whether the image has changed since. */
  readonly isOutdated: boolean;
  /** Null where whoever asks has it already. */
  readonly report: CheckReport | null;
}

/** What the webview asks of the extension host, beside the engine's table of problems. */
export interface HostCheckRequests {
  /** Checks a volume; what was found is told by `lastCheck`, to all editors of the image. */
  runCheck(volume: number, task: TaskId): void;
  /** The last check of a volume; null before the first. @param known its id, where that is known */
  lastCheck(volume: number, known: number): LastCheck | null;
}

/** What the extension host tells the webview. */
export interface CheckEvents {
  /** Shows the checks view, and checks the volume that is shown. */
  startCheck(): void;
  /** A check of a volume has ended: `lastCheck` tells what it found. */
  checked(volume: number): void;
  /** Shows a finding of the last check of a volume, by its index. */
  showFinding(volume: number, index: number): void;
}

/** The commands around checks. */
export const checkCommands = ['fsimg.check', 'fsimg.stopCheck', 'fsimg.exportChecks'] as const;
