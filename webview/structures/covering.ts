import type { DescribedStructure } from '../../src/protocol/requests';
import { Annotations } from './annotations';

/** Structures are asked for of stretches that begin and end at multiples of this, in bytes. */
const grain = 1024;
/** Bytes beyond what is in sight that are asked for with it. */
const margin = 2048;

export type AskStructures = (
  offset: number,
  length: number,
) => Promise<readonly DescribedStructure[]>;

/** The structures that cover the bytes in sight. Keeps the last answer until the next has come. */
export class Covering {
  annotations = Annotations.none;

  private wanted: { readonly first: number; readonly end: number } | null = null;
  private asking = false;
  /** Whether `annotations` are those of the image before. */
  private isStale = false;
  private images = 0;

  constructor(
    private readonly ask: AskStructures,
    private readonly changed: () => void,
  ) {}

  /** Asks for what is in sight: `first` up to, not including, `end`. */
  show(first: number, end: number): void {
    this.wanted = { first, end };
    if (!this.asking) void this.askWanted();
  }

  /** Asks anew: the image is another. */
  clear(): void {
    this.images++;
    this.isStale = true;
    if (this.wanted && !this.asking) void this.askWanted();
  }

  private async askWanted(): Promise<void> {
    this.asking = true;
    for (let missing = this.missing(); missing; missing = this.missing()) {
      const image = this.images;
      const { first, end } = missing;
      // What cannot be described is shown as plain bytes.
      const structures = await this.ask(first, end - first).catch(() => []);
      if (image !== this.images) continue;
      this.isStale = false;
      this.annotations = new Annotations(first, end, structures);
      this.changed();
    }
    this.asking = false;
  }

  private missing(): { readonly first: number; readonly end: number } | null {
    if (!this.wanted) return null;
    const { first, end } = this.wanted;
    const { annotations } = this;
    if (!this.isStale && first >= annotations.first && end <= annotations.end) return null;
    return {
      first: Math.max(0, Math.floor((first - margin) / grain) * grain),
      end: Math.ceil((end + margin) / grain) * grain,
    };
  }
}
