import { html, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { Part } from '../part';

/** Pixels that one key press moves it. */
const keyStep = 16;
/** The keys that make the panel smaller and larger. */
const arrows = {
  left: ['ArrowLeft', 'ArrowRight'],
  right: ['ArrowRight', 'ArrowLeft'],
  top: ['ArrowUp', 'ArrowDown'],
} as const;

/** The handle between a view and the panel beside it, or above it. */
@customElement('fsimg-sash')
class Sash extends Part {
  /** Where the panel is. */
  @property({ attribute: false }) side: 'left' | 'right' | 'top' = 'right';
  /** Width of the panel, or the height of one above, in pixels. */
  @property({ attribute: false }) value = 0;
  @property({ attribute: false }) least = 0;
  @property({ attribute: false }) most = 0;
  @property({ attribute: false }) resize!: (extent: number) => void;

  protected override render(): TemplateResult {
    const isAbove = this.side === 'top';
    return html`<div
      class="sash"
      role="separator"
      tabindex="0"
      aria-orientation=${isAbove ? 'horizontal' : 'vertical'}
      aria-label=${`${isAbove ? 'Height' : 'Width'} of the panel`}
      aria-valuenow=${this.value}
      aria-valuemin=${this.least}
      aria-valuemax=${this.most}
      @keydown=${this.onKey}
      @pointerdown=${this.onDragStart}
      @pointermove=${this.onDrag}
    ></div>`;
  }

  private onKey(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const [less, more] = arrows[this.side];
    if (event.key === more) this.set(this.value + keyStep);
    else if (event.key === less) this.set(this.value - keyStep);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private onDragStart(event: PointerEvent): void {
    if (event.button !== 0) return;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  private onDrag(event: PointerEvent): void {
    const sash = event.currentTarget as HTMLElement;
    if (!sash.hasPointerCapture(event.pointerId)) return;
    const { left = 0, right = 0 } = this.parentElement?.getBoundingClientRect() ?? {};
    const { top = 0 } = this.previousElementSibling?.getBoundingClientRect() ?? {};
    switch (this.side) {
      case 'left':
        return this.set(event.clientX - left);
      case 'right':
        return this.set(right - event.clientX);
      case 'top':
        return this.set(event.clientY - top);
    }
  }

  private set(extent: number): void {
    this.resize(Math.round(Math.min(Math.max(extent, this.least), this.most)));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'fsimg-sash': Sash;
  }
}
