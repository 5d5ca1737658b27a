import type { DescribedField, DescribedStructure } from '../../src/protocol/requests';

/** Writes a field; gives back the sentence that says why it was refused, or null. */
export type WriteField = (
  structure: DescribedStructure,
  field: DescribedField,
  value: string,
) => Promise<string | null>;

/** The field whose value is being typed. */
export class FieldEdit {
  /** Null where none is. */
  field: DescribedField | null = null;
  typed = '';
  /** Why what was typed last was refused. */
  refusal: string | null = null;
  /** Whether it is being written. */
  writing = false;

  private structure: DescribedStructure | null = null;

  constructor(
    private readonly write: WriteField,
    private readonly changed: () => void,
  ) {}

  /** Begins with the value as it is. */
  start(structure: DescribedStructure, field: DescribedField): void {
    if (this.writing) return;
    this.structure = structure;
    this.field = field;
    this.typed = String(field.value);
    this.refusal = null;
    this.changed();
  }

  isOf({ name, offset }: DescribedField): boolean {
    return this.field?.name === name && this.field.offset === offset;
  }

  type(text: string): void {
    this.typed = text;
    this.refusal = null;
    this.changed();
  }

  /** Writes what was typed. @returns whether the field is left: it is not where that is refused */
  async commit(): Promise<boolean> {
    const { structure, field, typed } = this;
    if (!structure || !field || this.writing) return false;
    if (typed === String(field.value)) {
      this.leave();
      return true;
    }
    this.writing = true;
    this.changed();
    const refusal = await this.write(structure, field, typed);
    this.writing = false;
    this.refusal = refusal;
    if (refusal === null) this.leave();
    else this.changed();
    return refusal === null;
  }

  /** Leaves the field as it is. */
  leave(): void {
    if (!this.field || this.writing) return;
    this.field = null;
    this.structure = null;
    this.refusal = null;
    this.changed();
  }
}
