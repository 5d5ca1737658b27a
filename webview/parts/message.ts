import { html, nothing, type TemplateResult } from 'lit';

export interface Message {
  /** Name of a codicon. */
  readonly icon: string;
  readonly title: string;
  readonly text?: string;
  /** What is known, as names and values. */
  readonly facts?: readonly (readonly [string, string])[];
  readonly action?: { readonly title: string; run(): void };
}

/** Says in the place of a view why there is nothing else to see. */
export function renderMessage({ icon, title, text, facts = [], action }: Message): TemplateResult {
  return html`<div class="message" role="status" tabindex="-1">
    <span class="message-icon codicon codicon-${icon}" aria-hidden="true"></span>
    <h2>${title}</h2>
    ${text ? html`<p>${text}</p>` : nothing} ${facts.length > 0 ? renderFacts(facts) : nothing}
    ${
      action
        ? html`<vscode-button appearance="secondary" @click=${() => action.run()}>
            ${action.title}
          </vscode-button>`
        : nothing
    }
  </div>`;
}

/** Names and values below each other. */
export function renderFacts(
  facts: readonly (readonly [string, string | TemplateResult])[],
): TemplateResult {
  return html`<dl class="facts">
    ${facts.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

/** Says that something takes its time; comes in sight only if it does. */
export function renderWaiting(text: string): TemplateResult {
  return html`<div class="message waiting-message" role="status">
    <vscode-progress-ring aria-label=${text}></vscode-progress-ring>
    <p>${text}</p>
  </div>`;
}
