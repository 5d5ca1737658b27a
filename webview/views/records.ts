import { html, nothing, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { DirectoryRecord } from '../../src/protocol/requests';
import { DirectoryRecords, type ShownDirectory } from '../records/directory-records';
import { visibleText } from '../words/names';
import '../parts/breadcrumb';
import { renderClosedVolume } from '../parts/closed-volume';
import '../parts/filter-field';
import { renderMessage, renderWaiting } from '../parts/message';
import { renderFailure, renderProblems } from '../parts/problems';
import { columnWidths, recordColumns } from '../records/record-columns';
import { renderRecordCount, renderUnread } from '../records/record-count';
import '../records/record-index';
import '../records/record-strip';
import type { RecordStrip, StripActions } from '../records/record-strip';
import '../parts/sash';
import type { Column, RowSource, Sight, Table, TableActions } from '../parts/table';
import { renderStateFilter } from '../records/state-filter';
import { InspectionPart } from '../part';
import { type RecordFilter, type RecordList, type RecordRow } from '../records/record-list';
import { namesOf } from '../words/record-words';
import { pathOf, type Chosen, type Place } from '../inspection/selection';
import { whyReadOnly } from '../inspection/edits';
import { stripHeights, type RecordsState } from '../inspection/state';
import type { View } from './view';

export const recordsView: View = {
  id: 'records',
  title: 'Records',
  render: (inspection) => html`<fsimg-records .inspection=${inspection}></fsimg-records>`,
};

/** A directory as it lies on disk: its blocks as strips of records, and a table of them. */
@customElement('fsimg-records')
class RecordsView extends InspectionPart {
  private records!: DirectoryRecords;
  private filter: RecordFilter = { state: 'all', name: '' };
  private columns: readonly Column<RecordRow>[] = [];
  private columnsOf: ShownDirectory | null = null;
  private columnsHaveProblems = false;
  /** Where the chosen record lies in the image, and its row in the table. */
  private chosen: number | null = null;
  private chosenRow = -1;
  /** The row that has the keyboard where no record is chosen. */
  private activeRow = 0;
  private sight: Sight = { top: null };

  private readonly stripActions: StripActions = {
    choose: (record) => this.choose(record),
    open: (record) => void this.openRecord(record),
    goToBlock: (logical) => this.goToBlock(logical),
    zoom: (line) => this.arrange({ line }),
    scrolled: (block, byte) => this.rememberSight(block, byte),
  };

  private readonly tableActions: TableActions = {
    choose: (index) => {
      this.activeRow = index;
      this.choose(this.rows[index].record);
    },
    open: (index) => void this.openRecord(this.rows[index].record),
    sort: (key) => this.sortBy(key),
    scrolled: () => undefined,
    typed: (prefix, from) => this.locatePrefix(prefix, from),
  };

  private readonly leaveFilter = () => this.focus();

  override connectedCallback(): void {
    super.connectedCallback();
    this.records = new DirectoryRecords(this.inspection, () => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.records.close();
  }

  override focus(): void {
    (this.strip ?? this.querySelector<HTMLElement>('.message'))?.focus();
  }

  focusFilter(): void {
    this.querySelector('fsimg-filter-field')?.focus();
  }

  private get strip(): RecordStrip | null {
    return this.querySelector('fsimg-record-strip');
  }

  private get table(): Table<RecordRow> | null {
    return this.querySelector<Table<RecordRow>>('fsimg-table');
  }

  private get rows(): readonly RecordRow[] {
    return this.records.list?.rows(this.inspection.state.records) ?? [];
  }

  protected override willUpdate(): void {
    const {
      filter: name,
      records: { states },
    } = this.inspection.state;
    if (this.filter.name !== name || this.filter.state !== states) {
      this.filter = { state: states, name };
    }
    this.records.follow(this.filter);
    this.followDirectory();
    this.followChosen();
  }

  private followDirectory(): void {
    const { shown, list } = this.records;
    const hasProblems = list?.hasProblems ?? false;
    if (shown !== this.columnsOf) this.activeRow = 0;
    else if (hasProblems === this.columnsHaveProblems) return;
    this.columnsOf = shown;
    this.columnsHaveProblems = hasProblems;
    if (!shown) return;
    const { columns, blocks } = shown.summary;
    this.columns = recordColumns(columns, blocks, this.unit, hasProblems);
  }

  private followChosen(): void {
    if (this.records.waiting) return;
    const chosen = this.records.findChosen();
    const row =
      chosen === null ? -1 : this.rows.findIndex(({ record }) => record.offset === chosen);
    if (chosen !== this.chosen || (row >= 0 && row !== this.chosenRow)) this.sight = { top: null };
    this.chosen = chosen;
    this.chosenRow = row;
    if (row >= 0) this.activeRow = row;
  }

  private get unit(): string {
    return this.inspection.volume?.unit?.name ?? 'block';
  }

  protected override render(): TemplateResult | typeof nothing {
    const { place, image, volume } = this.inspection;
    if (!image) return nothing;
    if (!place || place.trail.length === 0) {
      return html`<section class="view">${renderClosedVolume(image, volume)}</section>`;
    }
    const { shown, list } = this.records;
    return html`<section class="view records" @keydown=${this.onKey}>
      ${this.renderToolbar()}
      ${
        shown
          ? renderProblems(shown.summary.problems, 'this directory', (offset) =>
              this.inspection.showBytes(offset, 1),
            )
          : nothing
      }
      ${shown && list ? this.renderDirectory(shown, list, place) : this.renderMissing()}
    </section>`;
  }

  private renderToolbar(): TemplateResult {
    const { shown, list } = this.records;
    return html`<div class="toolbar">
      <fsimg-breadcrumb .inspection=${this.inspection}></fsimg-breadcrumb>
      ${this.renderWayIn(this.inspection.place?.chosen ?? null)} ${this.renderEdit()}
      ${shown && list ? renderRecordCount(list, shown.summary.blocks, this.unit) : nothing}
      ${renderStateFilter(this.filter.state, (states) => this.arrange({ states }))}
      <fsimg-filter-field
        .inspection=${this.inspection}
        .leave=${this.leaveFilter}
      ></fsimg-filter-field>
    </div>`;
  }

  /** A directory that is chosen has records of its own. */
  private renderWayIn(chosen: Chosen | null): TemplateResult | typeof nothing {
    if (chosen?.type !== 'directory') return nothing;
    const name = visibleText(chosen.name);
    return html`<button
      class="link way-in"
      title=${`Show the records of ${name}`}
      @click=${() => this.inspection.enter(chosen)}
    >
      <span class="codicon codicon-arrow-right" aria-hidden="true"></span><bdi>${name}</bdi>
    </button>`;
  }

  /** The values of a record are changed where its fields are. */
  private renderEdit(): TemplateResult | typeof nothing {
    const { inspection } = this;
    const record = this.rows.at(this.chosenRow)?.record;
    if (this.chosenRow < 0 || !record) return nothing;
    const why = whyReadOnly(inspection);
    return html`<vscode-button
      class="action"
      appearance="secondary"
      title=${why === null ? 'Edit the fields of the record in Structures' : visibleText(why)}
      ?disabled=${why !== null}
      @click=${() => inspection.showBytes(record.offset, record.length)}
      >Edit Fields</vscode-button
    >`;
  }

  private renderMissing(): TemplateResult {
    const { failure } = this.records;
    if (failure === null) return renderWaiting('Reading the directory…');
    return renderMessage({
      icon: 'error',
      title: 'This directory cannot be read',
      text: visibleText(failure),
      action: { title: 'Try Again', run: () => void this.inspection.load() },
    });
  }

  private renderDirectory(shown: ShownDirectory, list: RecordList, place: Place): TemplateResult {
    const { index, columns } = shown.summary;
    const path = visibleText(pathOf(place.trail));
    const { line, sight, height } = this.inspection.state.records;
    if (shown.blocks.blocks.length === 0) {
      return renderMessage({ icon: 'folder-opened', title: 'This directory has no records' });
    }
    const failure = list.failure ?? shown.blocks.failure;
    return html`
      ${renderFailure(failure, 'Some records cannot be read: ')}
      ${
        index.length > 0
          ? html`<fsimg-record-index
              .nodes=${index}
              .chosen=${this.chosenLogical(shown)}
              .go=${this.stripActions.goToBlock}
            ></fsimg-record-index>`
          : nothing
      }
      <fsimg-record-strip
        class=${height === null ? '' : 'sized'}
        .style=${`--strip-height: ${height}px`}
        .blocks=${shown.blocks}
        .version=${this.records.version}
        .columns=${columns}
        .tree=${shown.tree}
        .filter=${this.filter}
        .counts=${list.counts}
        .chosen=${this.chosen}
        .length=${line}
        .start=${sight?.directory === shown.node ? sight : null}
        .unit=${this.unit}
        .actions=${this.stripActions}
        .name=${`Records of ${path} on disk`}
      ></fsimg-record-strip>
      <fsimg-sash
        .side=${'top'}
        .value=${height ?? this.strip?.offsetHeight ?? 0}
        .least=${stripHeights.least}
        .most=${stripHeights.most}
        .resize=${(extent: number) => this.arrange({ height: extent })}
      ></fsimg-sash>
      <div class="split-main">${this.renderTable(list, path)}</div>
    `;
  }

  private renderTable(list: RecordList, path: string): TemplateResult {
    const { rows } = this;
    // Made anew each time, so that the table is drawn with whatever rows have come.
    const source: RowSource<RecordRow> = {
      count: rows.length,
      row: (index) => rows[index],
      show: () => undefined,
    };
    const { sort, descending } = this.inspection.state.records;
    return html`${renderUnread(list)}
      <fsimg-table
        class="record-table"
        .style=${columnWidths(this.columns)}
        .source=${source}
        .columns=${this.columns}
        .actions=${this.tableActions}
        .name=${`Records of ${path}`}
        .sortKey=${sort}
        .descending=${descending}
        .sight=${this.sight}
        .active=${this.activeRow}
        .chosen=${this.chosenRow >= 0}
        .rowClass=${rowClass}
      ></fsimg-table>
      ${
        rows.length === 0 && !list.gathering
          ? renderMessage({ icon: 'search', title: 'No record matches' })
          : nothing
      }`;
  }

  private chosenLogical({ blocks }: ShownDirectory): number | null {
    if (this.chosen === null) return null;
    return blocks.blocks[blocks.find(this.chosen)]?.logical ?? null;
  }

  private goToBlock(logical: number): void {
    const blocks = this.records.shown?.summary.blocks ?? [];
    const block = blocks.findIndex((one) => one.logical === logical);
    if (block >= 0) this.strip?.reveal(block, null);
  }

  private choose(record: DirectoryRecord): void {
    const { records, inspection } = this;
    const { offset, length } = record;
    const entry = records.entryOf(record);
    const tell = () =>
      inspection.chooseRecord(
        { offset, length },
        entry && { ...entry, type: records.knownType(entry.node) },
      );
    tell();
    if (!entry || records.knownType(entry.node) !== 'unknown') return;
    void records.typeOf(entry.node).then((type) => {
      const { place } = inspection;
      const same = place?.record === offset && place.chosen?.node === entry.node;
      if (type !== 'unknown' && same) tell();
    });
  }

  /** Goes to what the record leads to: into a directory, or to the entry in Files. */
  private async openRecord(record: DirectoryRecord): Promise<void> {
    const { records, inspection } = this;
    if (record.name === '..') return inspection.up();
    const entry = records.entryOf(record);
    if (!entry) return;
    const { place } = inspection;
    const type = await records.typeOf(entry.node);
    if (inspection.place?.trail !== place?.trail) return;
    if (type === 'directory') return inspection.enter(entry);
    if (record.state === 'deleted') inspection.arrange({ deleted: true });
    inspection.showEntry('files', { ...entry, type });
  }

  private arrange(change: Partial<RecordsState>): void {
    const { records } = this.inspection.state;
    this.inspection.update({ records: { ...records, ...change } });
  }

  private rememberSight(block: number, byte: number | null): void {
    const { shown } = this.records;
    const { records } = this.inspection.state;
    if (!shown || this.records.waiting) return;
    const sight = { directory: shown.node, block, byte, chosen: this.chosen };
    if (JSON.stringify(sight) === JSON.stringify(records.sight)) return;
    this.inspection.remember({ records: { ...records, sight } });
  }

  /** Upwards at first, then downwards, then as the records lie on disk. */
  private sortBy(key: string): void {
    const { sort, descending } = this.inspection.state.records;
    if (key !== sort) this.arrange({ sort: key, descending: false });
    else if (!descending) this.arrange({ descending: true });
    else this.arrange({ sort: 'disk', descending: false });
  }

  private locatePrefix(prefix: string, from: number): void {
    const { rows } = this;
    const wanted = prefix.toLowerCase();
    for (let i = 0; i < rows.length; i++) {
      const index = (from + i) % rows.length;
      const found = namesOf(rows[index].record).some((name) =>
        name.toLowerCase().startsWith(wanted),
      );
      if (!found) continue;
      this.tableActions.choose(index);
      this.table?.reveal(index);
      return;
    }
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !this.inspection.state.filter) return;
    this.inspection.arrange({ filter: '' });
    event.stopPropagation();
  }
}

function rowClass({ record }: RecordRow): string {
  return `${record.state} ${record.problem === undefined ? '' : 'problem'}`;
}

declare global {
  interface HTMLElementTagNameMap {
    'fsimg-records': RecordsView;
  }
}
