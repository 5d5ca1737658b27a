import { html, nothing, type TemplateResult } from 'lit';
import { formatCount, formatSize } from '../words/formats';
import type { ControlElement } from '../toolkit';
import type { Planner, SizeField } from './planner';

/**
 * A field for a size, and what it is in bytes.
 * @param hint what it means, beside its name
 */
export function renderSizeField(
  planner: Planner,
  field: SizeField,
  name: string,
  hint: string,
): TemplateResult {
  const wrong = planner.wrongWith(field);
  const size = planner.sizeOf(field);
  return html`<label class="plan-field" title=${hint}
    ><span class="plan-name">${name}</span>
    <vscode-text-field
      class="plan-${field}"
      size="9"
      aria-label=${name}
      aria-invalid=${wrong !== null}
      aria-describedby="plan-${field}-note"
      .value=${planner.inputs[field]}
      @input=${(event: Event) =>
        planner.change({ [field]: (event.target as ControlElement).value })}
    ></vscode-text-field>
    <span
      id="plan-${field}-note"
      class="plan-note ${wrong === null ? 'muted' : 'error-text'}"
      title=${size === null ? '' : formatSize(size)}
      >${wrong ?? (size === null ? nothing : `${formatCount(size)} B`)}</span
    ></label
  >`;
}

/** A switch, and what it means where that is no matter of course. */
export function renderSwitch(
  planner: Planner,
  field: 'keepSize' | 'zero',
  name: string,
  meaning: string,
): TemplateResult {
  return html`<div class="plan-switch">
    <vscode-checkbox
      class="plan-${field}"
      .checked=${planner.inputs[field]}
      @change=${(event: Event) => {
        const { checked } = event.target as ControlElement;
        if (checked !== planner.inputs[field]) planner.change({ [field]: checked });
      }}
      >${name}</vscode-checkbox
    >
    <p class="muted">${meaning}</p>
  </div>`;
}

/** Says so where the map shows the start of a plan alone. @param known as `Planner.known` */
export function renderKnown(known: number | null): TemplateResult | typeof nothing {
  if (known === null) return nothing;
  return html`<p class="muted">The map shows the first ${formatCount(known)} of them.</p>`;
}
