/** What tells one state of a file from another without reading it. */
export interface FileVersion {
  readonly size: number;
  /** In milliseconds. */
  readonly modified: number;
}

interface ChangeWatchOptions {
  /** The file as it is now; undefined where there is none. */
  readonly version: () => Promise<FileVersion | undefined>;
  /** Called when the file is another than before, and has been for a while. */
  readonly onChange: () => void;
  /** Called when the file has not been there for a while; `onChange` follows when it is back. */
  readonly onGone: () => void;
  /** How long nothing may happen to the file before it is looked at, in milliseconds. */
  readonly quiet: number;
}

/**
 * Turns the many events that a file gives while it is written into one change when that is over:
 * a build writes an image in a thousand pieces, and a half-written one is nothing to look at.
 */
export class ChangeWatch {
  private timer: NodeJS.Timeout | undefined;
  private disposed = false;
  private readonly known: Promise<void>;
  /** What has been opened. */
  private opened: FileVersion | undefined;
  /** What was there when the file was last looked at. */
  private seen: FileVersion | undefined;
  private gone = false;
  /** Writes of our own that are under way. */
  private writes = 0;

  constructor(private readonly options: ChangeWatchOptions) {
    this.known = options.version().then((version) => {
      this.opened = version;
    });
  }

  /** Something happened to the file: it was written, deleted, or came into being. */
  touched(): void {
    clearTimeout(this.timer);
    if (this.disposed) return;
    this.timer = setTimeout(() => void this.look(), this.options.quiet);
  }

  /**
   * Runs what writes the file for us: what it leaves is no change. That holds also where it fails,
   * and the file is as it was but for its time, unless another program had changed it before.
   */
  async writing<Result>(write: () => Promise<Result>): Promise<Result> {
    this.writes += 1;
    await this.known;
    const before = await this.options.version();
    let isKnown = before !== undefined && sameVersion(before, this.opened);
    try {
      const result = await write();
      isKnown = true;
      return result;
    } finally {
      if (isKnown) await this.learn();
      this.writes -= 1;
    }
  }

  /** What is there now is known to whoever shows the file. */
  async learn(): Promise<void> {
    await this.known;
    this.opened = await this.options.version();
    if (this.opened) this.gone = false;
  }

  /** Whether the file was not there when it was last looked at. */
  get isGone(): boolean {
    return this.gone;
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.timer);
  }

  private async look(): Promise<void> {
    await this.known;
    const version = await this.options.version();
    if (this.disposed) return;
    if (this.writes > 0) return this.touched();
    if (!version) return this.tellGone();
    if (sameVersion(version, this.opened) && !this.gone) return;
    // Watchers report a long write late and seldom: it is over when two looks see the same.
    if (!sameVersion(version, this.seen)) {
      this.seen = version;
      this.touched();
      return;
    }
    this.opened = version;
    this.gone = false;
    this.options.onChange();
  }

  private tellGone(): void {
    this.seen = undefined;
    if (this.gone) return;
    this.gone = true;
    this.options.onGone();
  }
}

/** Whether nothing tells the two from one another. */
export function sameVersion(a: FileVersion, b: FileVersion | undefined): boolean {
  return b !== undefined && a.size === b.size && a.modified === b.modified;
}
