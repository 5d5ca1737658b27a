import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { ByteRange, DescribedField, DescribedStructure } from '../../src/protocol/requests';
import { FieldEdit, type WriteField } from './field-edit';
import { describeField, formatFieldValue, formatHexValue } from '../words/field-words';
import { formatCount, formatOffset } from '../words/formats';
import { visibleText } from '../words/names';
import { Part } from '../part';

const columns = {
  name: 'Field',
  offset: 'Offset',
  length: 'Length',
  value: 'Value',
  meaning: 'Meaning',
} as const;

/** What the person does in the table of fields. */
export interface FieldActions {
  choose(field: DescribedField): void;
  point(field: DescribedField | null): void;
  readonly write: WriteField;
  /** Tells the person why there is nothing to type. */
  refuse(why: string): void;
}

/** The fields of a structure in the order of the disk. */
@customElement('fsimg-field-table')
class FieldTable extends Part {
  @property({ attribute: false }) structure!: DescribedStructure;
  @property({ attribute: false }) selected: ByteRange | null = null;
  @property({ attribute: false }) pointed: ByteRange | null = null;
  @property({ attribute: false }) actions!: FieldActions;
  /** Why no field can be changed; null when they can. */
  @property({ attribute: false }) whyFixed: string | null = null;

  private active = 0;
  private followFocus = false;
  /** Whether what is typed over is to be selected: it has just begun. */
  private startsTyping = false;

  private readonly edit = new FieldEdit(
    (structure, field, value) => this.actions.write(structure, field, value),
    () => this.requestUpdate(),
  );

  protected override willUpdate(changes: PropertyValues): void {
    if (changes.has('structure')) {
      const before = changes.get('structure') as DescribedStructure | undefined;
      if (before?.offset !== this.structure.offset) this.edit.leave();
      this.active = 0;
    }
    const chosen = this.chosen;
    if (chosen >= 0) this.active = chosen;
  }

  protected override updated(changes: PropertyValues): void {
    const row = this.querySelector<HTMLElement>(`[data-index="${this.active}"]`);
    if (this.followFocus) row?.focus({ preventScroll: true });
    const moved = changes.has('selected') || changes.has('structure');
    if (this.followFocus || (moved && this.chosen >= 0)) row?.scrollIntoView({ block: 'nearest' });
    this.followFocus = false;
    if (!this.startsTyping) return;
    this.startsTyping = false;
    const input = this.querySelector<HTMLInputElement>('.field-input');
    input?.focus();
    input?.select();
  }

  /** The field that holds all selected bytes. */
  private get chosen(): number {
    const { selected, structure } = this;
    if (!selected) return -1;
    const last = selected.offset + selected.length - 1;
    return structure.fields.findIndex(
      (field) => holds(field, selected.offset) && holds(field, last),
    );
  }

  protected override render(): TemplateResult {
    const { structure, chosen } = this;
    return html`<div
      class="fields"
      role="grid"
      aria-label="Fields of ${visibleText(structure.name)}"
      aria-rowcount=${structure.fields.length + 1}
      aria-readonly=${this.whyFixed !== null}
      tabindex=${structure.fields.length === 0 ? 0 : -1}
      @keydown=${this.onKey}
      @pointerleave=${() => this.actions.point(null)}
    >
      <div class="field-row heading" role="row">
        ${Object.entries(columns).map(
          ([key, title]) => html`<span role="columnheader" class="cell ${key}">${title}</span>`,
        )}
      </div>
      ${repeat(
        structure.fields,
        ({ offset, name }) => `${offset} ${name}`,
        (field, index) => this.renderField(field, index, chosen === index),
      )}
    </div>`;
  }

  private renderField(field: DescribedField, index: number, chosen: boolean): TemplateResult {
    const { name, offset, length, meaning } = field;
    const hex = formatHexValue(field);
    const editing = this.edit.isOf(field);
    const pointed = this.pointed !== null && holds(field, this.pointed.offset);
    return html`<div
      class="field-row ${chosen ? 'chosen' : ''} ${pointed ? 'pointed' : ''} ${
        editing ? 'editing' : ''
      }"
      role="row"
      data-index=${index}
      tabindex=${index === this.active ? 0 : -1}
      aria-selected=${chosen}
      title=${editing ? nothing : describeField(field)}
      @mousedown=${() => this.actions.choose(field)}
      @dblclick=${() => this.start(field)}
      @pointerenter=${() => this.actions.point(field)}
    >
      <span role="gridcell" class="cell name code">${visibleText(name)}</span>
      <span role="gridcell" class="cell offset code"
        >+${formatOffset(offset - this.structure.offset)}</span
      >
      <span role="gridcell" class="cell length">${formatCount(length)}</span>
      <span role="gridcell" class="cell value"
        >${
          editing
            ? this.renderInput(field)
            : html`<bdi>${formatFieldValue(field)}</bdi>${
                  hex === null ? nothing : html`<span class="muted code"> ${hex}</span>`
                }${this.renderPencil(field)}`
        }</span
      >
      <span role="gridcell" class="cell meaning">${visibleText(meaning)}</span>
    </div>`;
  }

  private renderPencil(field: DescribedField): TemplateResult {
    const name = visibleText(field.name);
    const why = this.whyFixed;
    return html`<button
      class="icon-button edit-field"
      tabindex="-1"
      title=${why === null ? `Edit ${name} (F2)` : `Edit ${name}: ${visibleText(why)}`}
      aria-label="Edit ${name}"
      aria-disabled=${why !== null}
      @click=${() => this.start(field)}
    >
      <span class="codicon codicon-edit" aria-hidden="true"></span>
    </button>`;
  }

  private renderInput(field: DescribedField): TemplateResult {
    const { edit } = this;
    const stop = (event: Event) => event.stopPropagation();
    return html`<input
        class="field-input"
        aria-label="Value of ${visibleText(field.name)}"
        aria-invalid=${edit.refusal !== null}
        aria-describedby="field-refusal"
        title="Enter writes it, Escape leaves it as it is"
        .value=${edit.typed}
        ?readonly=${edit.writing}
        @input=${(event: Event) => edit.type((event.target as HTMLInputElement).value)}
        @keydown=${this.onInputKey}
        @mousedown=${stop}
        @dblclick=${stop}
        @blur=${() => edit.leave()}
      /><span id="field-refusal" class="error-text" role="alert"
        >${edit.refusal === null ? nothing : visibleText(edit.refusal)}</span
      >`;
  }

  /** Begins to type over a value, or tells why that cannot be. */
  private start(field: DescribedField): void {
    if (this.whyFixed !== null) return this.actions.refuse(this.whyFixed);
    this.edit.start(this.structure, field);
    this.startsTyping = true;
  }

  private onInputKey(event: KeyboardEvent): void {
    // What is typed is no key of the table, nor of VS Code; saving still is.
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
    if (event.key === 'Escape') {
      this.edit.leave();
      this.followFocus = true;
    } else if (event.key === 'Enter') {
      void this.commit();
    }
  }

  private async commit(): Promise<void> {
    const left = await this.edit.commit();
    if (!left) return;
    this.followFocus = true;
    this.requestUpdate();
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const last = this.structure.fields.length - 1;
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: this.chosen < 0 ? this.active : this.active + 1,
      ArrowUp: this.active - 1,
      PageDown: this.active + 10,
      PageUp: this.active - 10,
      Home: 0,
      End: last,
    };
    const field = this.structure.fields.at(this.active);
    if (field && (event.key === 'F2' || event.key === 'Enter')) {
      this.start(field);
      event.preventDefault();
      event.stopPropagation();
    }
    if (last < 0 || !(event.key in targets)) return;
    this.active = Math.min(Math.max(targets[event.key], 0), last);
    this.followFocus = true;
    this.actions.choose(this.structure.fields[this.active]);
    this.requestUpdate();
    event.preventDefault();
    event.stopPropagation();
  }
}

function holds({ offset, length }: DescribedField, at: number): boolean {
  return at >= offset && at < offset + length;
}

declare global {
  interface HTMLElementTagNameMap {
    'fsimg-field-table': FieldTable;
  }
}
