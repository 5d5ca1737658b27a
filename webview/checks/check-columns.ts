import { html, nothing, type TemplateResult } from 'lit';
import type { Severity } from '../../src/protocol/requests';
import type { Column } from '../parts/table';
import { severityLooks, whereOf } from '../words/check-words';
import { formatAmount, formatOffset } from '../words/formats';
import { visibleText } from '../words/names';
import type { CheckRow } from './check-rows';

/** The columns of the list of findings; the head of a severity has but the first. */
export const checkColumns: readonly Column<CheckRow>[] = [
  { key: 'finding', title: 'Finding', cell: renderFinding },
  {
    key: 'kind',
    title: 'Code',
    cell: (row) => (row.kind === 'finding' ? row.finding.code : ''),
  },
  {
    key: 'where',
    title: 'Where',
    meaning: 'Sort by inode or cluster, and path',
    cell: (row) => (row.kind === 'finding' ? html`<bdi>${whereOf(row.finding)}</bdi>` : ''),
  },
  {
    key: 'spot',
    title: 'Byte',
    numeric: true,
    cell: (row) => (row.kind === 'finding' ? formatOffset(row.finding.offset) : ''),
  },
];

function renderFinding(row: CheckRow): TemplateResult {
  const { level, unfolded } = row;
  const twist = unfolded === null ? '' : `codicon-chevron-${unfolded ? 'down' : 'right'}`;
  return html`<span
      class="twist codicon ${twist}"
      .style=${`--level: ${level}`}
      aria-hidden="true"
    ></span>
    ${row.kind === 'group' ? renderGroup(row.severity, row.count) : renderMessage(row)}`;
}

function renderGroup(severity: Severity, count: number): TemplateResult {
  return html`${renderSeverity(severity, true)}
    <span class="group-name">${severityLooks[severity].many}</span>
    <span class="muted">${formatAmount(count, 'finding')}</span>`;
}

function renderMessage({
  finding,
  following,
}: Extract<CheckRow, { kind: 'finding' }>): TemplateResult {
  const message = visibleText(finding.message);
  return html`${renderSeverity(finding.severity)}
    <span class="finding-text" title=${message}>${message}</span>
    ${following > 0 ? html`<span class="muted following">+${following}</span>` : nothing}`;
}

/** @param isSilent where the severity stands beside it as a word */
export function renderSeverity(severity: Severity, isSilent = false): TemplateResult {
  const { icon, one } = severityLooks[severity];
  return isSilent
    ? html`<span class="codicon codicon-${icon} ${severity}" aria-hidden="true"></span>`
    : html`<span class="codicon codicon-${icon} ${severity}" role="img" aria-label=${one}></span>`;
}
