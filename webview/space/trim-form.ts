import { html, nothing, type TemplateResult } from 'lit';
import type { TrimReport } from '../../src/protocol/requests';
import { renderFacts } from '../parts/message';
import { formatCount, formatSize } from '../words/formats';
import { visibleText } from '../words/names';
import { renderKnown, renderSizeField } from './plan-field';
import type { Planner } from './planner';

/** What is asked of a trim, and what it would come to. */
export function renderTrim(planner: Planner): TemplateResult {
  const { shown, known } = planner;
  const trim = shown?.trim;
  return html`
    <p class="muted">
      Free space becomes holes of the image file when it is saved: the host gets its room back.
    </p>
    <div class="plan-fields">
      ${renderSizeField(planner, 'minimum', 'At least', 'Shorter free extents are left alone')}
    </div>
    ${
      trim
        ? html`<div class="plan" aria-busy=${planner.waiting}>
            ${renderFacts(factsOf(trim))}
            ${trim.extents === 0 ? html`<p class="muted">There is nothing to trim.</p>` : nothing}
            ${renderKnown(known)}
            ${shown.notes.map((note) => html`<p class="plan-remark">${visibleText(note)}</p>`)}
          </div>`
        : nothing
    }
  `;
}

function factsOf({ extents, bytes, skippedHoles, reclaimed }: TrimReport): [string, string][] {
  return [
    ['Free extents', formatCount(extents)],
    ['Bytes', `${formatCount(bytes)} (${formatSize(bytes)})`],
    ['Holes already', formatCount(skippedHoles)],
    ['Host gets back', formatSize(reclaimed)],
  ];
}
