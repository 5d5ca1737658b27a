import { html, type TemplateResult } from 'lit';
import type { RecordState } from '../../src/protocol/requests';
import { formatCount } from '../words/formats';
import { stateWords } from '../words/record-words';

/** How the states are drawn, and how many records have each; slack is no record. */
export function renderRecordLegend(counts: ReadonlyMap<RecordState, number>): TemplateResult {
  const states = (Object.keys(stateWords) as RecordState[]).filter((state) => counts.has(state));
  return html`<ul class="record-legend" aria-label="Records by state">
    ${states.map(
      (state) =>
        html`<li title=${stateWords[state].meaning}>
          <span class="record-swatch segment ${state}" aria-hidden="true"></span
          >${stateWords[state].word}
          <span class="muted">${formatCount(counts.get(state) ?? 0)}</span>
        </li>`,
    )}
    ${
      counts.has('live')
        ? html`<li title="What a record has beyond what its name needs">
            <span class="record-swatch slack" aria-hidden="true"></span>slack
          </li>`
        : ''
    }
  </ul>`;
}
