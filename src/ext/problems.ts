import type { Finding, Severity } from '../filesystem/finding';

/** More of them about one thing tell nobody more, and a hostile image could make millions. */
const limit = 200;

/** Collects what is wrong with one inode: its map, its attributes, its records. */
export class Problems {
  readonly list: Finding[] = [];
  private dropped = 0;

  constructor(readonly inode: number) {}

  /**
   * @param offset of the bytes that show it, in the image
   * @param message one plain sentence
   */
  error(code: string, message: string, offset: number, length: number): void {
    this.add('error', code, message, offset, length);
  }

  /** As `error`, for what is legal but suspicious. */
  warning(code: string, message: string, offset: number, length: number): void {
    this.add('warning', code, message, offset, length);
  }

  private add(
    severity: Severity,
    code: string,
    message: string,
    offset: number,
    length: number,
  ): void {
    const finding = { code, severity, message, offset, length, inode: this.inode, fixable: true };
    if (this.list.length < limit) {
      this.list.push(finding);
      return;
    }
    this.dropped += 1;
    const more = `Inode ${this.inode} has ${this.dropped} further problems.`;
    this.list[limit] = { ...finding, code: 'more-problems', message: more };
  }
}
