import { html, nothing, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import type {
  EntryContext,
  EntryRow,
  InspectorCommand,
  SortColumn,
} from '../../src/protocol/requests';
import { Directory } from '../files/directory';
import { rowUnder, targetUnder } from '../files/drop-target';
import { EntryDrag, type DropTarget } from '../files/entry-drag';
import { runCommand, whyReadOnly } from '../inspection/edits';
import { renderAction } from '../parts/action';
import { formatAmount, formatCount, formatShare } from '../words/formats';
import { visibleText } from '../words/names';
import { whyNoContent } from '../words/no-content';
import '../parts/breadcrumb';
import { renderClosedVolume } from '../parts/closed-volume';
import { entryColumns } from '../files/entry-columns';
import '../parts/filter-field';
import { renderMessage, renderWaiting } from '../parts/message';
import { renderFailure, renderProblems, renderRemark } from '../parts/problems';
import '../parts/sash';
import '../files/selected-panel';
import {
  rowHeight,
  type RowSource,
  type Sight,
  type Table,
  type TableActions,
} from '../parts/table';
import { InspectionPart } from '../part';
import { pathIn, pathOf, type Place } from '../inspection/selection';
import { panelWidths } from '../inspection/state';
import type { ControlElement } from '../toolkit';
import type { View } from './view';

export const filesView: View = {
  id: 'files',
  title: 'Files',
  render: (inspection) => html`<fsimg-files .inspection=${inspection}></fsimg-files>`,
};

/** The files of a volume: one directory as a table, and the chosen entry beside it. */
@customElement('fsimg-files')
class FilesView extends InspectionPart {
  private directory!: Directory;
  private readonly inodeColumns = entryColumns(false);
  private readonly clusterColumns = entryColumns(true);
  private takesFocus = false;
  private sight: Sight = { top: null };
  private drag!: EntryDrag;

  private readonly actions: TableActions = {
    choose: (index) => this.directory.choose(index),
    open: (index) => this.openRow(index),
    sort: (key) => this.sortBy(key as SortColumn),
    scrolled: (top) => {
      if (!this.directory.waiting) this.inspection.rememberScroll(top / rowHeight);
    },
    typed: (prefix, from) => void this.locatePrefix(prefix, from),
  };

  private readonly leaveFilter = () => this.focus();

  override connectedCallback(): void {
    super.connectedCallback();
    this.drag = new EntryDrag(this.inspection, () => this.requestUpdate());
    this.directory = new Directory(
      this.inspection,
      () => this.requestUpdate(),
      (top) => {
        this.sight = { top: top === null ? null : top * rowHeight };
        // VS Code gives the editor the focus before there is a row to take it.
        this.takesFocus ||= document.hasFocus() && document.activeElement === document.body;
        this.requestUpdate();
      },
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.directory.close();
  }

  /** Gives the keyboard to the rows, or to what stands in their place. */
  override focus(): void {
    const { table } = this;
    if (table) void table.updateComplete.then(() => table.focusActive());
    else this.querySelector<HTMLElement>('.message')?.focus();
  }

  focusFilter(): void {
    this.querySelector('fsimg-filter-field')?.focus();
  }

  private get table(): Table<EntryRow> | null {
    return this.querySelector<Table<EntryRow>>('fsimg-table');
  }

  protected override willUpdate(): void {
    this.takesFocus ||= this.contains(document.activeElement);
    this.directory.follow();
  }

  protected override updated(): void {
    // What had the focus has gone.
    if (this.takesFocus && !this.contains(document.activeElement)) this.focus();
    this.takesFocus = false;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { place, image, volume, state } = this.inspection;
    if (!image) return nothing;
    if (!place || place.trail.length === 0) {
      return html`<section class="view">${renderClosedVolume(image, volume)}</section>`;
    }
    return html`<section
      class="view files"
      .style=${`--panel-width: ${state.panelWidth}px`}
      @keydown=${this.onKey}
      @dragstart=${(event: DragEvent) => this.drag.start(event, rowUnder(event, this.rowAt))}
      @dragenter=${(event: DragEvent) => this.drag.over(event, this.targetOf(event))}
      @dragover=${(event: DragEvent) => this.drag.over(event, this.targetOf(event))}
      @dragleave=${this.onDragLeave}
      @drop=${(event: DragEvent) => void this.drag.drop(event, this.targetOf(event))}
      @dragend=${() => this.drag.end()}
    >
      ${this.renderToolbar()}
      ${renderProblems(this.directory.shown?.problems ?? [], 'this directory', (offset) =>
        this.inspection.showBytes(offset, 1),
      )}
      <div class="split">
        <div class="split-main ${this.drag.target?.as === 'table' ? 'drop-target' : ''}">
          ${this.renderRows(place)} ${this.renderDropHint()}
        </div>
        <fsimg-sash
          .value=${state.panelWidth}
          .least=${panelWidths.least}
          .most=${panelWidths.most}
          .resize=${(panelWidth: number) => this.inspection.update({ panelWidth })}
        ></fsimg-sash>
        <fsimg-selected-panel .inspection=${this.inspection}></fsimg-selected-panel>
      </div>
    </section>`;
  }

  private renderToolbar(): TemplateResult {
    const { state } = this.inspection;
    return html`<div class="toolbar">
      <fsimg-breadcrumb
        .inspection=${this.inspection}
        .dropOn=${this.drag.target?.as === 'step' ? this.drag.target.node : null}
      ></fsimg-breadcrumb>
      ${
        this.directory.canCancel
          ? html`<span class="toolbar-count lasting muted">
              ${this.describeWaiting()}
              <button class="link" @click=${() => this.directory.cancel()}>Cancel</button>
            </span>`
          : html`<span class="toolbar-count muted" role="status">${this.describeCount()}</span>`
      }
      <div class="actions" role="group" aria-label="New entries">
        ${renderAction(this.inspection, 'fsimg.newFile')}
        ${renderAction(this.inspection, 'fsimg.newFolder')}
        ${renderAction(this.inspection, 'fsimg.import')}
      </div>
      <vscode-checkbox
        .checked=${state.deleted}
        title="List deleted entries too"
        @change=${(event: Event) => {
          const deleted = (event.target as ControlElement).checked;
          if (deleted !== state.deleted) this.inspection.arrange({ deleted });
        }}
        >Deleted</vscode-checkbox
      >
      <fsimg-filter-field
        .inspection=${this.inspection}
        .leave=${this.leaveFilter}
      ></fsimg-filter-field>
    </div>`;
  }

  private describeCount(): string {
    const { shown } = this.directory;
    if (!shown?.ready) return '';
    const total = formatAmount(shown.total, 'entry', 'entries');
    return shown.matched === shown.total ? total : `${formatCount(shown.matched)} of ${total}`;
  }

  private describeWaiting(): string {
    const { progress } = this.directory;
    return `Reading the directory…${progress === null ? '' : ` ${formatShare(progress, 1)}`}`;
  }

  private renderRows(place: Place): TemplateResult {
    const { directory } = this;
    const { shown, waiting } = directory;
    if (!shown) return renderWaiting(this.describeWaiting());
    if (!shown.ready) {
      return renderMessage({
        icon: 'error',
        title: 'This directory cannot be read',
        text: visibleText(shown.failure ?? ''),
        action: { title: 'Try Again', run: () => void this.inspection.load() },
      });
    }
    return html`
      ${
        waiting
          ? html`<div
              class="progress-line"
              role="progressbar"
              aria-label="Reading the directory"
            ></div>`
          : nothing
      }
      ${renderFailure(shown.failure, 'Some rows cannot be read: ')}
      ${
        directory.beyond > 0
          ? renderRemark('note', `${formatCount(directory.beyond)} more: filter to see them.`)
          : nothing
      }
      ${this.renderTable(place)}
      ${directory.count === 0 ? this.renderEmpty(shown.total, shown.problems.length > 0) : nothing}
    `;
  }

  private renderTable(place: Place): TemplateResult {
    const { directory, inspection } = this;
    const { volume, state } = inspection;
    // Made anew each time, so that the table is drawn with whatever rows have come.
    const source: RowSource<EntryRow> = {
      count: directory.count,
      row: (index) => directory.row(index),
      show: (first, end) => directory.show(first, end),
    };
    return html`<fsimg-table
      class="entries"
      .source=${source}
      .columns=${volume?.unit?.name === 'cluster' ? this.clusterColumns : this.inodeColumns}
      .actions=${this.actions}
      .name=${`Entries of ${visibleText(pathOf(place.trail))}`}
      .sortKey=${state.sort}
      .descending=${state.descending}
      .sight=${this.sight}
      .active=${directory.active}
      .chosen=${directory.chosen}
      .rowClass=${(row: EntryRow) => this.rowClass(row)}
      .canDrag=${whyReadOnly(inspection) === null}
      .rowContext=${(row: EntryRow) => rowContext(place, row)}
    ></fsimg-table>`;
  }

  private renderEmpty(total: number, broken: boolean): TemplateResult {
    const { filter } = this.inspection.state;
    return total > 0 && filter
      ? renderMessage({
          icon: 'search',
          title: 'No name matches',
          text: `None of ${formatAmount(total, 'entry', 'entries')} has “${visibleText(filter)}” in its name.`,
          action: { title: 'Clear Filter', run: () => this.inspection.arrange({ filter: '' }) },
        })
      : renderMessage({
          icon: 'folder-opened',
          title: broken ? 'No entry of this directory can be read' : 'This directory is empty',
        });
  }

  private openRow(index: number): void {
    const { inspection, directory } = this;
    const row = directory.row(index);
    if (!row || directory.waiting || !inspection.place) return;
    directory.choose(index);
    const { volume, trail } = inspection.place;
    const path = pathIn(trail, row.name);
    const refusal = whyNoContent(path, row.type);
    if (refusal !== null) {
      inspection.tell(refusal);
    } else if (row.type === 'directory') {
      inspection.enter({ name: row.name, node: row.node });
    } else if (row.type === 'file') {
      void inspection.host.openContent(volume, row.node, path);
    } else if (row.target) {
      void inspection.follow(row.target);
    }
  }

  /** Upwards at first, then downwards, then as the entries lie on disk. */
  private sortBy(key: SortColumn): void {
    const { sort, descending } = this.inspection.state;
    if (key !== sort) this.inspection.arrange({ sort: key, descending: false });
    else if (!descending) this.inspection.arrange({ descending: true });
    else this.inspection.arrange({ sort: 'disk', descending: false });
  }

  private async locatePrefix(prefix: string, from: number): Promise<void> {
    const { query, host } = this.inspection;
    const { directory } = this;
    const { shown } = directory;
    if (!query || directory.waiting || directory.count === 0) return;
    const start = from % directory.count;
    const found = await host
      .locatePrefix({ ...query, start: 0, count: 0 }, prefix, start)
      .catch(() => -1);
    if (found < 0 || directory.shown !== shown) return;
    directory.choose(found);
    this.table?.reveal(found);
  }

  private onKey(event: KeyboardEvent): void {
    const command = commandKeys[event.key];
    const isOnRows = event.target instanceof Element && event.target.closest('.grid') !== null;
    if (command && isOnRows && !event.ctrlKey && !event.metaKey && !event.altKey) {
      this.runOnChosen(command);
      event.preventDefault();
    } else if (event.key === 'Escape' && this.inspection.state.filter) {
      this.inspection.arrange({ filter: '' });
    } else {
      return;
    }
    event.stopPropagation();
  }

  /** Runs a command on the chosen entry, or says why it cannot be. */
  private runOnChosen(command: InspectorCommand): void {
    const { inspection, directory } = this;
    const row = directory.chosen ? directory.row(directory.active) : undefined;
    if (!row) return;
    const why = row.deleted ? `${row.name} is deleted.` : whyReadOnly(inspection);
    if (why === null) runCommand(inspection, command);
    else inspection.tell(why);
  }

  private rowClass(row: EntryRow): string {
    const { target } = this.drag;
    const isTarget = target?.as === 'row' && target.node === row.node;
    return `${row.type} ${row.deleted ? 'deleted' : ''} ${isTarget ? 'drop-target' : ''}`;
  }

  private renderDropHint(): TemplateResult | typeof nothing {
    const { hint } = this.drag;
    return hint === null
      ? nothing
      : html`<p class="drop-hint" role="status">${visibleText(hint)}</p>`;
  }

  private readonly rowAt = (index: number) => this.directory.row(index);

  private targetOf(event: DragEvent): DropTarget | null {
    return targetUnder(event, this.inspection.place?.trail ?? [], this.rowAt);
  }

  /** Moving on to what lies within is no leaving. */
  private onDragLeave(event: DragEvent): void {
    const { relatedTarget } = event;
    if (relatedTarget instanceof Node && this.contains(relatedTarget)) return;
    this.drag.leave();
  }
}

/** Keys that change what is chosen, as in VS Code's explorer. */
const commandKeys: Readonly<Record<string, InspectorCommand | undefined>> = {
  F2: 'fsimg.rename',
  Delete: 'fsimg.delete',
};

function rowContext({ volume, trail }: Place, row: EntryRow): string {
  const context: EntryContext = {
    webviewSection: 'entry',
    preventDefaultContextMenuItems: true,
    volume,
    directory: trail[trail.length - 1].node,
    directoryPath: pathOf(trail),
    node: row.node,
    path: pathIn(trail, row.name),
    type: row.type,
    ...(row.deleted && { deleted: true }),
  };
  return JSON.stringify(context);
}

declare global {
  interface HTMLElementTagNameMap {
    'fsimg-files': FilesView;
  }
}
