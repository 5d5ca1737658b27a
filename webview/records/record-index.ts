import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { IndexNode } from '../../src/protocol/requests';
import { formatCount } from '../words/formats';
import { scaleHashes, stepInTree, type HashSpan } from './hash-scale';
import { Part } from '../part';
import { describeNode, formatHash } from './block-head';

/** Narrower nodes have no room for a number, in pixels. */
const namedWidth = 34;

const arrows: Readonly<Record<string, Parameters<typeof stepInTree>[2]>> = {
  ArrowLeft: 'before',
  ArrowRight: 'after',
  ArrowUp: 'parent',
  ArrowDown: 'child',
};

/** The hash tree of a directory, drawn level below level over the range of all hashes. */
@customElement('fsimg-record-index')
class RecordIndex extends Part {
  /** From the root down, in the order of the hashes. */
  @property({ attribute: false }) nodes: readonly IndexNode[] = [];
  /** The block of the directory that holds what is chosen. */
  @property({ attribute: false }) chosen: number | null = null;
  @property({ attribute: false }) go!: (logical: number) => void;

  @state() private width = 0;
  @state() private active = 0;
  @state() private hovered: number | null = null;

  private readonly observer = new ResizeObserver(([entry]) => {
    this.width = Math.floor(entry.contentRect.width);
  });

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer.disconnect();
  }

  protected override willUpdate(): void {
    if (this.active >= this.nodes.length) this.active = 0;
  }

  protected override firstUpdated(): void {
    const levels = this.querySelector('.hash-levels');
    if (levels) this.observer.observe(levels);
  }

  protected override render(): TemplateResult {
    const levels = scaleHashes(this.nodes, this.width);
    const node = this.nodes.at(this.hovered ?? this.active);
    return html`<div class="hash-tree">
      <div
        class="hash-levels"
        role="tree"
        tabindex="0"
        aria-label="Hash tree"
        aria-activedescendant="hash-${this.active}"
        @keydown=${this.onKey}
        @pointerleave=${() => (this.hovered = null)}
      >
        ${levels.map(
          (spans) =>
            html`<div class="hash-level" role="none">
              ${spans.map((span) => this.renderSpan(span))}
            </div>`,
        )}
      </div>
      <p class="hash-readout muted">
        <span>${formatHash(0)}</span>
        <span class="record-readout"
          >${node ? `#${node.logical}: ${describeNode(node)}` : nothing}</span
        >
        <span>${formatHash(0xffffffff)}</span>
      </p>
    </div>`;
  }

  private renderSpan({ left, width, first, last }: HashSpan): TemplateResult {
    const isActive = this.active >= first && this.active <= last;
    const shown = isActive ? this.active : first;
    const node = this.nodes[shown];
    const label = `block ${formatCount(node.logical)} of the directory, ${describeNode(node)}`;
    const holdsChosen = this.nodes
      .slice(first, last + 1)
      .some(({ logical }) => logical === this.chosen);
    const kind = node.isLeaf ? 'leaf' : 'node';
    return html`<div
      id="hash-${shown}"
      role="treeitem"
      class="hash-span ${kind} ${isActive ? 'active' : ''} ${holdsChosen ? 'chosen' : ''}"
      aria-level=${node.level + 1}
      aria-label=${label}
      aria-selected=${holdsChosen}
      title=${last > first ? `${formatCount(last - first + 1)} blocks` : label}
      .style=${`left: ${left}px; width: ${width}px`}
      @pointerenter=${() => (this.hovered = first)}
      @click=${() => this.choose(shown)}
    >
      ${width >= namedWidth ? `#${formatCount(node.logical)}` : nothing}
    </div>`;
  }

  private choose(index: number): void {
    this.active = index;
    this.go(this.nodes[index].logical);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in arrows) {
      this.active = stepInTree(this.nodes, this.active, arrows[event.key]);
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.choose(this.active);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'fsimg-record-index': RecordIndex;
  }
}
