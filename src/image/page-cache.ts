import type { ImageBytes } from './bytes';

const pageSize = 64 * 1024;
const pageLimit = 256; // 16 MiB: the metadata a person moves among, whatever the image's size

/**
 * Keeps the most recently read pages of a slow source. Small reads, which parsers make by the
 * thousand, go through the cache; reads of a page or more go straight to the source, so that
 * streaming a large file does not push the metadata out.
 */
export class PageCache implements ImageBytes {
  /** In order of use, the least recent first: a Map iterates in insertion order. */
  private readonly pages = new Map<number, Uint8Array>();

  constructor(private readonly source: ImageBytes) {}

  get size(): number {
    return this.source.size;
  }

  read(offset: number, target: Uint8Array): number {
    if (target.length >= pageSize) return this.source.read(offset, target);
    let done = 0;
    while (done < target.length) {
      const at = offset + done;
      const inPage = at % pageSize;
      const part = this.page(at - inPage).subarray(inPage, inPage + target.length - done);
      target.set(part, done);
      done += part.length;
    }
    return Math.max(0, Math.min(target.length, this.size - offset));
  }

  private page(start: number): Uint8Array {
    const known = this.pages.get(start);
    if (known) this.pages.delete(start);
    const page = known ?? this.load(start);
    this.pages.set(start, page);
    return page;
  }

  /** Reads a page, into the memory of the one that was not used for longest. */
  private load(start: number): Uint8Array {
    const page = this.evicted() ?? new Uint8Array(pageSize);
    this.source.read(start, page);
    return page;
  }

  private evicted(): Uint8Array | undefined {
    if (this.pages.size < pageLimit) return undefined;
    const [oldest] = this.pages;
    this.pages.delete(oldest[0]);
    return oldest[1];
  }
}
