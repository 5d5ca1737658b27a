import { RemoteError } from '../../protocol/rpc';
import type { ImageChecks } from './image-checks';

interface BackgroundOptions {
  readonly checks: Pick<ImageChecks, 'check' | 'isKnown'>;
  /** Whether images are to be checked without being asked to. */
  readonly isWanted: () => boolean;
  /** The volumes that can be read. */
  readonly volumes: () => Promise<readonly number[]>;
  /** Hears whenever `share` is another. */
  readonly progressed: () => void;
  readonly failed: (error: unknown) => void;
  /** How long the image must not change before it is checked, in milliseconds. */
  readonly pause: number;
}

/** Checks all volumes of an image by itself, once it has come to rest. */
export class BackgroundCheck {
  /** How far it is, from 0 to 1; null where nothing is checked. */
  share: number | null = null;
  private timer: NodeJS.Timeout | undefined;
  private running: AbortController | undefined;
  private disposed = false;

  constructor(private readonly options: BackgroundOptions) {}

  /** The image was opened, or has changed: what is under way is given up, and begun anew. */
  renew(): void {
    this.stop();
    if (this.disposed || !this.options.isWanted()) return;
    this.timer = setTimeout(() => void this.run(), this.options.pause);
  }

  /** Gives the check up. */
  stop(): void {
    clearTimeout(this.timer);
    this.running?.abort();
    this.running = undefined;
    this.show(null);
  }

  dispose(): void {
    this.disposed = true;
    this.stop();
  }

  private async run(): Promise<void> {
    const { checks, volumes, failed } = this.options;
    const abort = new AbortController();
    this.running = abort;
    try {
      const all = await volumes();
      for (const [index, volume] of all.entries()) {
        if (abort.signal.aborted) return;
        if (checks.isKnown(volume)) continue;
        this.tell(abort, index / all.length);
        await checks.check(volume, {
          signal: abort.signal,
          progress: (done, total) => {
            if (total > 0) this.tell(abort, (index + done / total) / all.length);
          },
        });
      }
    } catch (error) {
      if (!(error instanceof RemoteError && error.code === 'cancelled')) failed(error);
    } finally {
      this.tell(abort, null);
    }
  }

  private tell(run: AbortController, share: number | null): void {
    if (run === this.running) this.show(share);
  }

  private show(share: number | null): void {
    if (share === this.share) return;
    this.share = share;
    if (!this.disposed) this.options.progressed();
  }
}
