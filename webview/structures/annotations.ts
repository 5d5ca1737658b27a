/** Which structure and which of its fields a byte belongs to. */
import type { DescribedField, DescribedStructure } from '../../src/protocol/requests';

/** What a byte is: part of a structure, and of a field of it unless it lies between its fields. */
export interface Annotation {
  readonly structure: DescribedStructure;
  readonly field: DescribedField | null;
  /** Neighbours differ in it: 0 or 1. */
  readonly parity: number;
}

/** The fields of a stretch of the image, byte by byte. */
export class Annotations {
  static readonly none = new Annotations(0, 0, []);

  private readonly known: Annotation[] = [];
  /** For each byte of the stretch 0, or 1 more than the index of what is known of it. */
  private readonly painted: Uint32Array;

  /**
   * @param first of the stretch, in bytes of the image
   * @param end not in it any more
   * @param structures that cover some of it, the outermost first; what comes later lies on top
   */
  constructor(
    readonly first: number,
    readonly end: number,
    readonly structures: readonly DescribedStructure[],
  ) {
    this.painted = new Uint32Array(Math.max(0, end - first));
    for (const structure of structures) this.paint(structure);
  }

  /** What is known of a byte; of several structures it is the innermost one. */
  at(offset: number): Annotation | null {
    if (offset < this.first || offset >= this.end) return null;
    return this.known[this.painted[offset - this.first] - 1] ?? null;
  }

  /** Whether a byte and the next one belong to the same field. */
  goesOn(offset: number): boolean {
    const here = this.at(offset);
    return here !== null && here === this.at(offset + 1);
  }

  private paint(structure: DescribedStructure): void {
    const { offset, length, fields } = structure;
    // Equal structures in a row, such as the entries of a table, alternate.
    const ordinal = Math.floor(offset / Math.max(1, length)) % 2;
    this.cover(offset, length, { structure, field: null, parity: ordinal });
    fields.forEach((field, index) => {
      this.cover(field.offset, field.length, { structure, field, parity: (ordinal + index) % 2 });
    });
  }

  private cover(offset: number, length: number, annotation: Annotation): void {
    const from = Math.max(offset, this.first) - this.first;
    const to = Math.min(offset + length, this.end) - this.first;
    if (from >= to) return;
    this.painted.fill(this.known.push(annotation), from, to);
  }
}

/**
 * The structure that a range of bytes stands for.
 * @param covering the structures at its first byte, the outermost first
 */
export function structureFor(
  covering: readonly DescribedStructure[],
  { offset, length }: { readonly offset: number; readonly length: number },
): DescribedStructure | null {
  const innermostFirst = [...covering].reverse();
  const same = innermostFirst.find((one) => one.offset === offset && one.length === length);
  if (same) return same;
  const withField = innermostFirst.find(({ fields }) =>
    fields.some((field) => offset >= field.offset && offset < field.offset + field.length),
  );
  return withField ?? innermostFirst.at(0) ?? null;
}
