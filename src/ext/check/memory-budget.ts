import { ImageError } from '../../image/errors';

const mebibyte = 2 ** 20;
const limit = 384 * mebibyte;

/**
 * What the tables of one check may take together: the image says how many inodes, directories and
 * blocks there are, but not how much memory it costs to look at them.
 */
export class MemoryBudget {
  private left = limit;

  /**
   * Called before the memory is taken.
   * @param size in bytes
   * @throws ImageError `unsupported` where that much is not left
   */
  take(size: number): void {
    this.left -= size;
    if (this.left >= 0) return;
    const allowed = limit / mebibyte;
    const message = `The volume holds too much to be checked at once: its tables take more than ${allowed} MiB.`;
    throw new ImageError('unsupported', message);
  }

  /** @param size of what was taken and is not held any more, in bytes */
  giveBack(size: number): void {
    this.left += size;
  }
}
