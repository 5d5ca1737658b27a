import type { HostFile } from './host';

/**
 * Walks over what of a file holds data. It remembers the last run of data: some hosts look at all
 * of a run's pages each time they are asked where it ends. So it serves as long as nothing but its
 * owner makes holes in the file, and is made anew after that.
 */
export class DataCursor {
  private runStart = 0;
  private runEnd = 0;

  constructor(private readonly file: HostFile) {}

  /** Calls for the parts of a range that hold data; for all of it where the host cannot say. */
  visit(start: number, end: number, visitor: (start: number, end: number) => void): void {
    for (let at = start; at < end;) {
      if (!(at >= this.runStart && at < this.runEnd)) {
        const data = this.file.dataAfter(at);
        if (data === undefined) return visitor(at, end);
        if (data === null) return;
        // A file that others change meanwhile might answer oddly.
        if (data.offset < at || data.length <= 0) return visitor(at, end);
        this.runStart = data.offset;
        this.runEnd = data.offset + data.length;
      }
      if (this.runStart >= end) return;
      const stop = Math.min(end, this.runEnd);
      visitor(Math.max(at, this.runStart), stop);
      at = stop;
    }
  }
}
