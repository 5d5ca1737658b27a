import { html, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { NodeId } from '../../src/protocol/requests';
import { visibleText } from '../words/names';
import { InspectionPart } from '../part';
import { pathOf } from '../inspection/selection';

/** The way from the root to the directory that is shown; each step leads there. */
@customElement('fsimg-breadcrumb')
class Breadcrumb extends InspectionPart {
  /** The directory that would take what is dragged over it. */
  @property({ attribute: false }) dropOn: NodeId | null = null;

  protected override render(): TemplateResult {
    const trail = this.inspection.place?.trail ?? [];
    return html`<nav class="breadcrumb" aria-label="Path">
      <ol>
        ${trail.map((step, depth) => {
          const last = depth === trail.length - 1;
          return html`<li>
            ${
              depth > 0
                ? html`<span class="codicon codicon-chevron-right" aria-hidden="true"></span>`
                : ''
            }
            <button
              class="step ${step.node === this.dropOn ? 'drop-target' : ''}"
              data-depth=${depth}
              title=${visibleText(pathOf(trail.slice(0, depth + 1)))}
              aria-label=${depth === 0 ? 'Root' : visibleText(step.name)}
              aria-current=${last ? 'location' : 'false'}
              @click=${() => this.inspection.climb(depth)}
            >
              <bdi>${depth === 0 ? '/' : visibleText(step.name)}</bdi>
            </button>
          </li>`;
        })}
      </ol>
    </nav>`;
  }

  protected override updated(): void {
    // Where the path is longer than its room, its end is what matters.
    const list = this.querySelector('ol');
    if (list) list.scrollLeft = list.scrollWidth;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'fsimg-breadcrumb': Breadcrumb;
  }
}
