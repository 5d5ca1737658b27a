import type { DirectoryRecord, RawDirectoryBlock } from '../../src/protocol/requests';
import { messageOf } from '../inspection/errors';

/** Bytes of a directory asked for at once, as far as whole blocks go. */
const windowBytes = 128 * 1024;
const mostBlocksAtOnce = 128;
/** Records that are kept; those of the blocks farthest from what is in sight are dropped. */
const keptRecords = 150_000;

export type Records = readonly DirectoryRecord[];
export type AskRecords = (first: number, count: number) => Promise<readonly Records[]>;

/**
 * The records of a directory by block, asked for in windows of blocks and kept as far as there is
 * room. Made anew for each directory and each version of the image.
 */
export class RecordBlocks {
  /** Why there are no more records. */
  failure: string | null = null;

  private readonly size: number;
  private readonly windows = new Map<number, readonly Records[]>();
  private readonly asked = new Map<number, Promise<readonly Records[]>>();
  private kept = 0;
  /** The blocks in sight. */
  private first = 0;
  private end = 0;
  private closed = false;
  /** The blocks in the order in which they lie in the image. */
  private places: Uint32Array | undefined;

  constructor(
    readonly blocks: readonly RawDirectoryBlock[],
    private readonly ask: AskRecords,
    private readonly changed: () => void,
  ) {
    const fitting = Math.floor(windowBytes / (blocks.at(0)?.length ?? windowBytes));
    this.size = Math.min(Math.max(1, fitting), mostBlocksAtOnce);
  }

  /** The records of a block, if they have come. */
  get(block: number): Records | undefined {
    return this.windows.get(this.windowOf(block))?.[block % this.size];
  }

  /** Asks for what is missing of the blocks in sight: `first` up to, not including, `end`. */
  show(first: number, end: number): void {
    this.first = first;
    this.end = end;
    this.askMissing();
  }

  /**
   * The records of a block and those asked for with it, from block `first` on.
   * @throws what the question failed with
   */
  async load(block: number): Promise<{ first: number; blocks: readonly Records[] }> {
    const window = this.windowOf(block);
    const blocks = this.windows.get(window) ?? (await this.askWindow(window));
    return { first: window * this.size, blocks };
  }

  /** The block that holds a byte of the image; -1 where none does. */
  find(offset: number): number {
    this.places ??= sortPlaces(this.blocks);
    let low = -1;
    let high = this.places.length - 1;
    while (low < high) {
      const middle = Math.floor((low + high + 1) / 2);
      if (this.blocks[this.places[middle]].offset <= offset) low = middle;
      else high = middle - 1;
    }
    const found = low < 0 ? -1 : this.places[low];
    if (found < 0) return -1;
    const block = this.blocks[found];
    return offset < block.offset + block.length ? found : -1;
  }

  close(): void {
    this.closed = true;
  }

  /** The engine answers one question after the other: more would only wait in its queue. */
  private askMissing(): void {
    if (this.closed || this.failure !== null) return;
    for (let window = this.windowOf(this.first); window * this.size < this.end; window++) {
      if (this.windows.has(window)) continue;
      if (!this.asked.has(window)) void this.askWindow(window).catch(() => undefined);
      return;
    }
  }

  private windowOf(block: number): number {
    return Math.floor(block / this.size);
  }

  private askWindow(window: number): Promise<readonly Records[]> {
    const asked = this.asked.get(window);
    if (asked) return asked;
    const count = Math.min(this.size, this.blocks.length - window * this.size);
    const answer = this.ask(window * this.size, count);
    this.asked.set(window, answer);
    answer.then(
      (records) => this.take(window, records),
      (error: unknown) => this.fail(window, messageOf(error)),
    );
    return answer;
  }

  private take(window: number, records: readonly Records[]): void {
    this.asked.delete(window);
    if (this.closed) return;
    this.windows.set(window, records);
    this.kept += countRecords(records);
    const middle = this.windowOf((this.first + this.end) / 2);
    const distance = (at: number) => Math.abs(at - middle);
    while (this.kept > keptRecords && this.windows.size > 2) {
      const farthest = [...this.windows.keys()].reduce((a, b) =>
        distance(b) > distance(a) ? b : a,
      );
      this.kept -= countRecords(this.windows.get(farthest) ?? []);
      this.windows.delete(farthest);
    }
    this.askMissing();
    this.changed();
  }

  private fail(window: number, message: string): void {
    this.asked.delete(window);
    if (this.closed) return;
    this.failure = message;
    this.changed();
  }
}

function sortPlaces(blocks: readonly RawDirectoryBlock[]): Uint32Array {
  return Uint32Array.from(blocks.keys()).sort((a, b) => blocks[a].offset - blocks[b].offset);
}

function countRecords(blocks: readonly Records[]): number {
  return blocks.reduce((sum, { length }) => sum + length, 0);
}
