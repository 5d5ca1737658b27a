import { messageOf } from '../inspection/errors';

/** Bytes asked for at once. */
const pageSize = 16 * 1024;
/** Pages that are kept; those farthest from what is in sight are dropped. */
const keptPages = 64;
/** The engine answers one request after the other: more would only wait in its queue. */
const pagesAtOnce = 2;

/** Bytes of the image from `offset` on; fewer at its end. */
export type AskBytes = (offset: number, length: number) => Promise<Uint8Array>;

/** The bytes of an image of any size, asked for page by page as they come in sight. */
export class BytePages {
  /** Why bytes in sight are missing. */
  failure: string | null = null;
  /** Counts what has come. */
  version = 0;

  private readonly pages = new Map<number, Uint8Array>();
  private readonly asked = new Set<number>();
  private readonly failed = new Set<number>();
  /** Pages of the image before; they stay in sight until the new ones have come. */
  private readonly stale = new Set<number>();
  private first = 0;
  private end = 0;
  /** Counts the images: answers to questions about an earlier one come to nothing. */
  private images = 0;

  constructor(
    private readonly ask: AskBytes,
    private readonly changed: () => void,
  ) {}

  /** A byte of the image; undefined where it has not come. */
  byte(offset: number): number | undefined {
    return this.pages.get(Math.floor(offset / pageSize))?.[offset % pageSize];
  }

  /** Up to `length` bytes from `offset` on; as many of them as have come. */
  slice(offset: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let i = 0; i < length; i++) {
      const byte = this.byte(offset + i);
      if (byte === undefined) return bytes.subarray(0, i);
      bytes[i] = byte;
    }
    return bytes;
  }

  /** Asks for what is missing of the bytes in sight: `first` up to, not including, `end`. */
  show(first: number, end: number): void {
    this.first = first;
    this.end = end;
    this.askMissing();
  }

  /** Shows bytes as they will be once the engine says so: they have just been written. */
  patch(offset: number, bytes: Uint8Array): void {
    bytes.forEach((byte, index) => {
      const page = this.pages.get(Math.floor((offset + index) / pageSize));
      const at = (offset + index) % pageSize;
      if (page && at < page.length) page[at] = byte;
    });
    this.version++;
    this.changed();
  }

  /** Forgets what is out of sight, and asks anew for what is in sight: the image is another. */
  clear(): void {
    this.images++;
    for (const page of this.pages.keys()) {
      const isInSight = page * pageSize < this.end && (page + 1) * pageSize > this.first;
      if (isInSight) this.stale.add(page);
      else this.drop(page);
    }
    this.asked.clear();
    this.failed.clear();
    this.failure = null;
    this.version++;
    this.askMissing();
  }

  private askMissing(): void {
    for (let page = Math.floor(this.first / pageSize); page * pageSize < this.end; page++) {
      if (this.asked.size >= pagesAtOnce) return;
      const isHere = this.pages.has(page) && !this.stale.has(page);
      const known = isHere || this.asked.has(page) || this.failed.has(page);
      if (!known) void this.askPage(page);
    }
  }

  private async askPage(page: number): Promise<void> {
    const image = this.images;
    this.asked.add(page);
    try {
      const bytes = await this.ask(page * pageSize, pageSize);
      if (image !== this.images) return;
      this.keep(page, bytes);
      this.failure = null;
    } catch (error) {
      if (image !== this.images) return;
      this.failed.add(page);
      this.drop(page);
      this.failure = messageOf(error);
    }
    this.asked.delete(page);
    this.version++;
    this.askMissing();
    this.changed();
  }

  private keep(page: number, bytes: Uint8Array): void {
    this.pages.set(page, bytes);
    this.stale.delete(page);
    if (this.pages.size <= keptPages) return;
    const middle = (this.first + this.end) / 2 / pageSize;
    const distance = (at: number) => Math.abs(at - middle);
    const farthest = [...this.pages.keys()].reduce((a, b) => (distance(b) > distance(a) ? b : a));
    this.drop(farthest);
  }

  private drop(page: number): void {
    this.pages.delete(page);
    this.stale.delete(page);
  }
}
