import type { BlockFactsCache } from './block-facts';
import type { StripRows } from './record-scale';

/** A byte of a block. */
export interface Spot {
  readonly block: number;
  readonly byte: number;
}

/** The chosen record: its block, and the index of its piece there. */
export interface ChosenPiece {
  readonly block: number;
  readonly piece: number;
}

/** Where keys lead in the strips of a directory. */
export class StripMoves {
  constructor(
    private readonly rows: StripRows,
    private readonly facts: BlockFactsCache,
  ) {}

  /**
   * The spot of the record that a key leads to, which may not have come yet; null where it leads
   * nowhere, and undefined where the key means nothing.
   * @param screen lines in sight
   */
  find(key: string, from: ChosenPiece, screen: number): Spot | null | undefined {
    switch (key) {
      case 'ArrowRight':
        return this.step(from, 1);
      case 'ArrowLeft':
        return this.step(from, -1);
      case 'ArrowDown':
        return this.stepLines(from, 1);
      case 'ArrowUp':
        return this.stepLines(from, -1);
      case 'PageDown':
        return this.stepLines(from, screen);
      case 'PageUp':
        return this.stepLines(from, -screen);
      case 'Home':
        return { block: 0, byte: 0 };
      case 'End':
        return this.lastOf(this.rows.blocks - 1);
    }
    return undefined;
  }

  private step({ block, piece }: ChosenPiece, by: 1 | -1): Spot | null {
    const next = this.facts.get(block)?.pieces[piece + by];
    if (next) return { block, byte: next.start };
    if (by < 0) return this.lastOf(block - 1);
    return block + 1 < this.rows.blocks ? { block: block + 1, byte: 0 } : null;
  }

  private lastOf(block: number): Spot | null {
    return block < 0 ? null : { block, byte: this.rows.lengthOf(block) - 1 };
  }

  /** To the record so many lines below or above the first byte of this one. */
  private stepLines({ block, piece }: ChosenPiece, by: number): Spot | null {
    const { rows } = this;
    const from = this.facts.get(block)?.pieces[piece];
    if (!from) return null;
    // A record of several lines is left behind at once.
    const edge = by > 0 ? Math.max(from.start, from.end - 1) : from.start;
    const row = rows.indexOf(block, edge);
    let to = Math.min(Math.max(row + by, 1), rows.count - 1);
    if (rows.at(to).from === null) to += by > 0 ? 1 : -1;
    const line = rows.at(to);
    if (line.from === null || to === row) return null;
    const column = from.start % rows.lineLength;
    const last = rows.lengthOf(line.block) - 1;
    return { block: line.block, byte: Math.min(line.from + column, last) };
  }
}
