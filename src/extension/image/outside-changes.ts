import type { ImageDifference } from '../../protocol/requests';
import type { Attention, Engine } from '../shared/engine';

/** How long an image is left to whoever looks at it before it is remembered, in milliseconds. */
const settleTime = 1000;

interface OutsideOptions {
  readonly engine: Engine;
  readonly isDirty: () => boolean;
  /** Reads the image anew; what was changed in it is lost. */
  readonly reload: () => Promise<void>;
  /** What to do with the changes that are not saved; asked once. */
  readonly ask: () => Promise<'reload' | 'keep'>;
  /** What another program has changed, once that is shown; null where it is not known. */
  readonly tell: (difference: ImageDifference | null) => void;
}

/** What is done when another program changes an image that is open. */
export class OutsideChanges {
  /** What the image held before, as the engine has it. */
  private remembered: string | null = null;
  private timer: NodeJS.Timeout | undefined;
  private remembering: AbortController | undefined;
  private asked = false;
  private disposed = false;

  constructor(private readonly options: OutsideOptions) {}

  /** Whether the file holds something that is not shown, because the person keeps their changes. */
  get isOutdated(): boolean {
    return this.asked;
  }

  /** What was read last, for the differences to it; null where nothing was. */
  get before(): string | null {
    return this.remembered;
  }

  /**
   * Another program changed the image: what has no changes of its own shows that at once; what has
   * some asks, and then not again until it is saved or read anew.
   */
  async noticed(): Promise<void> {
    if (this.asked) return;
    if (this.options.isDirty()) {
      this.asked = true;
      if ((await this.options.ask()) === 'keep') return;
    }
    const { before } = this;
    await this.options.reload();
    const difference = before === null ? null : await this.remember(before);
    if (!this.disposed) this.options.tell(difference);
  }

  /** What is in the file is what is shown: it was opened, saved or read anew. */
  settled(): void {
    this.asked = false;
    this.remembered = null;
    this.stop();
    if (this.disposed) return;
    this.timer = setTimeout(() => {
      if (!this.options.isDirty()) void this.remember(null);
    }, settleTime);
  }

  dispose(): void {
    this.disposed = true;
    this.stop();
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.remembering?.abort();
  }

  /**
   * What has changed since; null where that is not known. Does without where it fails, as on a
   * file that is no image any more: then a later change is told without what it is.
   */
  private async remember(before: string | null): Promise<ImageDifference | null> {
    this.stop();
    const abort = new AbortController();
    this.remembering = abort;
    const attention: Attention = { signal: abort.signal };
    const now = await this.options.engine
      .request('remember', [before], attention)
      .catch(() => null);
    if (!abort.signal.aborted) this.remembered = now?.snapshot ?? null;
    return now?.difference ?? null;
  }
}
