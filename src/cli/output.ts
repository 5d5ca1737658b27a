import type { Writable } from 'node:stream';
import { hostError } from '../image/host-error';

const pieceSize = 64 * 1024;

/** The reader of the output has gone, as `head` goes when it has enough. Nobody is told. */
export class ReaderGone extends Error {}

/** What is printed: gathered into pieces, and never faster than it is read. */
export class Output {
  private pending: string[] = [];
  private pendingLength = 0;
  private failure: Error | undefined;

  constructor(private readonly stream: Writable) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      const gone = error.code === 'EPIPE' || error.code === 'ECONNRESET';
      this.failure = gone
        ? new ReaderGone()
        : hostError(error, 'unwritable', 'Cannot write the output');
    });
  }

  /** @throws ReaderGone when nobody reads any more; ImageError when the host cannot write it */
  async text(text: string): Promise<void> {
    this.pending.push(text);
    this.pendingLength += text.length;
    if (this.pendingLength >= pieceSize) await this.flush();
  }

  async line(text: string): Promise<void> {
    await this.text(`${text}\n`);
  }

  async bytes(bytes: Uint8Array): Promise<void> {
    await this.flush();
    await this.write(bytes);
  }

  async flush(): Promise<void> {
    if (this.pendingLength === 0) return;
    const text = this.pending.join('');
    this.pending = [];
    this.pendingLength = 0;
    await this.write(text);
  }

  /** Waits until the piece has gone out, so that a slow reader slows the reading of the image. */
  private async write(piece: string | Uint8Array): Promise<void> {
    if (this.failure) throw this.failure;
    await new Promise<void>((done) => this.stream.write(piece, () => done()));
    if (this.failure) throw this.failure;
  }
}
