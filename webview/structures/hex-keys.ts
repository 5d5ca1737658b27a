/** Where the keys lead that move through bytes. */

/** What is selected, and how it is shown; places are bytes of the image. */
export interface HexCursor {
  /** Where the selection was begun. */
  readonly anchor: number;
  /** The byte that the keyboard is at. */
  readonly head: number;
  readonly perRow: number;
  /** Bytes that are in sight, but for a row. */
  readonly page: number;
  /** Of the image. */
  readonly size: number;
}

/**
 * The byte that a key leads to, which may lie outside of the image; null for other keys.
 * @param command whether Ctrl (on a Mac: Cmd) is held
 * @param extend whether the selection goes with it
 */
export function keyTarget(
  key: string,
  command: boolean,
  extend: boolean,
  { anchor, head, perRow, page, size }: HexCursor,
): number | null {
  const rowStart = head - (head % perRow);
  const [first, last] = [Math.min(anchor, head), Math.max(anchor, head)];
  // Without a range, the keyboard goes on from the end that it leaves by.
  const [before, behind] = extend ? [head, head] : [first, last];
  if (command) {
    return key === 'Home' ? 0 : key === 'End' ? size - 1 : null;
  }
  switch (key) {
    case 'ArrowLeft':
      return before - 1;
    case 'ArrowRight':
      return behind + 1;
    case 'ArrowUp':
      return before - perRow;
    case 'ArrowDown':
      return behind + perRow;
    case 'PageUp':
      return before - page;
    case 'PageDown':
      return behind + page;
    case 'Home':
      return rowStart;
    case 'End':
      return rowStart + perRow - 1;
  }
  return null;
}
