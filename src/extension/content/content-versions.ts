import { createHash } from 'node:crypto';

/** A file that was asked for: what it held, and when that was seen to be another than before. */
interface KnownContent {
  digest: string | undefined;
  changed: number;
}

/**
 * Tells when the content of files inside an image has changed. Editors go by time and size, which
 * a change that is undone, or an image that is built anew, often leaves as they are; and to take
 * every file for changed with its image would be a conflict for those that are being edited.
 */
export class ContentVersions {
  private readonly files = new Map<string, KnownContent>();

  /** @param now in milliseconds since 1970 */
  constructor(private readonly now: () => number = Date.now) {}

  /** The files that were asked for, by their URIs. */
  get known(): string[] {
    return [...this.files.keys()];
  }

  /** Whether the content of a file was asked for, and so can be compared. */
  isRead(file: string): boolean {
    return this.files.get(file)?.digest !== undefined;
  }

  /** When its content was last seen to be another; 0 when it never was, or was never read. */
  changed(file: string): number {
    return this.files.get(file)?.changed ?? 0;
  }

  /** A file was asked for. */
  asked(file: string): void {
    if (!this.files.has(file)) this.files.set(file, { digest: undefined, changed: 0 });
  }

  /** The content of a file was read or written. */
  saw(file: string, content: Uint8Array): void {
    this.asked(file);
    const known = this.files.get(file);
    if (!known) return;
    const digest = createHash('sha256').update(content).digest('base64');
    if (known.digest !== undefined && known.digest !== digest) known.changed = this.now();
    known.digest = digest;
  }

  /** A file may have become another, without a look at it. */
  touched(file: string): void {
    const known = this.files.get(file);
    if (known) known.changed = this.now();
  }

  forget(file: string): void {
    this.files.delete(file);
  }
}
