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

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.timer);
  }

  private async look(): Promise<void> {
    await this.known;
    const version = await this.options.version();
    // A file that is gone is often about to be replaced by a new one.
    if (this.disposed || !version || sameVersion(version, this.opened)) return;
    // Watchers report a long write late and seldom: it is over when two looks see the same.
    if (!sameVersion(version, this.seen)) {
      this.seen = version;
      this.touched();
      return;
    }
    this.opened = version;
    this.options.onChange();
  }
}

function sameVersion(a: FileVersion, b: FileVersion | undefined): boolean {
  return b !== undefined && a.size === b.size && a.modified === b.modified;
}
