/** Rows of bytes, and where they stand in a scrolled element of bounded height. */

/** Browsers draw nothing beyond some 17 to 33 million pixels. */
const mostPixels = 8_000_000;

/**
 * Rows as high as `rowHeight`. Where all of them are higher than an element can be, a pixel of
 * the scroll bar stands for many rows.
 */
export class HexScale {
  constructor(
    readonly rows: number,
    readonly rowHeight: number,
    /** Height of what is in sight, in pixels. */
    readonly sight: number,
  ) {}

  /** Rows that fit in sight, not all of them whole. */
  get rowsInSight(): number {
    return Math.ceil(this.sight / this.rowHeight) + 1;
  }

  /** Height of the scrolled element, in pixels. */
  get height(): number {
    return Math.min(this.rows * this.rowHeight, mostPixels);
  }

  /** Whether a pixel of scrolling is a pixel of rows. */
  get isExact(): boolean {
    return this.rows * this.rowHeight <= mostPixels;
  }

  /** The last row that can stand at the upper edge. */
  get lastTop(): number {
    return Math.max(0, this.rows - Math.floor(this.sight / this.rowHeight));
  }

  /** The row at the upper edge; a fraction of it may be out of sight. */
  topAt(scroll: number): number {
    if (this.isExact) return Math.max(0, scroll / this.rowHeight);
    const range = this.height - this.sight;
    const share = Math.min(Math.max(scroll / range, 0), 1);
    return Math.round(share * this.lastTop);
  }

  /** How far the element is scrolled when a row stands at the upper edge, in pixels. */
  scrollAt(top: number): number {
    if (this.isExact) return top * this.rowHeight;
    return (top / this.lastTop) * (this.height - this.sight);
  }

  /** A row that can stand at the upper edge. */
  clamp(top: number): number {
    return Math.min(Math.max(top, 0), this.lastTop);
  }

  /** The row for the upper edge that has another row in sight, moved as little as it takes. */
  topToShow(row: number, top: number): number {
    const whole = Math.max(1, Math.floor(this.sight / this.rowHeight));
    // What goes on from the row is of more interest than what comes before it.
    const anew = this.clamp(row - Math.floor(whole / 4));
    if (row < top) return top - row <= whole ? row : anew;
    if (row < top + whole) return top;
    return row - (top + whole) < whole ? this.clamp(row - whole + 1) : anew;
  }
}
