import type { Finding } from '../filesystem/finding';

/** More of them about one thing tell nobody more, and a hostile image could make millions. */
const limit = 200;

/** Collects what is wrong with one inode: its map, its attributes, its records. */
export class Problems {
  readonly list: Finding[] = [];
  private dropped = 0;

  constructor(private readonly inode: number) {}

  /**
   * @param offset of the bytes that show it, in the image
   * @param message one plain sentence
   */
  error(code: string, message: string, offset: number, length: number): void {
    if (this.list.length < limit) {
      this.list.push(this.finding(code, message, offset, length));
      return;
    }
    this.dropped += 1;
    const more = `Inode ${this.inode} has ${this.dropped} further problems of this kind.`;
    this.list[limit] = this.finding('more-problems', more, offset, length);
  }

  private finding(code: string, message: string, offset: number, length: number): Finding {
    return { code, severity: 'error', message, offset, length, inode: this.inode, fixable: true };
  }
}
