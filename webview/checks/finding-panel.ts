import { html, nothing, type TemplateResult } from 'lit';
import type { CheckFinding, Problem, ViewId } from '../../src/protocol/requests';
import { renderFacts } from '../parts/message';
import { formatAmount, formatCount, formatOffset } from '../words/formats';
import { visibleText } from '../words/names';
import { renderSeverity } from './check-columns';

/** What the panel shows of a finding. */
export interface ExplainedFinding {
  readonly finding: CheckFinding;
  /** Undefined where the table has no such code. */
  readonly problem: Problem | undefined;
  /** What it follows from, and how many follow from it at once. */
  readonly cause: CheckFinding | undefined;
  readonly following: number;
  show(view: ViewId): void;
  showCause(): void;
}

const ways: readonly [view: ViewId, title: string][] = [
  ['structures', 'Structures'],
  ['files', 'Files'],
  ['records', 'Records'],
  ['space', 'Space'],
];

/** All about one finding: what the rule is, where it is broken, and what it comes from. */
export function renderFindingPanel(explained: ExplainedFinding): TemplateResult {
  const { finding, problem } = explained;
  return html`<section class="selected-panel" aria-label="Selected finding">
    <h2>${renderSeverity(finding.severity)} <span>${problem?.title ?? finding.code}</span></h2>
    <p class="finding-message">${visibleText(finding.message)}</p>
    <p class="ways">
      <span class="muted">Show in</span>
      ${ways.map(
        ([view, title]) =>
          html`<button class="link" title="Show in ${title}" @click=${() => explained.show(view)}>
            ${title}
          </button>`,
      )}
    </p>
    ${problem ? html`<p class="explanation">${problem.explanation}</p>` : nothing}
    ${renderFacts(factsOf(explained))}
  </section>`;
}

function factsOf(explained: ExplainedFinding): [string, string | TemplateResult][] {
  const { finding, cause, following } = explained;
  const { code, field, path, inode, cluster, offset, length, fixable } = finding;
  const facts: [string, string | TemplateResult][] = [
    ['Code', html`<span class="code">${code}</span>`],
  ];
  if (field !== undefined) facts.push(['Field', html`<span class="code">${field}</span>`]);
  if (path !== undefined) facts.push(['Path', html`<bdi class="name">${visibleText(path)}</bdi>`]);
  if (inode !== undefined) facts.push(['Inode', formatCount(inode)]);
  if (cluster !== undefined) facts.push(['Cluster', formatCount(cluster)]);
  facts.push([
    'Bytes',
    html`<button
        class="link"
        title="Show in Structures"
        @click=${() => explained.show('structures')}
      >
        ${formatOffset(offset)}</button
      >, ${formatAmount(length, 'byte')}`,
  ]);
  if (cause) {
    facts.push([
      'Follows from',
      html`<button class="link" title="Show what it follows from" @click=${explained.showCause}>
        ${visibleText(cause.message)}
      </button>`,
    ]);
  }
  if (following > 0) facts.push(['Leads to', formatAmount(following, 'other finding')]);
  facts.push(['Repair', fixable ? 'a repair tool would correct it' : 'left to a person']);
  return facts;
}
