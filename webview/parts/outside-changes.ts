import { html, nothing, type TemplateResult } from 'lit';
import type { ImageDifference } from '../../src/protocol/requests';
import { visibleText } from '../words/names';

/** A strip that tells what another program has changed in the image. */
export function renderOutside({ sentences }: ImageDifference, dismiss: () => void): TemplateResult {
  const [first = 'Nothing that was looked at differs.', ...others] = sentences.map(visibleText);
  return html`<div class="notice outside" role="status">
    <span class="codicon codicon-sync note" aria-hidden="true"></span>
    <div class="outside-text">
      <p>Another program has changed the image. ${first}</p>
      ${
        others.length === 0
          ? nothing
          : html`<details>
              <summary>${others.length} more</summary>
              <ul>
                ${others.map((sentence) => html`<li>${sentence}</li>`)}
              </ul>
            </details>`
      }
    </div>
    ${renderDismiss(dismiss)}
  </div>`;
}

/** Takes away what a person has read. */
export function renderDismiss(dismiss: () => void): TemplateResult {
  return html`<button
    class="icon-button dismiss"
    title="Dismiss"
    aria-label="Dismiss"
    @click=${dismiss}
  >
    <span class="codicon codicon-close" aria-hidden="true"></span>
  </button>`;
}
