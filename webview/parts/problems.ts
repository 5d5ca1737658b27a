import { html, nothing, type TemplateResult } from 'lit';
import type { Finding, Severity } from '../../src/protocol/requests';
import { formatAmount, formatOffset } from '../words/formats';
import { visibleText } from '../words/names';

/** Problems listed one by one. */
const listed = 50;

const icons: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  note: 'info',
};

/**
 * Problems in plain words, the first at once and the others on request.
 * @param show shows the bytes where a problem is
 */
export function renderProblems(
  problems: readonly Finding[],
  of: string,
  show: (offset: number) => void,
): TemplateResult | typeof nothing {
  if (problems.length === 0) return nothing;
  if (problems.length === 1) {
    return html`<div class="problems" role="note" aria-label=${`Problem of ${of}`}>
      ${renderProblem(problems[0], show)}
    </div>`;
  }
  const worst = problems.find(({ severity }) => severity === 'error') ?? problems[0];
  return html`<details class="problems">
    <summary>
      ${renderIcon(worst.severity)}
      <span>${formatAmount(problems.length, 'problem')} of ${of}</span>
    </summary>
    <ul>
      ${problems.slice(0, listed).map((problem) => html`<li>${renderProblem(problem, show)}</li>`)}
      ${
        problems.length > listed
          ? html`<li>and ${formatAmount(problems.length - listed, 'more', 'more')}</li>`
          : nothing
      }
    </ul>
  </details>`;
}

/** One line about what is shown beside it. */
export function renderRemark(severity: Severity, text: unknown): TemplateResult {
  return html`<p class="problems">${renderIcon(severity)}<span>${text}</span></p>`;
}

/** Why something cannot be shown or done, where that is so. @param lead what that is */
export function renderFailure(
  failure: string | null | undefined,
  lead = '',
): TemplateResult | typeof nothing {
  return failure ? renderRemark('error', lead + visibleText(failure)) : nothing;
}

function renderProblem(
  { severity, message, offset }: Finding,
  show: (offset: number) => void,
): TemplateResult {
  return html`${renderIcon(severity)}<span
      >${visibleText(message)}
      <button class="link" title="Show in Structures" @click=${() => show(offset)}>
        at ${formatOffset(offset)}
      </button></span
    >`;
}

function renderIcon(severity: Severity): TemplateResult {
  return html`<span
    class="codicon codicon-${icons[severity]} ${severity}"
    role="img"
    aria-label=${severity}
  ></span>`;
}
