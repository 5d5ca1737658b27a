import { html, nothing, svg, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { scalePieces, type Piece, type PieceKind, type Span } from './extent-scale';
import { formatAmount, formatCount } from '../words/formats';
import { Part } from '../part';

const height = 22;

export const kindNames: Readonly<Record<PieceKind | 'mixed', string>> = {
  data: 'data',
  unwritten: 'unwritten',
  hole: 'hole',
  unlisted: 'not listed',
  mixed: 'several pieces',
};

/** A file from its start to its end, drawn to scale: what of it lies on the volume, and how. */
@customElement('fsimg-extent-strip')
class ExtentStrip extends Part {
  @property({ attribute: false }) pieces: readonly Piece[] = [];
  /** `block` or `cluster`. */
  @property({ attribute: false }) unit = 'block';
  /** What it shows, in words. */
  @property({ attribute: false }) summary = '';

  @state() private width = 0;

  private readonly observer = new ResizeObserver(([entry]) => {
    this.width = Math.floor(entry.contentRect.width);
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer.disconnect();
  }

  protected override render(): TemplateResult {
    const spans = scalePieces(this.pieces, this.width);
    const kinds = new Set(spans.map(({ kind }) => kind));
    return html`
      <svg
        class="strip"
        role="img"
        aria-label=${this.summary}
        width=${this.width}
        height=${height}
        viewBox="0 0 ${this.width} ${height}"
      >
        ${renderPatterns()} ${spans.map((span) => this.renderSpan(span))}
      </svg>
      ${
        kinds.size > 1
          ? html`<ul class="legend" aria-hidden="true">
              ${[...kinds].map(
                (kind) =>
                  html`<li>
                    <svg width="12" height="10">
                      <rect class="span ${kind}" width="12" height="10"></rect></svg
                    >${kindNames[kind]}
                  </li>`,
              )}
            </ul>`
          : nothing
      }
    `;
  }

  private renderSpan({ kind, start, width, first, last }: Span) {
    // A line of background keeps neighbours apart that lie apart on the volume.
    const drawn = width > 3 ? width - 1 : width;
    const inset = kind === 'hole' || kind === 'unlisted' ? 7 : 0;
    return svg`<rect class="span ${kind}" x=${start} y=${inset}
      width=${drawn} height=${height - 2 * inset}><title>${this.describe(first, last)}</title></rect>`;
  }

  private describe(first: number, last: number): string {
    const { kind, logical, physical, length } = this.pieces[first];
    const plural = `${this.unit}s`;
    if (last > first) {
      const end = this.pieces[last].logical + this.pieces[last].length;
      return `${formatAmount(last - first + 1, 'piece')} in ${plural} ${formatRange(logical, end - logical)}`;
    }
    const place = physical === null ? '' : `, on the volume ${formatRange(physical, length)}`;
    return `${kindNames[kind]}: ${plural} ${formatRange(logical, length)}${place}`;
  }
}

/** The first and the last unit of a run: `8,193–8,208`. */
function formatRange(start: number, length: number): string {
  return length === 1
    ? formatCount(start)
    : `${formatCount(start)}–${formatCount(start + length - 1)}`;
}

/** Hatches, so that the kinds differ in more than their colour. */
function renderPatterns() {
  return svg`<defs>
    <pattern id="strip-unwritten" width="6" height="6" patternUnits="userSpaceOnUse"
      patternTransform="rotate(45)">
      <rect class="hatch-ground" width="6" height="6"></rect>
      <rect class="hatch-line" width="2.5" height="6"></rect>
    </pattern>
    <pattern id="strip-mixed" width="3" height="3" patternUnits="userSpaceOnUse">
      <rect class="hatch-ground" width="3" height="3"></rect>
      <rect class="hatch-line" width="3" height="1.5"></rect>
    </pattern>
  </defs>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'fsimg-extent-strip': ExtentStrip;
  }
}
