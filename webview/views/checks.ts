import { html, nothing, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { CheckFinding, Severity, VolumeSummary } from '../../src/protocol/requests';
import { checkColumns, renderSeverity } from '../checks/check-columns';
import {
  CheckRowMaker,
  checkOrders,
  severities,
  type CheckRow,
  type CheckRows,
} from '../checks/check-rows';
import { renderCheckButton, renderErrorBadge, startCheck } from '../checks/check-summary';
import { chooseEntryOf, chooseFinding, chosenIndex } from '../checks/chosen-finding';
import { renderFindingPanel } from '../checks/finding-panel';
import { keyOf } from '../checks/finding-tree';
import type { ShownCheck } from '../checks/volume-checks';
import { showFinding } from '../inspection/reveal';
import { panelWidths, type ChecksState } from '../inspection/state';
import { InspectionPart } from '../part';
import { renderClosedVolume } from '../parts/closed-volume';
import '../parts/filter-field';
import type { Filtered } from '../parts/filter-field';
import { renderMessage, renderWaiting } from '../parts/message';
import { renderFailure, renderRemark } from '../parts/problems';
import '../parts/sash';
import type { RowSource, Sight, Table, TableActions } from '../parts/table';
import { checkedParts, kindsOf, progressOf, severityLooks } from '../words/check-words';
import { formatAmount, formatCount, formatType } from '../words/formats';
import { visibleText } from '../words/names';
import type { View } from './view';

/** Moving through the list quickly looks up only the entry at which it stops, in milliseconds. */
const lookUpAfter = 100;

export const checksView: View = {
  id: 'checks',
  title: 'Checks',
  badge: renderErrorBadge,
  render: (inspection) => html`<fsimg-checks .inspection=${inspection}></fsimg-checks>`,
};

/** What is wrong with the volume, from the worst on, and what each finding means. */
@customElement('fsimg-checks')
class ChecksView extends InspectionPart {
  private readonly maker = new CheckRowMaker();
  private made: CheckRows = { rows: [], matched: 0 };
  private chosen = -1;
  private activeRow = 0;
  private sight: Sight = { top: null };
  private timer: ReturnType<typeof setTimeout> | undefined;

  private readonly actions: TableActions = {
    choose: (index) => this.chooseRow(index),
    open: (index) => this.openRow(index),
    sort: (key) => this.sortBy(key),
    scrolled: () => undefined,
    typed: (prefix, from) => this.locatePrefix(prefix, from),
    fold: (index, unfolded) => this.fold(index, unfolded),
  };

  private readonly leaveFilter = () => this.focus();
  private readonly titleOf = (code: string) =>
    this.inspection.checks.problems.get(code)?.title ?? '';

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  override focus(): void {
    if (this.made.rows.length > 0) this.table?.focusActive();
    else this.querySelector<HTMLElement>('.message')?.focus();
  }

  focusFilter(): void {
    this.querySelector('fsimg-filter-field')?.focus();
  }

  private get table(): Table<CheckRow> | null {
    return this.querySelector<Table<CheckRow>>('fsimg-table');
  }

  protected override willUpdate(): void {
    const { shown } = this.inspection.checks;
    const { checks } = this.inspection.state;
    this.made = this.maker.make(shown?.report.findings ?? [], checks, this.titleOf);
    const chosen = chosenIndex(this.inspection);
    const row = this.made.rows.findIndex((one) =>
      one.kind === 'group' ? one.severity === checks.chosen : one.index === chosen,
    );
    if (chosen !== this.chosen) this.sight = { top: null };
    this.chosen = chosen;
    this.activeRow =
      row >= 0 ? row : Math.max(0, Math.min(this.activeRow, this.made.rows.length - 1));
  }

  protected override render(): TemplateResult | typeof nothing {
    const { image, volume, checks } = this.inspection;
    if (!image) return nothing;
    if (volume?.unreadable !== null) {
      return html`<section class="view">${renderClosedVolume(image, volume)}</section>`;
    }
    const { shown } = checks;
    return html`<section class="view checks files" @keydown=${this.onKey}>
      ${this.renderToolbar(shown)}
      ${shown ? this.renderCheck(shown, volume) : this.renderMissing(volume)}
    </section>`;
  }

  private renderToolbar(shown: ShownCheck | null): TemplateResult {
    const { inspection } = this;
    const { filter, hidden } = inspection.state.checks;
    if (!shown || shown.report.findings.length === 0) {
      return html`<div class="toolbar">${renderCheckButton(inspection)}</div>`;
    }
    const filtered: Filtered = {
      name: 'Filter findings',
      filter,
      apply: (typed) => this.arrange({ filter: typed }),
    };
    return html`<div class="toolbar">
      ${renderCheckButton(inspection)}
      <span class="toolbar-count muted">${this.describeCount(shown)}</span>
      <div class="severities" role="group" aria-label="Severities shown">
        ${severities.map((severity) => this.renderSwitch(severity, shown, hidden))}
      </div>
      <fsimg-filter-field
        .inspection=${inspection}
        .filtered=${filtered}
        .leave=${this.leaveFilter}
      ></fsimg-filter-field>
    </div>`;
  }

  private describeCount({ report }: ShownCheck): string {
    const total = formatAmount(report.findings.length, 'finding');
    const { matched } = this.made;
    return matched === report.findings.length ? total : `${formatCount(matched)} of ${total}`;
  }

  private renderSwitch(
    severity: Severity,
    { report }: ShownCheck,
    hidden: readonly Severity[],
  ): TemplateResult {
    const isHidden = hidden.includes(severity);
    const { many, one } = severityLooks[severity];
    const count = report.counts[severity];
    return html`<button
      class="icon-button severity"
      aria-pressed=${!isHidden}
      aria-label=${`Show ${formatAmount(count, one)}`}
      title=${`${isHidden ? 'Show' : 'Hide'} ${many}`}
      @click=${() =>
        this.arrange({
          hidden: isHidden ? hidden.filter((other) => other !== severity) : [...hidden, severity],
        })}
    >
      ${renderSeverity(severity, true)}<span>${formatCount(count)}</span>
    </button>`;
  }

  private renderMissing(volume: VolumeSummary): TemplateResult {
    const { running, failure, problems } = this.inspection.checks;
    const action = { title: 'Check', run: () => startCheck(this.inspection) };
    if (running) return renderWaiting(progressOf(running));
    if (failure !== null) {
      return renderMessage({
        icon: 'error',
        title: 'This filesystem cannot be checked',
        text: visibleText(failure),
        action: { ...action, title: 'Try Again' },
      });
    }
    const kinds = problems.size > 0 ? ` for ${kindsOf(problems.size)}` : '';
    return renderMessage({
      icon: 'checklist',
      title: 'Not checked yet',
      text: `A check of this ${formatType(volume.type)} filesystem looks${kinds} at ${checkedParts(volume)}. It changes nothing.`,
      action,
    });
  }

  private renderCheck(shown: ShownCheck, volume: VolumeSummary): TemplateResult {
    const { findings } = shown.report;
    return html`${this.renderState(shown)}
    ${
      findings.length === 0
        ? this.renderClean(volume)
        : html`<div class="split" .style=${`--panel-width: ${this.inspection.state.panelWidth}px`}>
            <div class="split-main">${this.renderRows(findings)}</div>
            <fsimg-sash
              .value=${this.inspection.state.panelWidth}
              .least=${panelWidths.least}
              .most=${panelWidths.most}
              .resize=${(panelWidth: number) => this.inspection.update({ panelWidth })}
            ></fsimg-sash>
            <div class="finding-panel">${this.renderPanel(findings)}</div>
          </div>`
    }`;
  }

  /** What one should know of the list as a whole. */
  private renderState({ report, isOutdated }: ShownCheck): TemplateResult {
    const { failure, running } = this.inspection.checks;
    const { error, warning, note } = report.counts;
    return html`<div role="status">
      ${
        isOutdated && !running
          ? html`<p class="problems outdated">
              <span class="codicon codicon-history" aria-hidden="true"></span>
              <span
                >The image has changed since this check.
                <button class="link" @click=${() => startCheck(this.inspection)}>
                  Check Again
                </button></span
              >
            </p>`
          : nothing
      }
      ${renderFailure(failure)}
      ${
        report.isCut
          ? renderRemark(
              'note',
              `The first ${formatCount(report.findings.length)} of ${formatCount(error + warning + note)} findings are listed.`,
            )
          : nothing
      }
    </div>`;
  }

  private renderClean(volume: VolumeSummary): TemplateResult {
    const { problems } = this.inspection.checks;
    return html`<div class="clean">
      ${renderMessage({
        icon: 'pass',
        title: `Nothing is wrong with this ${formatType(volume.type)} filesystem`,
        text: `None of ${kindsOf(problems.size)} was found in ${checkedParts(volume)}.`,
      })}
    </div>`;
  }

  private renderRows(findings: readonly CheckFinding[]): TemplateResult {
    const { rows } = this.made;
    // Made anew each time, so that the table is drawn with the rows as they are.
    const source: RowSource<CheckRow> = {
      count: rows.length,
      row: (index) => rows.at(index),
      show: () => undefined,
    };
    const { sort, descending, chosen } = this.inspection.state.checks;
    return html`<fsimg-table
        class="check-table"
        .source=${source}
        .columns=${checkColumns}
        .actions=${this.actions}
        .name=${'Findings'}
        .sortKey=${sort}
        .descending=${descending}
        .sight=${this.sight}
        .active=${this.activeRow}
        .chosen=${chosen !== null}
        .rowClass=${(row: CheckRow) => row.kind}
        .branch=${branchOf}
      ></fsimg-table>
      ${
        rows.length === 0
          ? renderMessage({
              icon: 'search',
              title: 'No finding matches',
              text: `None of ${formatAmount(findings.length, 'finding')} is left by the filter.`,
              action: {
                title: 'Clear Filter',
                run: () => this.arrange({ filter: '', hidden: [] }),
              },
            })
          : nothing
      }`;
  }

  private renderPanel(findings: readonly CheckFinding[]): TemplateResult {
    const finding = findings.at(this.chosen);
    if (this.chosen < 0 || !finding) {
      return html`<p class="muted panel-hint">Choose a finding to see what it means.</p>`;
    }
    const { inspection } = this;
    const { cause } = finding;
    return renderFindingPanel({
      finding,
      problem: inspection.checks.problems.get(finding.code),
      cause: cause === undefined ? undefined : findings.at(cause),
      following: this.maker.grown.following.get(this.chosen)?.length ?? 0,
      show: (view) => void showFinding(inspection, finding, view),
      showCause: () => {
        if (cause !== undefined) this.choose(cause);
      },
    });
  }

  private chooseRow(index: number): void {
    const row = this.made.rows.at(index);
    this.activeRow = index;
    if (row?.kind === 'finding') this.choose(row.index);
    else if (row) this.arrange({ chosen: row.severity });
  }

  private choose(index: number): void {
    const { inspection } = this;
    chooseFinding(inspection, index);
    const finding = inspection.checks.shown?.report.findings[index];
    clearTimeout(this.timer);
    if (!finding) return;
    this.timer = setTimeout(() => void chooseEntryOf(inspection, finding), lookUpAfter);
  }

  /** Shows the bytes of a finding; folds or unfolds a severity. */
  private openRow(index: number): void {
    const row = this.made.rows.at(index);
    if (row?.kind === 'finding') void showFinding(this.inspection, row.finding, 'structures');
    else if (row) this.fold(index, !row.unfolded);
  }

  private fold(index: number, unfolded: boolean): void {
    const row = this.made.rows.at(index);
    if (!row) return;
    const id = row.kind === 'group' ? row.severity : keyOf(row.finding);
    const others = this.inspection.state.checks.folded.filter((one) => one !== id);
    this.arrange({ folded: unfolded ? others : [...others, id] });
  }

  private arrange(change: Partial<ChecksState>): void {
    const { checks } = this.inspection.state;
    this.inspection.update({ checks: { ...checks, ...change } });
  }

  /** Upwards at first, then downwards, then as they were found. */
  private sortBy(key: string): void {
    const { sort, descending } = this.inspection.state.checks;
    const order = checkOrders.find((one) => one === key);
    if (!order) return;
    if (order !== sort) this.arrange({ sort: order, descending: false });
    else if (!descending) this.arrange({ descending: true });
    else this.arrange({ sort: 'found', descending: false });
  }

  private locatePrefix(prefix: string, from: number): void {
    const { rows } = this.made;
    const wanted = prefix.toLowerCase();
    for (let i = 0; i < rows.length; i++) {
      const index = (from + i) % rows.length;
      const row = rows[index];
      const text = row.kind === 'group' ? severityLooks[row.severity].many : row.finding.message;
      if (!text.toLowerCase().startsWith(wanted)) continue;
      this.chooseRow(index);
      this.table?.reveal(index);
      return;
    }
  }

  private onKey(event: KeyboardEvent): void {
    const { checks } = this.inspection.state;
    if (event.key !== 'Escape' || !checks.filter) return;
    this.arrange({ filter: '' });
    event.stopPropagation();
  }
}

const branchOf = (row: CheckRow) => row;

declare global {
  interface HTMLElementTagNameMap {
    'fsimg-checks': ChecksView;
  }
}
