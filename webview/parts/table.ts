import { defaultRangeExtractor, VirtualizerController, type Range } from '@tanstack/lit-virtual';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { Part } from '../part';
import type { Branch } from './branch';

/** Heights in pixels; the style sheet says the same. VS Code's lists have rows of 22. */
export const rowHeight = 22;
const headerHeight = 24;

/** Rows drawn beyond what is in sight, so that scrolling meets them ready. */
const overscan = 15;

/** Type-ahead starts anew after this pause, in milliseconds. */
const typingPause = 800;

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** What it tells, where the title alone does not say it. */
  readonly meaning?: string;
  readonly numeric?: boolean;
  cell(row: Row): TemplateResult | string;
}

/** Rows that may not have come yet. */
export interface RowSource<Row> {
  readonly count: number;
  row(index: number): Row | undefined;
  /** Told which rows are in sight, `first` up to, not including, `end`. */
  show(first: number, end: number): void;
}

/** What the person does in the table. */
export interface TableActions {
  choose(index: number): void;
  open(index: number): void;
  sort(key: string): void;
  /** `top` is in pixels. */
  scrolled(top: number): void;
  /** Names that start with `prefix` are looked for from row `from` on. */
  typed(prefix: string, from: number): void;
  /** Unfolds or folds what is below a row. */
  fold?(index: number, unfolded: boolean): void;
}

/** Where the table is to stand; each new one moves it. */
export interface Sight {
  /** In pixels; null has the active row in sight. */
  readonly top: number | null;
}

/** A table of any length, of which only what is in sight exists. */
@customElement('fsimg-table')
export class Table<Row> extends Part {
  @property({ attribute: false }) columns: readonly Column<Row>[] = [];
  @property({ attribute: false }) source!: RowSource<Row>;
  @property({ attribute: false }) actions!: TableActions;
  /** What the table lists, for screen readers. */
  @property({ attribute: false }) name = '';
  @property({ attribute: false }) sortKey = '';
  @property({ attribute: false }) descending = false;
  /** The row that has the focus when the table has it. */
  @property({ attribute: false }) active = 0;
  /** Whether the active row is chosen. */
  @property({ attribute: false }) chosen = false;
  @property({ attribute: false }) sight: Sight = { top: null };
  @property({ attribute: false }) rowClass: (row: Row) => string = () => '';
  /** JSON for `data-vscode-context`. */
  @property({ attribute: false }) rowContext: (row: Row) => string = () => '{}';
  /** Makes the table a tree. */
  @property({ attribute: false }) branch: ((row: Row) => Branch) | null = null;
  /** Whether rows can be dragged to elsewhere. */
  @property({ attribute: false }) canDrag = false;

  private activeHeader = 0;
  private typedPrefix = '';
  private typedAt = 0;
  private followFocus = false;
  /** Whether the table has not been moved yet to where it is to stand. */
  private moving = false;
  /** Characters of the longest cell of each numeric column, among those that were drawn. */
  private longest: Record<string, number> = {};

  private readonly virtual = new VirtualizerController<HTMLElement, HTMLElement>(this, {
    count: 0,
    getScrollElement: () => this.scroller,
    estimateSize: () => rowHeight,
    overscan,
    scrollMargin: headerHeight,
    onChange: () => this.tellSight(),
  });

  private get scroller(): HTMLElement | null {
    return this.querySelector<HTMLElement>('.grid');
  }

  /** Has the row in sight: moved as little as it takes, or in the middle if it was out of sight. */
  reveal(index: number, centred = false): void {
    const { scroller } = this;
    if (!scroller) return;
    const room = scroller.clientHeight - headerHeight;
    const top = index * rowHeight;
    const above = top < scroller.scrollTop;
    const below = top + rowHeight > scroller.scrollTop + room;
    if (!above && !below) return;
    if (centred) scroller.scrollTop = top - (room - rowHeight) / 2;
    else scroller.scrollTop = above ? top : top + rowHeight - room;
  }

  /** Gives the keyboard to the active row, or to the empty table. */
  focusActive(): void {
    const row = this.querySelector<HTMLElement>(`.row[data-index="${this.active}"]`);
    (row ?? this.scroller)?.focus({ preventScroll: true });
  }

  protected override willUpdate(changes: PropertyValues): void {
    if (changes.has('name') || changes.has('columns')) this.longest = {};
    this.moving ||= changes.has('sight');
    const virtualizer = this.virtual.getVirtualizer();
    virtualizer.setOptions({
      ...virtualizer.options,
      count: this.source.count,
      rangeExtractor: (range) => this.extractRows(range),
    });
    // A row that is drawn anew would lose the focus to the page; an empty table may get rows.
    const focused = document.activeElement;
    this.followFocus ||=
      this.contains(focused) && (focused === this.scroller || focused?.closest('.row') !== null);
  }

  protected override updated(changes: PropertyValues): void {
    if (this.followFocus) this.focusActive();
    this.followFocus = false;
    if (this.moving) this.applySight();
    this.moving = false;
    if (changes.has('source')) this.tellSight();
  }

  /** The active row always exists, or the focus would be lost when it is scrolled out of sight. */
  private extractRows(range: Range): number[] {
    const rows = defaultRangeExtractor(range);
    const { active } = this;
    if (active >= range.count || rows.includes(active)) return rows;
    return active < rows[0] ? [active, ...rows] : [...rows, active];
  }

  private applySight(): void {
    const { scroller } = this;
    if (this.sight.top === null) this.reveal(this.active, true);
    else if (scroller) scroller.scrollTop = this.sight.top;
  }

  private tellSight(): void {
    const { scroller } = this;
    if (!scroller || this.moving) return;
    const { scrollTop, clientHeight } = scroller;
    const first = Math.floor(scrollTop / rowHeight);
    const end = Math.ceil((scrollTop + clientHeight) / rowHeight);
    this.source.show(Math.max(0, first - overscan), Math.min(end + overscan, this.source.count));
    this.actions.scrolled(scrollTop);
  }

  protected override render(): TemplateResult {
    const { source } = this;
    const virtualizer = this.virtual.getVirtualizer();
    const items = virtualizer.getVirtualItems();
    return html`
      <div
        class="grid"
        role=${this.branch ? 'treegrid' : 'grid'}
        aria-label=${this.name}
        aria-rowcount=${source.count + 1}
        aria-colcount=${this.columns.length}
        tabindex=${source.count === 0 ? 0 : -1}
        .style=${this.measure(items.map(({ index }) => index))}
        @keydown=${this.onKey}
      >
        <div role="rowgroup" class="grid-header">
          <div role="row" aria-rowindex="1" class="grid-columns">
            ${this.columns.map((column, index) => this.renderHeader(column, index))}
          </div>
        </div>
        <div role="rowgroup" class="grid-body" .style=${`height: ${source.count * rowHeight}px`}>
          ${repeat(
            items,
            ({ index }) => index,
            ({ index }) => this.renderRow(index),
          )}
        </div>
      </div>
    `;
  }

  /**
   * Numeric columns are as wide as their numbers, which the style sheet is told in characters;
   * they never get narrower while one scrolls.
   */
  private measure(indices: readonly number[]): string {
    const rows = indices.map((index) => this.source.row(index)).filter((row) => row !== undefined);
    const widths = this.columns
      .filter(({ numeric }) => numeric)
      .map((column) => {
        const { key } = column;
        const lengths = rows.map((row) => {
          const shown = column.cell(row);
          return typeof shown === 'string' ? shown.length : 0;
        });
        this.longest[key] = Math.max(this.longest[key] ?? 0, ...lengths);
        return `--${key}-length: ${this.longest[key]}`;
      });
    return widths.join('; ');
  }

  private renderHeader(column: Column<Row>, index: number): TemplateResult {
    const sorted = column.key === this.sortKey;
    const order = this.descending ? 'descending' : 'ascending';
    return html`<div
      role="columnheader"
      class="cell ${column.key} ${column.numeric ? 'numeric' : ''}"
      aria-colindex=${index + 1}
      aria-sort=${sorted ? order : nothing}
    >
      <button
        class="sort"
        data-header=${index}
        tabindex=${index === this.activeHeader ? 0 : -1}
        title=${column.meaning ?? `Sort by ${column.title}`}
        @click=${() => this.actions.sort(column.key)}
        @focus=${() => this.focusHeader(index)}
      >
        <span class="sort-title">${column.title}</span>
        ${
          sorted
            ? html`<span
                class="codicon codicon-triangle-${this.descending ? 'down' : 'up'}"
                aria-hidden="true"
              ></span>`
            : nothing
        }
      </button>
    </div>`;
  }

  private renderRow(index: number): TemplateResult {
    const row = this.source.row(index);
    const chosen = this.chosen && index === this.active;
    const place = `transform: translateY(${index * rowHeight}px)`;
    if (!row) {
      return html`<div
        role="row"
        class="row grid-columns waiting ${chosen ? 'chosen' : ''}"
        data-index=${index}
        aria-rowindex=${index + 2}
        aria-busy="true"
        tabindex=${index === this.active ? 0 : -1}
        .style=${place}
      >
        <div role="gridcell" class="cell" aria-label="Loading"></div>
      </div>`;
    }
    const branch = this.branch?.(row);
    return html`<div
      role="row"
      class="row grid-columns ${this.rowClass(row)} ${chosen ? 'chosen' : ''}"
      data-index=${index}
      data-vscode-context=${this.rowContext(row)}
      aria-rowindex=${index + 2}
      aria-selected=${chosen}
      aria-level=${branch?.level ?? nothing}
      aria-expanded=${branch?.unfolded ?? nothing}
      tabindex=${index === this.active ? 0 : -1}
      draggable=${this.canDrag}
      .style=${place}
      @mousedown=${(event: MouseEvent) => this.onPress(event, index, branch)}
      @dblclick=${() => this.actions.open(index)}
    >
      ${this.columns.map(
        (column, at) =>
          html`<div
            role="gridcell"
            class="cell ${column.key} ${column.numeric ? 'numeric' : ''}"
            aria-colindex=${at + 1}
          >
            ${column.cell(row)}
          </div>`,
      )}
    </div>`;
  }

  private onPress({ target, button }: MouseEvent, index: number, branch?: Branch): void {
    this.actions.choose(index);
    const onTwist = target instanceof Element && target.closest('.twist') !== null;
    if (!onTwist || button !== 0 || !branch || branch.unfolded === null) return;
    this.actions.fold?.(index, !branch.unfolded);
  }

  private focusHeader(index: number): void {
    if (index === this.activeHeader) return;
    this.activeHeader = index;
    this.requestUpdate();
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const header = (event.target as HTMLElement).closest<HTMLElement>('[data-header]');
    const handled = header ? this.onHeaderKey(event.key) : this.onRowKey(event.key);
    if (!handled) return;
    event.preventDefault();
    event.stopPropagation();
  }

  private onHeaderKey(key: string): boolean {
    const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };
    if (key === 'ArrowDown' && this.source.count > 0) {
      this.focusActive();
      return true;
    }
    if (!(key in steps)) return false;
    // Narrow tables hide some columns.
    const shown = [...this.querySelectorAll<HTMLElement>('[data-header]')].filter(
      (button) => button.offsetParent !== null,
    );
    const at = shown.findIndex((button) => button === document.activeElement);
    shown.at(Math.min(Math.max(at + steps[key], 0), shown.length - 1))?.focus();
    return true;
  }

  private onRowKey(key: string): boolean {
    const { active, chosen } = this;
    const page = Math.max(1, Math.floor((this.scroller?.clientHeight ?? 0) / rowHeight) - 2);
    switch (key) {
      case 'ArrowDown':
        return this.moveTo(chosen ? active + 1 : active);
      case 'ArrowUp':
        return this.moveTo(chosen ? active - 1 : active);
      case 'PageDown':
        return this.moveTo(active + page);
      case 'PageUp':
        return this.moveTo(active - page);
      case 'Home':
        return this.moveTo(0);
      case 'End':
        return this.moveTo(this.source.count - 1);
      case 'ArrowRight':
      case 'ArrowLeft':
        return this.onBranchKey(key === 'ArrowRight');
      case 'Enter':
        if (this.source.count > 0) this.actions.open(active);
        return true;
    }
    // A slash belongs to the filter; no name holds one.
    if ([...key].length !== 1 || key === '/') return false;
    return this.type(key);
  }

  /** Unfolds the row or goes to the first one below it; folds it, or goes to the one above it. */
  private onBranchKey(unfold: boolean): boolean {
    const { active, source } = this;
    const levelOf = (index: number) => this.branch?.(source.row(index) as Row).level ?? 0;
    const row = source.row(active);
    const branch = row && this.branch?.(row);
    if (!branch) return false;
    if (branch.unfolded === !unfold) {
      this.followFocus = true;
      this.actions.fold?.(active, unfold);
    } else if (unfold) {
      if (branch.unfolded) this.moveTo(active + 1);
    } else {
      let above = active - 1;
      while (above >= 0 && levelOf(above) >= branch.level) above--;
      if (above >= 0) this.moveTo(above);
    }
    return true;
  }

  private moveTo(index: number): boolean {
    const { count } = this.source;
    if (count === 0) return true;
    const to = Math.min(Math.max(index, 0), count - 1);
    this.followFocus = true;
    this.actions.choose(to);
    this.reveal(to);
    this.requestUpdate();
    return true;
  }

  private type(key: string): boolean {
    const now = performance.now();
    const goesOn = now - this.typedAt < typingPause;
    if (key === ' ' && !(goesOn && this.typedPrefix)) {
      return this.moveTo(this.active);
    }
    this.typedAt = now;
    this.typedPrefix = goesOn ? this.typedPrefix + key : key;
    // One letter, again and again, walks through the names that start with it.
    const letters = new Set(this.typedPrefix.toLowerCase());
    const prefix = letters.size === 1 ? key : this.typedPrefix;
    this.actions.typed(prefix, prefix.length === 1 ? this.active + 1 : this.active);
    return true;
  }
}
