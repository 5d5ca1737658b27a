import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { SpaceMap } from '../../src/protocol/requests';
import { formatCount, formatShare } from '../words/formats';
import { Part } from '../part';
import { roleWords } from '../words/role-words';
import { readPalette, watchTheme } from './space-palette';
import { drawTile, type Look } from './space-tiles';

/** Of a swatch, in pixels. */
const swatchSize = 14;

/** What the cells of the map mean, and how much of the volume each role takes. */
@customElement('fsimg-space-legend')
class SpaceLegend extends Part {
  @property({ attribute: false }) map: SpaceMap | null = null;
  /** `block` or `cluster`. */
  @property({ attribute: false }) unit = 'block';
  /** What is highlighted, in words; null where nothing is. */
  @property({ attribute: false }) selected: string | null = null;
  /** What is planned, in words; null where nothing is. */
  @property({ attribute: false }) planned: string | null = null;

  private unwatch: () => void = () => undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.unwatch = watchTheme(() => this.paint());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unwatch();
  }

  protected override updated(): void {
    this.paint();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { map } = this;
    if (!map) return nothing;
    const units = map.totals.reduce((sum, count) => sum + count, 0);
    const counts = map.roles
      .map((role, index) => ({ role, count: map.totals[index] }))
      .filter(({ count }) => count > 0);
    return html`<table class="roles">
      <caption>
        What the ${this.unit}s hold
      </caption>
      <thead class="hidden">
        <tr>
          <th scope="col">Role</th>
          <th scope="col">${this.unit}s</th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        ${counts.map(
          ({ role, count }) =>
            html`<tr class="role" data-role=${role}>
              <th scope="row" title=${roleWords[role].title}>
                ${renderSwatch(role)}${roleWords[role].title}
              </th>
              <td>${formatCount(count)}</td>
              <td class="muted">${formatShare(count, units)}</td>
            </tr>`,
        )}
        ${renderBeside('selected', 'Selected', this.selected)}
        ${renderBeside('planned', 'Planned', this.planned)}
      </tbody>
    </table>`;
  }

  private paint(): void {
    const size = Math.round(swatchSize * devicePixelRatio);
    const palette = readPalette(this);
    for (const canvas of this.querySelectorAll<HTMLCanvasElement>('canvas')) {
      canvas.width = size;
      canvas.height = size;
      const context = canvas.getContext('2d');
      if (context) drawTile(context, canvas.dataset.swatch as Look, size, palette);
    }
  }
}

/** What is said of cells beside their roles. */
function renderBeside(
  look: Look,
  title: string,
  what: string | null,
): TemplateResult | typeof nothing {
  if (what === null) return nothing;
  return html`<tr class="role" data-role=${look}>
    <th scope="row" colspan="3">
      ${renderSwatch(look)}<span class="ellipsis" title=${what}>${title}: ${what}</span>
    </th>
  </tr>`;
}

function renderSwatch(role: Look): TemplateResult {
  return html`<canvas class="swatch" data-swatch=${role} aria-hidden="true"></canvas>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'fsimg-space-legend': SpaceLegend;
  }
}
