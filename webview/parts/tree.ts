import { defaultRangeExtractor, VirtualizerController, type Range } from '@tanstack/lit-virtual';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { formatCount, formatOffset } from '../words/formats';
import { visibleText } from '../words/names';
import { Part } from '../part';
import type { StructureTree, TreeItem } from '../structures/structure-tree';

/** In pixels; the style sheet says the same. */
const rowHeight = 22;
const overscan = 15;
/** Type-ahead starts anew after this pause, in milliseconds. */
const typingPause = 800;

/** What the person does in the tree. */
export interface TreeActions {
  /** @param jumps whether it is a step that one may want to go back */
  choose(item: TreeItem, jumps: boolean): void;
  /** What is unfolded has changed. */
  unfolded(): void;
}

/** The tree of structures, of which only what is in sight exists. */
@customElement('fsimg-tree')
class Tree extends Part {
  @property({ attribute: false }) tree!: StructureTree;
  /** What the tree has in sight; a new list is drawn anew. */
  @property({ attribute: false }) rows: readonly TreeItem[] = [];
  /** The id of the chosen item; empty where there is none. */
  @property({ attribute: false }) chosen = '';
  @property({ attribute: false }) actions!: TreeActions;

  @query('.tree') private readonly scroller!: HTMLElement | null;

  /** The item that has the focus when the tree has it. */
  private activeId = '';
  private followFocus = false;
  private typed = '';
  private typedAt = 0;

  private readonly virtual = new VirtualizerController<HTMLElement, HTMLElement>(this, {
    count: 0,
    getScrollElement: () => this.scroller,
    estimateSize: () => rowHeight,
    overscan,
  });

  override focus(): void {
    const row = this.querySelector<HTMLElement>(`[data-index="${this.active}"]`);
    (row ?? this.scroller)?.focus({ preventScroll: true });
  }

  /** Index of the row that has the focus; the first where it has gone. */
  private get active(): number {
    return Math.max(
      0,
      this.rows.findIndex(({ id }) => id === this.activeId),
    );
  }

  protected override willUpdate(changes: PropertyValues): void {
    const virtualizer = this.virtual.getVirtualizer();
    virtualizer.setOptions({
      ...virtualizer.options,
      count: this.rows.length,
      rangeExtractor: (range) => this.extractRows(range),
    });
    // A row that is drawn anew would lose the focus to the page.
    this.followFocus ||= changes.has('rows') && this.contains(document.activeElement);
  }

  protected override updated(): void {
    if (this.followFocus) this.focus();
    this.followFocus = false;
  }

  /** The active row always exists, or the focus would be lost when it is scrolled out of sight. */
  private extractRows(range: Range): number[] {
    const rows = defaultRangeExtractor(range);
    const { active } = this;
    if (active >= range.count || rows.includes(active)) return rows;
    return active < rows[0] ? [active, ...rows] : [...rows, active];
  }

  protected override render(): TemplateResult {
    const items = this.virtual.getVirtualizer().getVirtualItems();
    return html`<div class="tree" role="tree" aria-label="Structures" @keydown=${this.onKey}>
      <div
        class="tree-rows"
        role="presentation"
        .style=${`height: ${this.rows.length * rowHeight}px`}
      >
        ${repeat(
          items.filter(({ index }) => index < this.rows.length),
          ({ index }) => this.rows[index].id,
          ({ index }) => this.renderItem(this.rows[index], index),
        )}
      </div>
    </div>`;
  }

  private renderItem(item: TreeItem, index: number): TemplateResult {
    const { branch, level } = item;
    const unfolded = this.tree.isUnfolded(item);
    const chosen = item.id === this.chosen;
    const name = visibleText(branch.name);
    return html`<div
      role="treeitem"
      class="tree-item ${chosen ? 'chosen' : ''}"
      data-index=${index}
      tabindex=${index === this.active ? 0 : -1}
      aria-level=${level}
      aria-posinset=${item.position + 1}
      aria-setsize=${item.siblings}
      aria-expanded=${branch.hasChildren ? unfolded : nothing}
      aria-selected=${chosen}
      title=${describe(item)}
      .style=${`transform: translateY(${index * rowHeight}px); --level: ${level}`}
      @click=${(event: MouseEvent) => this.onClick(event, item)}
    >
      <span
        class="twist codicon ${
          branch.hasChildren ? `codicon-chevron-${unfolded ? 'down' : 'right'}` : ''
        }"
        aria-hidden="true"
      ></span>
      <span class="tree-name"><bdi>${name}</bdi></span>
      ${this.renderBelow(item, unfolded)}
    </div>`;
  }

  private renderBelow(item: TreeItem, unfolded: boolean): TemplateResult | typeof nothing {
    const below = this.tree.belowOf(item);
    if (!unfolded || !below || below.state === 'known') return nothing;
    return below.state === 'asked'
      ? html`<span class="muted lasting" role="status">reading…</span>`
      : html`<span
          class="codicon codicon-error error"
          role="img"
          aria-label=${visibleText(below.message)}
          title=${visibleText(below.message)}
        ></span>`;
  }

  private onClick(event: MouseEvent, item: TreeItem): void {
    const onTwist = (event.target as HTMLElement).classList.contains('twist');
    this.activate(item);
    if (item.branch.hasChildren && (onTwist || item.branch.offset === null)) this.toggle(item);
    if (!onTwist) this.actions.choose(item, true);
  }

  private activate(item: TreeItem): void {
    this.activeId = item.id;
    this.followFocus = true;
    this.requestUpdate();
  }

  private toggle(item: TreeItem, to = !this.tree.isUnfolded(item)): void {
    if (to) this.tree.unfold(item);
    else this.tree.fold(item);
    this.actions.unfolded();
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const item = this.rows.at(this.active);
    if (!item || !this.onItemKey(event.key, item)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  private onItemKey(key: string, item: TreeItem): boolean {
    const { active } = this;
    const page = Math.max(1, Math.floor((this.scroller?.clientHeight ?? 0) / rowHeight) - 1);
    switch (key) {
      case 'ArrowDown':
        return this.moveTo(active + 1);
      case 'ArrowUp':
        return this.moveTo(active - 1);
      case 'PageDown':
        return this.moveTo(active + page);
      case 'PageUp':
        return this.moveTo(active - page);
      case 'Home':
        return this.moveTo(0);
      case 'End':
        return this.moveTo(this.rows.length - 1);
      case 'ArrowRight':
        if (item.branch.hasChildren && !this.tree.isUnfolded(item)) this.toggle(item, true);
        else if (this.rows.at(active + 1)?.parent === item) this.moveTo(active + 1);
        return true;
      case 'ArrowLeft':
        if (this.tree.isUnfolded(item)) this.toggle(item, false);
        else if (item.parent) this.moveTo(this.rows.indexOf(item.parent));
        return true;
      case 'Enter':
      case ' ':
        this.actions.choose(item, true);
        return true;
    }
    return [...key].length === 1 && this.type(key);
  }

  private moveTo(index: number): boolean {
    const item = this.rows.at(Math.min(Math.max(index, 0), this.rows.length - 1));
    if (!item) return true;
    this.activate(item);
    this.actions.choose(item, false);
    this.reveal(this.rows.indexOf(item));
    return true;
  }

  private reveal(index: number): void {
    const { scroller } = this;
    if (!scroller) return;
    const top = index * rowHeight;
    const last = top + rowHeight - scroller.clientHeight;
    scroller.scrollTop = Math.max(Math.min(scroller.scrollTop, top), last);
  }

  private type(key: string): boolean {
    const now = performance.now();
    this.typed = now - this.typedAt < typingPause ? this.typed + key : key;
    this.typedAt = now;
    const prefix = this.typed.toLowerCase();
    const from = this.active + (this.typed.length === 1 ? 1 : 0);
    const order = this.rows.map((_, index) => (index + from) % this.rows.length);
    const found = order.find((at) => this.rows[at].branch.name.toLowerCase().startsWith(prefix));
    return found === undefined || this.moveTo(found);
  }
}

function describe({ branch: { name, offset, length } }: TreeItem): string {
  const text = visibleText(name);
  return offset === null ? text : `${text}\n${formatOffset(offset)}, ${formatCount(length)} bytes`;
}

declare global {
  interface HTMLElementTagNameMap {
    'fsimg-tree': Tree;
  }
}
