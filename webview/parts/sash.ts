import { html, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { Part } from '../part';

/** Pixels that one key press moves it. */
const keyStep = 16;

/** The handle between a view and the panel beside it. */
@customElement('fsimg-sash')
class Sash extends Part {
  /** Where the panel is. */
  @property({ attribute: false }) side: 'left' | 'right' = 'right';
  /** Width of the panel, in pixels. */
  @property({ attribute: false }) value = 0;
  @property({ attribute: false }) least = 0;
  @property({ attribute: false }) most = 0;
  @property({ attribute: false }) resize!: (width: number) => void;

  protected override render(): TemplateResult {
    return html`<div
      class="sash"
      role="separator"
      tabindex="0"
      aria-orientation="vertical"
      aria-label="Width of the panel"
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
    const wider = this.side === 'right' ? keyStep : -keyStep;
    if (event.key === 'ArrowLeft') this.set(this.value + wider);
    else if (event.key === 'ArrowRight') this.set(this.value - wider);
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
    this.set(this.side === 'right' ? right - event.clientX : event.clientX - left);
  }

  private set(width: number): void {
    this.resize(Math.round(Math.min(Math.max(width, this.least), this.most)));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'fsimg-sash': Sash;
  }
}
