import { html, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { InspectionPart } from '../part';
import type { ControlElement } from '../toolkit';

/** The filter asks once typing pauses, in milliseconds. */
const filterPause = 150;

/** What is filtered in place of the names of the directory that is shown. */
export interface Filtered {
  /** What the field filters, for screen readers. */
  readonly name: string;
  readonly filter: string;
  apply(filter: string): void;
}

/** The field that filters what is shown. */
@customElement('fsimg-filter-field')
class FilterField extends InspectionPart {
  /** Gives the keyboard to what is filtered. */
  @property({ attribute: false }) leave!: () => void;

  @property({ attribute: false }) filtered: Filtered | null = null;

  /** What stands in the field and has not been asked for yet. */
  private typed: string | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  override focus(): void {
    this.querySelector<HTMLElement>('.filter')?.focus();
  }

  protected override render(): TemplateResult {
    return html`<vscode-text-field
      class="filter"
      placeholder="Filter"
      aria-label=${this.filtered?.name ?? 'Filter names'}
      .value=${this.typed ?? this.filtered?.filter ?? this.inspection.state.filter}
      @input=${this.onInput}
      @keydown=${this.onKey}
    >
      <span slot="start" class="codicon codicon-filter" aria-hidden="true"></span>
    </vscode-text-field>`;
  }

  private onInput(event: Event): void {
    this.typed = (event.target as ControlElement).value;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.apply(), filterPause);
  }

  private apply(): void {
    clearTimeout(this.timer);
    const filter = this.typed;
    this.typed = null;
    if (filter === null) return;
    if (this.filtered) this.filtered.apply(filter);
    else this.inspection.arrange({ filter });
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.typed = '';
    else if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
    this.apply();
    this.leave();
    event.preventDefault();
    event.stopPropagation();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'fsimg-filter-field': FilterField;
  }
}
