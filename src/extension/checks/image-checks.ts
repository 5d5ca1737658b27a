import type { CheckReport, LastCheck } from '../../protocol/requests';
import type { Attention, Engine } from '../shared/engine';

interface KnownCheck {
  readonly id: number;
  /** Of what was shown when the check began. */
  readonly version: number;
  readonly report: CheckReport;
}

/** A volume, and what is wrong with it as it is shown now. */
export interface CheckedVolume {
  readonly volume: number;
  readonly report: CheckReport;
}

/** The checks of an open image, and what they found last. Knows no editor. */
export class ImageChecks {
  private readonly known = new Map<number, KnownCheck>();
  /** Counts the states of the image that were shown. */
  private version = 0;
  private checks = 0;

  /**
   * @param checked hears of every check that has ended
   * @param outdated hears when what was found is out of date
   */
  constructor(
    private readonly engine: Engine,
    private readonly listeners: {
      readonly checked: (volume: number) => void;
      readonly outdated: () => void;
    },
  ) {}

  /**
   * Looks for everything that is wrong with a volume.
   * @throws RemoteError `cancelled`, and as the engine refuses
   */
  async check(volume: number, attention?: Attention): Promise<void> {
    const { version } = this;
    const report = await this.engine.request('check', [volume], attention);
    this.known.set(volume, { id: ++this.checks, version, report });
    this.listeners.checked(volume);
  }

  /** The last check of a volume, without what it found where its id is `known`. */
  last(volume: number, known = 0): LastCheck | null {
    const check = this.known.get(volume);
    if (!check) return null;
    const { id, version, report } = check;
    return { id, isOutdated: version !== this.version, report: id === known ? null : report };
  }

  /** Whether what is wrong with a volume is known as it is shown now. */
  isKnown(volume: number): boolean {
    return this.known.get(volume)?.version === this.version;
  }

  /** What is wrong with the image as it is shown now, as far as that is known. */
  get current(): CheckedVolume[] {
    return [...this.known]
      .filter(([, { version }]) => version === this.version)
      .sort(([a], [b]) => a - b)
      .map(([volume, { report }]) => ({ volume, report }));
  }

  /** The image is shown in another state: whatever was found may no longer be so. */
  outdate(): void {
    this.version += 1;
    if (this.known.size > 0) this.listeners.outdated();
  }
}
