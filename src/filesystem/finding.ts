/**
 * `error`: the reference checker would want to fix it. `warning`: legal but suspicious.
 * `note`: only worth knowing.
 */
export type Severity = 'error' | 'warning' | 'note';

/** A located problem. Corrupt input produces findings, never exceptions. */
export interface Finding {
  /** Stable, lower-case, with dashes: `directory-record-too-short`. */
  readonly code: string;
  readonly severity: Severity;
  /** One plain sentence. */
  readonly message: string;
  /** The bytes that show the problem, in the image. */
  readonly offset: number;
  readonly length: number;
  readonly path?: string;
  readonly inode?: number;
  readonly cluster?: number;
  readonly fixable: boolean;
}
