import { html, nothing, type TemplateResult } from 'lit';
import type { Inspection } from '../inspection/inspection';
import { severityLooks, progressOf } from '../words/check-words';
import { formatAmount, formatCount } from '../words/formats';
import { renderSeverity } from './check-columns';

/** Shows the checks view, and checks the volume that is shown. */
export function startCheck(inspection: Inspection): void {
  if (inspection.state.view !== 'checks') inspection.showView('checks');
  void inspection.checks.run();
}

/** The button that checks; while it does so, how far that is. */
export function renderCheckButton(inspection: Inspection): TemplateResult {
  const { running, shown } = inspection.checks;
  if (running) {
    return html`<span class="lasting muted check-progress" role="status">
      ${progressOf(running)}
      <button class="link" @click=${() => inspection.checks.cancel()}>Cancel</button>
    </span>`;
  }
  return html`<vscode-button
    class="check-button"
    appearance="secondary"
    title="Look for everything that is wrong with this filesystem; nothing is changed"
    @click=${() => startCheck(inspection)}
    >${shown ? 'Check Again' : 'Check'}</vscode-button
  >`;
}

/** In the head: how many errors there are, as far as that is known. */
export function renderCheckSummary(inspection: Inspection): TemplateResult | typeof nothing {
  const { volume, checks, state } = inspection;
  if (volume?.unreadable !== null) return nothing;
  const { shown } = checks;
  const button = state.view === 'checks' ? nothing : renderCheckButton(inspection);
  if (!shown) return html`${button}`;
  const { error, warning } = shown.report.counts;
  const worst = error > 0 ? 'error' : 'warning';
  const count = error > 0 ? error : warning;
  const text = count > 0 ? formatAmount(count, severityLooks[worst].one) : 'no errors';
  return html`<button
      class="link check-summary"
      title="Show in Checks"
      @click=${() => inspection.showView('checks')}
    >
      ${
        count > 0
          ? renderSeverity(worst, true)
          : html`<span class="codicon codicon-pass" aria-hidden="true"></span>`
      }${text}${shown.isOutdated ? ' before the last change' : ''}
    </button>
    ${button}`;
}

/** On the tab: the errors. */
export function renderErrorBadge({ checks }: Inspection): TemplateResult | typeof nothing {
  const errors = checks.shown?.report.counts.error ?? 0;
  if (errors === 0) return nothing;
  return html`<span class="badge" aria-label=${formatAmount(errors, 'error')} role="img"
    >${errors > 999 ? '999+' : formatCount(errors)}</span
  >`;
}
