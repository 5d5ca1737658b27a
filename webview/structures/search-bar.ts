import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import type { ByteRange } from '../../src/protocol/requests';
import { parsePattern, type PatternKind } from './byte-pattern';
import { ByteSearch } from './byte-search';
import { formatOffset, formatShare } from '../words/formats';
import { visibleText } from '../words/names';
import { InspectionPart } from '../part';
import type { ControlElement } from '../toolkit';

const kindTitles: Readonly<Record<PatternKind, string>> = {
  text: 'Text',
  utf16: 'UTF-16',
  hex: 'Hex',
};

/** Finds text or bytes in the whole image. */
@customElement('fsimg-search-bar')
class SearchBar extends InspectionPart {
  @property({ attribute: false }) selected: ByteRange = { offset: 0, length: 1 };
  /** What is found is handed on. */
  @property({ attribute: false }) found!: (bytes: ByteRange) => void;

  @query('.search') private readonly field!: HTMLElement | null;

  private search!: ByteSearch;
  /** What is wrong with what was typed; told when it is searched for. */
  private wrong: string | null = null;
  /** The place that was found last: from there, the search goes on. */
  private last: ByteRange | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    const { host, tasks } = this.inspection;
    this.search = new ByteSearch(host, tasks, () => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.search.reset();
  }

  override focus(): void {
    this.field?.focus();
  }

  protected override render(): TemplateResult {
    const { typed, kind, matchCase } = this.inspection.state.search;
    return html`<div class="search-bar" role="search">
      <vscode-text-field
        class="search"
        placeholder=${kind === 'hex' ? 'Find bytes, such as 53 ef' : 'Find text'}
        aria-label="Find in the image"
        aria-invalid=${this.wrong !== null}
        .value=${typed}
        @input=${(event: Event) => this.change({ typed: (event.target as ControlElement).value })}
        @keydown=${this.onKey}
      >
        <span slot="start" class="codicon codicon-search" aria-hidden="true"></span>
      </vscode-text-field>
      <vscode-dropdown
        class="search-kind"
        aria-label="What is typed"
        .value=${kind}
        @change=${(event: Event) =>
          this.change({ kind: (event.target as ControlElement).value as PatternKind })}
      >
        ${Object.entries(kindTitles).map(
          ([value, title]) =>
            html`<vscode-option value=${value} ?selected=${value === kind}
              >${title}</vscode-option
            >`,
        )}
      </vscode-dropdown>
      ${
        kind === 'hex'
          ? nothing
          : html`<button
              class="icon-button"
              title="Match case"
              aria-label="Match case"
              aria-pressed=${matchCase}
              @click=${() => this.change({ matchCase: !matchCase })}
            >
              <span class="codicon codicon-case-sensitive" aria-hidden="true"></span>
            </button>`
      }
      <button
        class="icon-button"
        title="Previous match (Shift+Enter)"
        aria-label="Previous match"
        @click=${() => void this.find(true)}
      >
        <span class="codicon codicon-arrow-up" aria-hidden="true"></span>
      </button>
      <button
        class="icon-button"
        title="Next match (Enter)"
        aria-label="Next match"
        @click=${() => void this.find(false)}
      >
        <span class="codicon codicon-arrow-down" aria-hidden="true"></span>
      </button>
      <span class="search-state muted" role="status">${this.renderState()}</span>
    </div>`;
  }

  private renderState(): TemplateResult | string {
    if (this.wrong !== null) return html`<span class="error-text">${this.wrong}</span>`;
    const { current } = this.search;
    switch (current.state) {
      case 'idle':
        return '';
      case 'searching':
        return html`<span class="lasting"
          >Searching… ${formatShare(current.share, 1)}
          <button class="link" @click=${() => this.search.stop()}>Stop</button></span
        >`;
      case 'found':
        return `${formatOffset(current.offset)}${current.wrapped ? ', around the end' : ''}`;
      case 'missing':
        return 'Not found';
      case 'stopped':
        return 'Stopped';
      case 'failed':
        return visibleText(current.message);
    }
  }

  private change(change: Partial<{ typed: string; kind: PatternKind; matchCase: boolean }>): void {
    const { search } = this.inspection.state;
    this.wrong = null;
    this.search.reset();
    this.inspection.update({ search: { ...search, ...change } });
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key === 'Enter') void this.find(event.shiftKey);
    else if (event.key === 'Escape') this.search.stop();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private async find(backwards: boolean): Promise<void> {
    const { state, image } = this.inspection;
    const { typed, kind, matchCase } = state.search;
    const pattern = parsePattern(typed, kind);
    this.wrong = typeof pattern === 'string' ? pattern : null;
    this.requestUpdate();
    if (typeof pattern === 'string' || !image) return;
    const ignoreCase = kind !== 'hex' && !matchCase;
    const from = this.start(pattern.length, backwards);
    const offset = await this.search.find(
      { pattern, backwards, ignoreCase },
      from,
      image.image.size,
    );
    if (offset === null) return;
    this.last = { offset, length: pattern.length };
    this.found(this.last);
  }

  /** The selected byte itself, unless it is what was found last. */
  private start(length: number, backwards: boolean): number {
    const { offset } = this.selected;
    const again = this.last?.offset === offset && this.last.length === length;
    if (!again) return offset;
    return backwards ? offset - 1 : offset + 1;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'fsimg-search-bar': SearchBar;
  }
}
